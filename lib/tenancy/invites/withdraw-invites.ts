import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../db';
import { invites, managementKeys } from '../../db/schema';
import type { Actor, Role } from '../actor';
import { audit } from '../audit';
import { mayAct } from '../require-role';
import { inviteView } from './rows';

/**
 * Takes back what a person sent, by hand or by a management key of theirs, and may send no more, in the transaction
 * that takes their role away: else whoever is removed could come back by an invitation of their own to another
 * address. `role`: what they are from now on; null: no member. The caller has locked the workspace.
 */
export async function withdrawInvites(tx: Tx, actor: Actor, userId: string, role: Role | null, nowMs: number): Promise<void> {
  const by = `user:${userId}`;
  const sent = await tx
    .select()
    .from(invites)
    .where(
      and(
        eq(invites.workspaceId, actor.workspaceId),
        sql`(${invites.invitedBy} = ${by} or ${invites.invitedBy} in (select 'management_key:' || ${managementKeys.id} from ${managementKeys} where ${managementKeys.createdBy} = ${by}))`,
      ),
    );
  for (const row of sent) {
    if (role !== null && mayAct(role, 'admin') && mayAct(role, row.role)) continue;
    await tx.delete(invites).where(and(eq(invites.workspaceId, actor.workspaceId), eq(invites.id, row.id)));
    await audit(tx, actor, 'invite.revoked', row.id, inviteView(row, nowMs), null);
  }
}
