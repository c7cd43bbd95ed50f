import { withWorkspace } from '../../db';
import type { RouteView } from '../../management/schemas';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { routeViewById } from './rows';

/** One route with its tiers. Refuses `not_found`. */
export async function getRoute(tenancy: Tenancy, actor: Actor, input: { id: string }): Promise<RouteView> {
  requireRole(actor, 'viewer');
  return await withWorkspace(tenancy.db, actor.workspaceId, (tx) => routeViewById(tx, actor.workspaceId, input.id));
}
