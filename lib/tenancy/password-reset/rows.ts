import { and, eq, gt, lt, sql } from 'drizzle-orm';
import type { Tx } from '../../db';
import { passwordResets, sessions, users } from '../../db/schema';
import { Refusal } from '../../std';
import { issueToken } from '../token';

/** A link works for so long. */
export const RESET_MINUTES = 60;

export interface IssuedReset {
  userId: string;
  /** Shown to whoever owns the address, or to the operator; never stored. */
  token: string;
  expiresAt: Date;
}

/**
 * A new link for the account with this address, in place of an older one; null when there is no such account. One and
 * the same statement finds out. Sweeps what has run out.
 */
export async function issueReset(tx: Tx, email: string): Promise<IssuedReset | null> {
  const { token, hash } = issueToken('pw');
  await tx.delete(passwordResets).where(lt(passwordResets.expiresAt, sql`now()`));
  const [row] = await tx.execute<{ user_id: string; expires_at: string }>(sql`
    insert into password_resets as r (user_id, token_hash, password_changed_at, expires_at)
    select id, ${hash}, password_changed_at, now() + make_interval(mins => ${RESET_MINUTES}) from users where email = ${email}
    on conflict (user_id) do update set
      token_hash = excluded.token_hash, password_changed_at = excluded.password_changed_at, expires_at = excluded.expires_at, created_at = now()
    returning user_id, expires_at`);
  return row === undefined ? null : { userId: row.user_id, token, expiresAt: new Date(row.expires_at) };
}

/**
 * The account behind a link that can be used now, by the database's clock, locked until the transaction ends. Throws
 * the one refusal for all that cannot: also for one whose password was changed since.
 */
export async function usableReset(tx: Tx, tokenHash: string): Promise<{ userId: string; email: string }> {
  const [row] = await tx
    .select({ userId: users.id, email: users.email })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, sql`now()`), eq(passwordResets.passwordChangedAt, users.passwordChangedAt)))
    .for('no key update');
  if (row === undefined) throw unusable();
  return row;
}

/** Writes the new hash, lets go of the person's link and ends every session of theirs. Returns how many that were. */
export async function replacePassword(tx: Tx, userId: string, passwordHash: string): Promise<number> {
  await tx.update(users).set({ passwordHash, passwordChangedAt: sql`now()` }).where(eq(users.id, userId));
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
  return await endSessions(tx, userId);
}

export async function endSessions(tx: Tx, userId: string): Promise<number> {
  const ended = await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.userId, userId), sql`${sessions.revokedAt} is null`))
    .returning({ id: sessions.id });
  return ended.length;
}

/** One answer for a link that never was, was used or replaced, has expired, or whose password was changed since. */
export const unusable = (): Refusal => new Refusal('not_found', 'This link cannot be used: it was used or replaced by a newer one, the password has been changed since, or the hour is over.');
