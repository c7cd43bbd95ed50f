import { and, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { routes } from '../../db/schema';
import type { RouteUpdate, RouteView } from '../../management/schemas';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { requireRole } from '../require-role';
import { requireRevision } from '../revision';
import type { Tenancy } from '../tenancy';
import { routeRow, routeViews } from './rows';
import { keepVersion, routeNameTaken, writeTiers } from './write-route';

/** Edits a route; `tiers` is replaced whole. Refuses `invalid`, `not_found`, `stale`, `conflict` (name taken). */
export async function updateRoute(
  tenancy: Tenancy,
  actor: Actor,
  input: { id: string; revision: number; change: RouteUpdate },
  action: 'route.updated' | 'route.restored' = 'route.updated',
): Promise<RouteView> {
  requireRole(actor, 'admin');
  const { id, change } = input;
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const old = await routeRow(tx, actor.workspaceId, id, true);
    requireRevision(old.revision, input.revision);
    const [before] = await routeViews(tx, actor.workspaceId, [old]);
    await tx
      .update(routes)
      .set({
        name: change.name ?? old.name,
        commit: change.commit ?? old.commit,
        deadlineMs: change.deadline_ms ?? old.deadlineMs,
        revision: old.revision + 1,
        updatedAt: new Date(tenancy.clock.now()),
      })
      .where(and(eq(routes.workspaceId, actor.workspaceId), eq(routes.id, id)));
    if (change.tiers !== undefined) await writeTiers(tx, actor.workspaceId, id, change.tiers);
    const view = await keepVersion(tx, actor, id);
    await audit(tx, actor, action, id, before, view);
    return view;
  }).catch(routeNameTaken);
}
