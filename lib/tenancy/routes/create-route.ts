import { withWorkspace } from '../../db';
import { routes } from '../../db/schema';
import type { RouteCreate, RouteView } from '../../management/schemas';
import { newId } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { keepVersion, requireRoomForRoute, routeNameTaken, writeTiers } from './write-route';

/** Adds a route. Refuses `invalid` (a tier), `conflict` (name taken, too many). */
export async function createRoute(tenancy: Tenancy, actor: Actor, input: RouteCreate): Promise<RouteView> {
  requireRole(actor, 'admin');
  const id = newId('route');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    await requireRoomForRoute(tx);
    await tx.insert(routes).values({ id, workspaceId: actor.workspaceId, name: input.name, commit: input.commit, deadlineMs: input.deadline_ms });
    await writeTiers(tx, actor.workspaceId, id, input.tiers);
    const view = await keepVersion(tx, actor, id);
    await audit(tx, actor, 'route.created', id, null, view);
    return view;
  }).catch(routeNameTaken);
}
