import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { sessions, users } from '../../db/schema';
import type { Tenancy } from '../tenancy';
import { IDLE_DAYS } from './start-session';

export interface SignedIn {
  sessionId: string;
  user: { id: string; email: string };
}

/**
 * The person behind a session id, or null when it never was, was ended, or ran out (by the database's clock).
 * Asked at every request, so that ending a session holds at once. Notes the use, to the minute.
 */
export async function readSession(tenancy: Tenancy, sessionId: string): Promise<SignedIn | null> {
  if (!/^session_[0-9a-z]{26}$/.test(sessionId)) return null;
  return await tenancy.db.unscoped(async (queries) => {
    const [row] = await queries
      .select({ userId: users.id, email: users.email, unnoted: sql<boolean>`${sessions.lastSeenAt} < now() - interval '1 minute'` })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(
        and(
          eq(sessions.id, sessionId),
          isNull(sessions.revokedAt),
          gt(sessions.expiresAt, sql`now()`),
          gt(sessions.lastSeenAt, sql`now() - make_interval(days => ${IDLE_DAYS})`),
        ),
      );
    if (!row) return null;
    if (row.unnoted) await queries.update(sessions).set({ lastSeenAt: sql`now()` }).where(eq(sessions.id, sessionId));
    return { sessionId, user: { id: row.userId, email: row.email } };
  });
}
