import { type LinkKind, openLink } from '../open-link';
import type { Client } from '../sessions';
import type { Tenancy } from '../tenancy';
import { forgiveAccount } from '../users/attempts';
import { hashPassword } from '../users/password-hash';
import { checkNewPassword } from '../users/rules';
import { changedMail, send } from './mail';
import type { ResetServices } from './request-reset';
import { replacePassword, unusable, usableReset } from './rows';

/** Whether a link opens anything; changes nothing. Refuses `not_found`, whatever is wrong with it, and `rate_limited`. */
export async function lookAtReset(tenancy: Tenancy, token: string, client: Client): Promise<{ email: string }> {
  const { email } = await findReset(tenancy, token, client);
  return { email };
}

/**
 * Sets a new password by a link, which that uses up: every session of the person ends, and the wait after too many wrong
 * guesses at the old one. Management keys stay. The person is told by mail, where there
 * is a server. Refuses `invalid` for the password, which leaves the link as it is, `not_found`, `rate_limited`.
 */
export async function resetPassword({ tenancy, env, log }: ResetServices, input: { token: string; password: string }, client: Client): Promise<void> {
  const { email, tokenHash } = await findReset(tenancy, input.token, client);
  checkNewPassword(input.password, email);
  const passwordHash = await hashPassword(input.password);
  const { userId, sessionsEnded } = await tenancy.db.transaction(async (tx) => {
    const reset = await usableReset(tx, tokenHash); // of two at once the second finds the link used up
    return { userId: reset.userId, sessionsEnded: await replacePassword(tx, reset.userId, passwordHash) };
  });
  log.info({ user: userId, sessionsEnded }, 'a password was reset by a link');
  await forgiveAccount(tenancy, email);
  void send({ tenancy, log }, userId, changedMail({ to: email, by: 'link', at: new Date(tenancy.clock.now()), publicUrl: env.publicUrl }));
}

const RESET: LinkKind = { token: 'pw', guesses: 'reset link network', unusable };

const findReset = (tenancy: Tenancy, token: string, client: Client): Promise<{ email: string; tokenHash: string }> =>
  openLink(tenancy, RESET, token, client, (tokenHash) => tenancy.db.transaction((tx) => usableReset(tx, tokenHash)));
