import { and, eq, sql } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { members } from '../../db/schema';
import type { MemberView } from '../../management/schemas';
import { Refusal } from '../../std';
import type { Actor, Role } from '../actor';
import { audit } from '../audit';
import { mayAct, requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { lockOwners, memberRow, memberView, requireAnotherOwner } from './rows';

/**
 * Gives a member another role, which holds from their next request on. An admin neither makes owners nor changes
 * them. Refuses `forbidden`, `not_found`, `conflict` (the last owner).
 */
export async function changeRole(tenancy: Tenancy, actor: Actor, input: { userId: string; role: Role }): Promise<MemberView> {
  requireRole(actor, 'admin');
  const { workspaceId } = actor;
  const { userId, role } = input;
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    await lockOwners(tx, workspaceId);
    const before = await memberRow(tx, workspaceId, userId);
    if (!mayAct(actor.role, role) || !mayAct(actor.role, before.member.role)) throw new Refusal('forbidden', 'Only an owner can do this.');
    if (before.member.role === role) return memberView(before);
    if (before.member.role === 'owner') await requireAnotherOwner(tx, workspaceId, userId);
    await tx
      .update(members)
      .set({ role, revision: sql`${members.revision} + 1` })
      .where(and(eq(members.workspaceId, workspaceId), eq(members.userId, userId)));
    const view = memberView(await memberRow(tx, workspaceId, userId));
    await audit(tx, actor, 'member.role_changed', userId, memberView(before), view);
    return view;
  });
}
