import type { Role } from '../actor';

/** What an outgoing mail is made of; plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  id: string;
}

/** Takes a mail to the operator's server. One try; never rejects. */
export type SendMail = (mail: Mail) => Promise<{ type: 'delivered' } | { type: 'failed' | 'not_configured'; error: string }>;

interface InviteMail {
  to: string;
  id: string;
  /** The name as people chose it. */
  workspace: string;
  /** Null: a management key. */
  inviter: string | null;
  role: Role;
  link: string;
  expiresAt: Date;
}

/** The one address in it that can be followed is the product's own. */
export function inviteMail({ to, id, workspace, inviter, role, link, expiresAt }: InviteMail): Mail {
  const name = wordsOf(workspace);
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    to,
    id,
    subject: `Invitation to the workspace ${name} on Ohm`,
    text: [
      `${inviter === null ? 'An administrator' : inviter} invites you to the workspace "${name}" on Ohm, as ${role}.`,
      'Look at the invitation, and accept it or not:',
      link,
      `The link works once, until ${until}, for an account with this address: ${to}. Whoever has it is taken for you, so pass it on to nobody.`,
      'You know nobody there? Then ignore this mail: nothing happens unless you accept. Ohm does not check who owns the address that an inviter gives as theirs.',
    ].join('\n\n'),
  };
}

/**
 * A name that somebody chose, in somebody else's mail: letters, digits and a little between them. No line that could
 * end a header, no markup, nothing that a mail client would take for an address to follow.
 */
function wordsOf(name: string): string {
  return name.replace(/[^\p{L}\p{M}\p{N}'’&()+,-]+/gu, ' ').trim().slice(0, 60) || 'without a name';
}
