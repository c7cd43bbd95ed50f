import { and, eq, isNull, sql } from 'drizzle-orm';
import { withWorkspace, type Tx } from '../../db';
import { keys, managementKeys } from '../../db/schema';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { mayAct, requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';

/**
 * Disables the gateway keys that a person made and revokes their management keys, which know no pause. One entry in
 * the audit log names them all. Refuses `forbidden` when a management key's role is above the actor's.
 */
export async function disableKeysOf(tx: Tx, actor: Actor, userId: string, now: Date): Promise<void> {
  requireRole(actor, 'admin');
  const { workspaceId } = actor;
  const maker = `user:${userId}`;
  const disabled = await tx
    .update(keys)
    .set({ disabledAt: now, updatedAt: now, revision: sql`${keys.revision} + 1` })
    .where(and(eq(keys.workspaceId, workspaceId), eq(keys.createdBy, maker), isNull(keys.disabledAt), isNull(keys.revokedAt)))
    .returning({ id: keys.id, name: keys.name });
  const revoked = await tx
    .update(managementKeys)
    .set({ revokedAt: now, revision: sql`${managementKeys.revision} + 1` })
    .where(and(eq(managementKeys.workspaceId, workspaceId), eq(managementKeys.createdBy, maker), isNull(managementKeys.revokedAt)))
    .returning({ id: managementKeys.id, name: managementKeys.name, role: managementKeys.role });
  const above = revoked.find((key) => !mayAct(actor.role, key.role));
  if (above !== undefined) throw new Refusal('forbidden', `They made the management key "${above.name}" with the role ${above.role}: only that role or a higher one may revoke it.`);
  if (disabled.length + revoked.length === 0) return;
  await audit(tx, actor, 'member.keys_disabled', userId, null, { keys: disabled, management_keys: revoked });
}

export interface KeysMade {
  keys: number;
  managementKeys: number;
}

/** By user id: what `disableKeysOf` would end. */
export async function countKeysMade(tenancy: Tenancy, actor: Actor): Promise<Map<string, KeysMade>> {
  requireRole(actor, 'admin');
  const rows = await withWorkspace(tenancy.db, actor.workspaceId, (tx) =>
    tx.execute<{ maker: string; keys: number; management_keys: number }>(sql`
      select maker, sum(k)::int as keys, sum(m)::int as management_keys from (
        select created_by as maker, 1 as k, 0 as m from keys where disabled_at is null and revoked_at is null
        union all
        select created_by, 0, 1 from management_keys where revoked_at is null) as made
      where maker like 'user:%' group by maker`),
  );
  return new Map(rows.map((row) => [row.maker.slice('user:'.length), { keys: row.keys, managementKeys: row.management_keys }]));
}
