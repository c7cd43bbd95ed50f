import { and, eq, isNull } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { managementKeys } from '../../db/schema';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { mayAct, requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { managementKeyView } from './rows';

/** Revokes a management key for good, at once. Refuses `not_found`, `forbidden` for a key of a higher role than one's own. */
export async function deleteManagementKey(tenancy: Tenancy, actor: Actor, input: { id: string }): Promise<void> {
  requireRole(actor, 'admin');
  await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const mine = and(eq(managementKeys.workspaceId, actor.workspaceId), eq(managementKeys.id, input.id), isNull(managementKeys.revokedAt));
    const [old] = await tx.select().from(managementKeys).where(mine).for('update');
    if (old === undefined) throw new Refusal('not_found', 'There is no such management key in this workspace.');
    if (!mayAct(actor.role, old.role)) throw new Refusal('forbidden', `Its role is ${old.role}: only that role or a higher one may revoke it.`);
    await tx.update(managementKeys).set({ revokedAt: new Date(tenancy.clock.now()), revision: old.revision + 1 }).where(mine);
    await audit(tx, actor, 'management_key.revoked', input.id, managementKeyView(old), null);
  });
}
