import { and, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { members } from '../../db/schema';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { mayAct, requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { lockOwners, memberRow, memberView, requireAnotherOwner } from './rows';

/**
 * Takes a member out, at once: their next request finds no workspace. Everybody may leave by themselves. The keys
 * they made are the workspace's and stay. Refuses `forbidden`, `not_found`, `conflict` (the last owner).
 */
export async function removeMember(tenancy: Tenancy, actor: Actor, input: { userId: string }): Promise<void> {
  const { workspaceId } = actor;
  const { userId } = input;
  const leaving = actor.kind === 'user' && actor.id === userId;
  if (!leaving) requireRole(actor, 'admin');
  await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    await lockOwners(tx, workspaceId);
    const row = await memberRow(tx, workspaceId, userId);
    if (!mayAct(actor.role, row.member.role)) throw new Refusal('forbidden', 'Only an owner can do this.');
    if (row.member.role === 'owner') await requireAnotherOwner(tx, workspaceId, userId);
    await tx.delete(members).where(and(eq(members.workspaceId, workspaceId), eq(members.userId, userId)));
    await audit(tx, actor, 'member.removed', userId, memberView(row), null);
  });
}
