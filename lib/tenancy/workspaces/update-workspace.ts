import { eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { workspaces } from '../../db/schema';
import type { WorkspaceUpdate, WorkspaceView } from '../../management/schemas';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { keptLimits } from '../kept-limits';
import { requireRole } from '../require-role';
import { requireRevision } from '../revision';
import type { Tenancy } from '../tenancy';
import { requireResolvable } from './fallback-model';
import { workspaceView } from './get-workspace';

/**
 * Edits the settings of the actor's workspace. A new fallback model must name something; the one that is kept may have
 * lost its route since. Refuses `forbidden`, `stale`, `invalid`.
 */
export async function updateWorkspace(tenancy: Tenancy, actor: Actor, input: { revision: number; change: WorkspaceUpdate }): Promise<WorkspaceView> {
  requireRole(actor, 'admin');
  const { name, fallback_model: fallbackModel, limits } = input.change;
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const before = await workspaceView(tx, actor.workspaceId, true);
    requireRevision(before.revision, input.revision);
    if (fallbackModel != null && fallbackModel !== before.fallback_model) await requireResolvable(tx, actor.workspaceId, fallbackModel);
    await tx
      .update(workspaces)
      .set({ revision: before.revision + 1, ...(name === undefined ? {} : { name }), ...(fallbackModel === undefined ? {} : { fallbackModel }), ...(limits === undefined ? {} : { limits: keptLimits(limits) }) })
      .where(eq(workspaces.id, actor.workspaceId));
    const after = await workspaceView(tx, actor.workspaceId, false);
    await audit(tx, actor, 'workspace.updated', actor.workspaceId, before, after);
    return after;
  });
}
