import { and, eq, sql } from 'drizzle-orm';
import { sessions, users } from '../../db/schema';
import { Refusal } from '../../std';
import { startSession } from '../sessions/start-session';
import type { Client } from '../sessions';
import type { Tenancy } from '../tenancy';
import { countAttempt, forgiveAttempt, networkPrefix } from './attempts';
import { hashPassword, passwordMatches } from './password-hash';
import { checkNewPassword } from './rules';

/** Replaces the password, ends every session of the person and starts a new one, whose id it returns. */
export async function changePassword(tenancy: Tenancy, userId: string, input: { current: string; next: string }, client: Client): Promise<string> {
  const [user] = await tenancy.db.unscoped((queries) => queries.select().from(users).where(eq(users.id, userId)));
  if (!user) throw new Refusal('not_found', 'There is no such account.');
  checkNewPassword(input.next, user.email, 'next');
  const network = networkPrefix(client.address);
  await countAttempt(tenancy, 'sign-in account', user.email);
  if (!(await passwordMatches(user.passwordHash, input.current))) throw wrong();
  const passwordHash = await hashPassword(input.next);
  await tenancy.db.transaction(async (tx) => {
    const changed = await tx
      .update(users)
      .set({ passwordHash, passwordChangedAt: sql`now()` })
      .where(and(eq(users.id, userId), eq(users.passwordHash, user.passwordHash)))
      .returning({ id: users.id });
    if (changed.length === 0) throw wrong(); // another was set while this one was checked
    await tx.update(sessions).set({ revokedAt: sql`now()` }).where(eq(sessions.userId, userId));
  });
  await forgiveAttempt(tenancy, user.email, network);
  return await startSession(tenancy, userId, client);
}

const wrong = () => new Refusal('invalid', 'The current password is wrong.', [{ field: 'current', message: 'is wrong' }]);
