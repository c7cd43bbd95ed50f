import { and, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { invites } from '../../db/schema';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { lockWorkspace } from '../members/rows';
import { requireRole } from '../require-role';
import { requireRevision } from '../revision';
import type { Tenancy } from '../tenancy';
import { inviteRow, inviteView, requireMayTouch } from './rows';

/** Takes an invitation back: its link works no more, at once. Refuses `forbidden`, `not_found`, `stale`. */
export async function revokeInvite(tenancy: Tenancy, actor: Actor, input: { id: string; revision?: number | null }): Promise<void> {
  requireRole(actor, 'admin');
  const { workspaceId } = actor;
  await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const row = await inviteRow(tx, workspaceId, input.id);
    requireMayTouch(actor, row);
    requireRevision(row.revision, input.revision ?? null);
    await tx.delete(invites).where(and(eq(invites.workspaceId, workspaceId), eq(invites.id, input.id)));
    await audit(tx, actor, 'invite.revoked', input.id, inviteView(row, tenancy.clock.now()), null);
  });
}
