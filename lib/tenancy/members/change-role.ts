import { and, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { members } from '../../db/schema';
import type { MemberView } from '../../management/schemas';
import { Refusal } from '../../std';
import type { Actor, Role } from '../actor';
import { audit } from '../audit';
import { withdrawInvites } from '../invites/withdraw-invites';
import { mayAct, requireRole } from '../require-role';
import { requireRevision } from '../revision';
import type { Tenancy } from '../tenancy';
import { lockWorkspace, memberRow, memberView, requireAnotherOwner } from './rows';

/**
 * Gives a member another role, which holds from their next request on; invitations that they sent and could not send
 * any more are taken back. An admin neither makes owners nor changes them. Refuses `forbidden`, `not_found`, `stale`,
 * `conflict` (the last owner).
 */
export async function changeRole(tenancy: Tenancy, actor: Actor, input: { userId: string; role: Role; revision?: number | null }): Promise<MemberView> {
  requireRole(actor, 'admin');
  const { workspaceId } = actor;
  const { userId, role } = input;
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const before = await memberRow(tx, workspaceId, userId);
    if (!mayAct(actor.role, role) || !mayAct(actor.role, before.member.role)) throw new Refusal('forbidden', 'Only an owner can do this.');
    requireRevision(before.member.revision, input.revision ?? null);
    if (before.member.role === role) return memberView(before);
    if (before.member.role === 'owner') await requireAnotherOwner(tx, workspaceId, userId);
    await tx
      .update(members)
      .set({ role, revision: before.member.revision + 1 })
      .where(and(eq(members.workspaceId, workspaceId), eq(members.userId, userId)));
    await withdrawInvites(tx, actor, userId, role, tenancy.clock.now());
    const view = memberView(await memberRow(tx, workspaceId, userId));
    await audit(tx, actor, 'member.role_changed', userId, memberView(before), view);
    return view;
  });
}
