import { eq } from 'drizzle-orm';
import { users } from '../../db/schema';
import { Refusal } from '../../std';
import { forgiveAccount } from '../users/attempts';
import { hashPassword } from '../users/password-hash';
import { normalEmail, passwordLengthProblem, passwordProblem } from '../users/rules';
import { changedMail, send } from './mail';
import { resetLink, type ResetServices } from './request-reset';
import { endSessions, issueReset, replacePassword } from './rows';

export interface OperatorReset {
  user: { id: string; email: string };
  sessionsEnded: number;
  /** Null: the password was given and holds now. Else it has to be set there; until then the old one still opens the account. */
  link: { url: string; expiresAt: Date } | null;
  /** Why sign-up would have called the password guessable, or null: whoever runs this owns the machine, and is told. */
  passwordWarning: string | null;
}

/**
 * From the operator's command line: sets a person's password, or with `password: null` makes a link with which they set
 * it themselves. Every session of theirs ends either way. Refuses `not_found` where the address has no account,
 * `invalid` for an address or a password that is none.
 */
export async function operatorReset({ tenancy, env, log }: ResetServices, input: { email: string; password: string | null }): Promise<OperatorReset> {
  const email = normalEmail(input.email);
  const problem = input.password === null ? null : passwordLengthProblem(input.password);
  if (problem !== null) throw new Refusal('invalid', `password: ${problem}.`, [{ field: 'password', message: problem }]);
  const passwordHash = input.password === null ? null : await hashPassword(input.password);
  const done = await tenancy.db.transaction(async (tx) => {
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email)).for('no key update');
    if (user === undefined) throw new Refusal('not_found', `${email} has no account.`);
    if (passwordHash !== null) return { userId: user.id, sessionsEnded: await replacePassword(tx, user.id, passwordHash), issued: null };
    return { userId: user.id, issued: await issueReset(tx, email), sessionsEnded: await endSessions(tx, user.id) };
  });
  await forgiveAccount(tenancy, email);
  log.info({ user: done.userId, sessionsEnded: done.sessionsEnded }, passwordHash === null ? 'the operator made a link to a new password' : 'the operator set a password');
  if (passwordHash !== null) await send({ tenancy, log }, done.userId, changedMail({ to: email, by: 'operator', at: new Date(tenancy.clock.now()), publicUrl: env.publicUrl }));
  return {
    user: { id: done.userId, email },
    sessionsEnded: done.sessionsEnded,
    link: done.issued === null ? null : { url: resetLink(env.publicUrl, done.issued.token), expiresAt: done.issued.expiresAt },
    passwordWarning: input.password === null ? null : passwordProblem(input.password, email),
  };
}
