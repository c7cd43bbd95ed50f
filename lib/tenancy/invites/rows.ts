import { and, eq, gt, sql } from 'drizzle-orm';
import type { Tx } from '../../db';
import { invites, users } from '../../db/schema';
import type { InviteView } from '../../management/schemas';
import { Refusal } from '../../std';
import type { Actor, Role } from '../actor';
import { mayAct } from '../require-role';

export type InviteRow = typeof invites.$inferSelect;

/** A link works for so long. */
export const INVITE_DAYS = 7;
/** Of one workspace at a time, those that have expired included. */
export const MAX_INVITES = 100;

export const inviteExpiry = sql`now() + make_interval(days => ${INVITE_DAYS})`;

/** The invitation, locked until the transaction ends. Throws Refusal('not_found'). */
export async function inviteRow(tx: Tx, workspaceId: string, id: string): Promise<InviteRow> {
  const [row] = await tx.select().from(invites).where(and(eq(invites.workspaceId, workspaceId), eq(invites.id, id))).for('update');
  if (row === undefined) throw new Refusal('not_found', 'There is no such invitation in this workspace.');
  return row;
}

/** The invitation behind a link, if it can be used now, by the database's clock. Throws the one refusal for all that cannot. */
export async function usableInvite(tx: Tx, workspaceId: string, tokenHash: string): Promise<InviteRow> {
  const [row] = await tx.select().from(invites).where(and(eq(invites.workspaceId, workspaceId), eq(invites.tokenHash, tokenHash), gt(invites.expiresAt, sql`now()`)));
  if (row === undefined) throw unusable();
  return row;
}

/** One answer for a link that never was, was used, was revoked or replaced, or has expired. */
export const unusable = (): Refusal => new Refusal('not_found', 'This invitation cannot be used: it was accepted, revoked or replaced by a newer one, or it has expired.');

/** Nobody changes or takes back an invitation above their own role. */
export function requireMayTouch(actor: Actor, row: InviteRow): void {
  if (mayAct(actor.role, row.role)) return;
  throw new Refusal('forbidden', `It invites somebody as ${row.role}: only that role or a higher one may change it or take it back.`);
}

/** Nobody invites above their own role. */
export function requireMayGive(actor: Actor, role: Role): void {
  if (mayAct(actor.role, role)) return;
  throw new Refusal('forbidden', `You cannot invite anybody as ${role}: you are ${actor.role} yourself.`, [{ field: 'role', message: `is more than your own, ${actor.role}` }]);
}

/** The address of whoever sent it; null when a management key did. */
export async function inviterOf(tx: Tx, row: Pick<InviteRow, 'invitedBy'>): Promise<string | null> {
  const [kind, id] = row.invitedBy.split(':');
  if (kind !== 'user') return null;
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, id!));
  return user?.email ?? null;
}

export function inviteView(row: InviteRow, nowMs: number): InviteView {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    state: row.expiresAt.getTime() > nowMs ? 'pending' : 'expired',
    invited_by: row.invitedBy,
    expires_at: row.expiresAt.toISOString(),
    revision: row.revision,
    created_at: row.createdAt.toISOString(),
  };
}
