import { and, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { invites } from '../../db/schema';
import type { InviteView } from '../../management/schemas';
import type { Actor, Role } from '../actor';
import { audit } from '../audit';
import { lockWorkspace } from '../members/rows';
import { requireRole } from '../require-role';
import { requireRevision } from '../revision';
import type { Tenancy } from '../tenancy';
import { inviteRow, inviteView, requireMayGive, requireMayTouch } from './rows';

/** Changes what somebody is invited as; the link stays. Refuses `forbidden`, `not_found`, `stale`. */
export async function changeInvite(tenancy: Tenancy, actor: Actor, input: { id: string; revision: number; role: Role }): Promise<InviteView> {
  requireRole(actor, 'admin');
  const { workspaceId } = actor;
  const nowMs = tenancy.clock.now();
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const old = await inviteRow(tx, workspaceId, input.id);
    requireMayTouch(actor, old);
    requireMayGive(actor, input.role);
    requireRevision(old.revision, input.revision);
    const [row] = await tx
      .update(invites)
      .set({ role: input.role, revision: old.revision + 1 })
      .where(and(eq(invites.workspaceId, workspaceId), eq(invites.id, input.id)))
      .returning();
    const view = inviteView(row!, nowMs);
    await audit(tx, actor, 'invite.role_changed', input.id, inviteView(old, nowMs), view);
    return view;
  });
}
