import { and, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import { sessions } from '../../db/schema';
import { Refusal } from '../../std';
import type { Tenancy } from '../tenancy';
import { IDLE_DAYS } from './start-session';

export interface SessionView {
  id: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  address_prefix: string | null;
  user_agent: string | null;
}

/** A person's live sessions, the latest used first. */
export async function listSessions(tenancy: Tenancy, userId: string): Promise<SessionView[]> {
  const rows = await tenancy.db.unscoped((queries) =>
    queries
      .select()
      .from(sessions)
      .where(
        and(
          eq(sessions.userId, userId),
          isNull(sessions.revokedAt),
          gt(sessions.expiresAt, sql`now()`),
          gt(sessions.lastSeenAt, sql`now() - make_interval(days => ${IDLE_DAYS})`),
        ),
      )
      .orderBy(desc(sessions.lastSeenAt))
      .limit(200),
  );
  return rows.map((row) => ({
    id: row.id,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    address_prefix: row.addressPrefix,
    user_agent: row.userAgent,
  }));
}

/** Ends a session; with `ofUserId` only when it is that person's. Refuses `not_found`, also for one that has ended. */
export async function endSession(tenancy: Tenancy, sessionId: string, ofUserId: string | null = null): Promise<void> {
  const ended = await tenancy.db.unscoped((queries) =>
    queries
      .update(sessions)
      .set({ revokedAt: sql`now()` })
      .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt), ofUserId === null ? undefined : eq(sessions.userId, ofUserId)))
      .returning({ id: sessions.id }),
  );
  if (ended.length === 0) throw new Refusal('not_found', 'There is no such session.');
}

/** Signs the person out everywhere, or everywhere but here. Returns how many sessions ended. */
export async function endSessionsOf(tenancy: Tenancy, userId: string, exceptSessionId: string | null = null): Promise<number> {
  const ended = await tenancy.db.unscoped((queries) =>
    queries
      .update(sessions)
      .set({ revokedAt: sql`now()` })
      .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), exceptSessionId === null ? undefined : ne(sessions.id, exceptSessionId)))
      .returning({ id: sessions.id }),
  );
  return ended.length;
}
