import { and, eq, lt, or, isNotNull, sql } from 'drizzle-orm';
import type { Tx } from '../../db';
import { sessions, users } from '../../db/schema';
import { newId, Refusal } from '../../std';
import type { Tenancy } from '../tenancy';
import { networkPrefix } from '../users/attempts';

/** Who is at the other end, as far as the door knows. */
export interface Client {
  /** IP address by the socket or by a trusted proxy; null: not known. */
  address: string | null;
  userAgent: string | null;
}

/** A session ends after so many days without a request, and after so many whatever happens. */
export const IDLE_DAYS = 7;
export const MAX_DAYS = 30;

/**
 * Always a new row with a new id. Takes the occasion to remove what has ended. Returns the id. `passwordHash`: what the
 * person's password was checked against; refuses `stale` when it is another by now, so that no session begins with a
 * password after the sessions of that password were ended.
 */
export async function startSession(tenancy: Tenancy, userId: string, client: Client, passwordHash: string | null = null): Promise<string> {
  const id = newId('session');
  await tenancy.db.transaction(async (tx) => {
    if (passwordHash !== null) await requireUnchanged(tx, userId, passwordHash);
    await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), or(lt(sessions.expiresAt, sql`now()`), and(isNotNull(sessions.revokedAt), lt(sessions.revokedAt, sql`now() - interval '1 day'`)))));
    await tx.insert(sessions).values({
      id,
      userId,
      expiresAt: sql`now() + make_interval(days => ${MAX_DAYS})`,
      addressPrefix: networkPrefix(client.address),
      userAgent: client.userAgent?.replace(/[^\x20-\x7e]/g, '').slice(0, 200) ?? null,
    });
  });
  return id;
}

/** Holds the row: a change of the password waits until this session is there to be ended. */
async function requireUnchanged(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  const [user] = await tx.select({ id: users.id }).from(users).where(and(eq(users.id, userId), eq(users.passwordHash, passwordHash))).for('share');
  if (user === undefined) throw new Refusal('stale', 'The password was changed a moment ago. Sign in with the new one.');
}
