import { withWorkspace } from '../../db';
import type { RouteView } from '../../management/schemas';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { withConnections } from '../tier-rows';
import { findVersion } from './list-route-versions';
import { routeRow } from './rows';
import { updateRoute } from './update-route';

/**
 * Brings back what a route was at a revision, as a new revision. Connections are found by id, whatever they
 * are called now. Refuses `invalid` (no such version, a connection is gone), `not_found`, `stale`, `conflict`.
 */
export async function restoreRoute(
  tenancy: Tenancy,
  actor: Actor,
  input: { id: string; revision: number; version: number },
): Promise<RouteView> {
  requireRole(actor, 'admin');
  const snapshot = await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    await routeRow(tx, actor.workspaceId, input.id, false);
    return await findVersion(tx, actor.workspaceId, input.id, input.version);
  });
  if (snapshot === null) {
    throw new Refusal('invalid', `revision: this route has no version ${input.version}.`, [{ field: 'revision', message: 'is no version of this route' }]);
  }
  const { name, commit, deadline_ms, tiers } = snapshot.view;
  const change = {
    name,
    commit,
    deadline_ms,
    tiers: withConnections(tiers, snapshot.connection_ids, (id) => id || undefined),
  };
  return await updateRoute(tenancy, actor, { id: input.id, revision: input.revision, change }, 'route.restored');
}
