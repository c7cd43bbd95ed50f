import { newId } from '../../std';
import type { Mail } from '../invites/mail';
import type { Tenancy } from '../tenancy';

/** Nothing in these mails was written by whoever caused them, and the one address to follow is the product's own. */

export function resetMail({ to, link, expiresAt }: { to: string; link: string; expiresAt: Date }): Mail {
  return {
    to,
    id: newId('reset'),
    subject: 'A new password for Ohm',
    text: [
      `Somebody asked for a new password for the account with this address, ${to}. Set it here:`,
      link,
      `The link works once, until ${minute(expiresAt)}. Whoever has it can take the account, so pass it on to nobody.`,
      'You did not ask? Then ignore this mail: the password stays as it is. You never made an account? Somebody else did with your address, and with this link you can take it from them.',
    ].join('\n\n'),
  };
}

/** `by`: who set the password. */
export function changedMail({ to, by, at, publicUrl }: { to: string; by: 'link' | 'operator'; at: Date; publicUrl: string }): Mail {
  return {
    to,
    id: newId('reset'),
    subject: 'Your password for Ohm was changed',
    text: [
      `The password of the account with this address, ${to}, was changed at ${minute(at)}, ${by === 'link' ? 'by a link that was sent here or came from whoever runs this installation' : 'by whoever runs this installation'}.`,
      'You are signed out everywhere. Sign in with the new password:',
      `${publicUrl}/sign-in`,
      'API keys and management keys of your workspaces go on working: look through them and revoke what you do not know.',
      `Was it not you? Then set another at ${publicUrl}/reset, or write to whoever runs this installation.`,
    ].join('\n\n'),
  };
}

/** Where resets are told: a person belongs to no workspace, so no audit log has them. */
export interface ResetLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** One try, where there is a mail server. What came of it is in the log, and whoever asked does not wait for it. */
export async function send({ tenancy, log }: { tenancy: Tenancy; log: ResetLog }, userId: string, mail: Mail): Promise<void> {
  const outcome = await tenancy.mail?.(mail);
  if (outcome === undefined || outcome.type === 'delivered') return;
  log.warn({ user: userId, error: outcome.error }, `the mail "${mail.subject}" was not sent`);
}

const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
