import { isNull, sql } from 'drizzle-orm';
import { constraintViolated, withWorkspace, type Tx } from '../../db';
import { managementKeys } from '../../db/schema';
import type { IssuedManagementKey, ManagementKeyCreate } from '../../management/schemas';
import { newId, Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { expiry } from '../keys/rows';
import { actorName, mayAct, requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { issueToken } from '../token';
import { managementKeyView } from './rows';

export const MAX_MANAGEMENT_KEYS = 100;

/** Issues a management key that may do at most what its maker may. Refuses `forbidden`, `invalid`, `conflict`. */
export async function createManagementKey(tenancy: Tenancy, actor: Actor, input: ManagementKeyCreate): Promise<IssuedManagementKey> {
  requireRole(actor, 'admin');
  if (!mayAct(actor.role, input.role)) {
    throw new Refusal('forbidden', `You cannot give the role ${input.role}: yours is ${actor.role}.`, [{ field: 'role', message: `is more than your own, ${actor.role}` }]);
  }
  const { token, hash, last4 } = issueToken('mk');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    await requireRoom(tx);
    const [row] = await tx
      .insert(managementKeys)
      .values({
        id: newId('mk'),
        workspaceId: actor.workspaceId,
        name: input.name,
        tokenHash: hash,
        last4,
        role: input.role,
        expiresAt: expiry(input.expires_at, tenancy.clock.now()),
        createdBy: actorName(actor),
      })
      .returning();
    const view = managementKeyView(row!);
    await audit(tx, actor, 'management_key.created', view.id, null, view);
    return { ...view, key: token };
  }).catch((error: unknown) => {
    if (!constraintViolated(error, 'management_keys_workspace_id_name_key')) throw error;
    throw new Refusal('conflict', 'A management key of this name exists already.', [{ field: 'name', message: 'is taken' }]);
  });
}

async function requireRoom(tx: Tx): Promise<void> {
  const [row] = await tx.select({ n: sql<number>`count(*)::int` }).from(managementKeys).where(isNull(managementKeys.revokedAt));
  if ((row?.n ?? 0) >= MAX_MANAGEMENT_KEYS) {
    throw new Refusal('conflict', `A workspace may have ${MAX_MANAGEMENT_KEYS} management keys. Revoke one first.`);
  }
}
