import { and, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { members } from '../../db/schema';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { withdrawInvites } from '../invites/withdraw-invites';
import { mayAct, requireRole } from '../require-role';
import { requireRevision } from '../revision';
import type { Tenancy } from '../tenancy';
import { disableKeysOf } from './disable-keys-of';
import { lockWorkspace, memberRow, memberView, requireAnotherOwner } from './rows';

/**
 * Takes a member out, at once: their next request finds no workspace, and the invitations that they sent are taken
 * back. Everybody may leave by themselves. The keys they made are the workspace's and stay, unless an admin says
 * `disable`. Refuses `forbidden`, `not_found`, `stale`, `conflict` (the last owner).
 */
export async function removeMember(
  tenancy: Tenancy,
  actor: Actor,
  input: { userId: string; revision?: number | null; keys?: 'keep' | 'disable' },
): Promise<void> {
  const { workspaceId } = actor;
  const { userId } = input;
  const leaving = actor.kind === 'user' && actor.id === userId;
  if (!leaving) requireRole(actor, 'admin');
  const now = new Date(tenancy.clock.now());
  await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const row = await memberRow(tx, workspaceId, userId);
    if (!mayAct(actor.role, row.member.role)) throw new Refusal('forbidden', 'Only an owner can do this.');
    requireRevision(row.member.revision, input.revision ?? null);
    if (row.member.role === 'owner') await requireAnotherOwner(tx, workspaceId, userId);
    await tx.delete(members).where(and(eq(members.workspaceId, workspaceId), eq(members.userId, userId)));
    await withdrawInvites(tx, actor, userId, null, now.getTime());
    if (input.keys === 'disable') await disableKeysOf(tx, actor, userId, now);
    await audit(tx, actor, 'member.removed', userId, memberView(row), null);
  });
}
