import { and, asc, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { connections, routeTiers } from '../../db/schema';
import type { RouteConfig } from '../../gateway/ports';
import type { Actor } from '../actor';
import { connectionConfig } from '../connections/connection-config';
import { pricesAt } from '../prices/rows';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { tierConfigs } from '../tier-rows';
import { routeRow } from './rows';

/** The route as the engine takes it, for a test that walks it. Refuses `not_found`. */
export async function readRouteConfig(tenancy: Tenancy, actor: Actor, input: { id: string }): Promise<RouteConfig> {
  requireRole(actor, 'developer');
  const { workspaceId } = actor;
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const route = await routeRow(tx, workspaceId, input.id, false);
    const rows = await tx
      .select({ tier: routeTiers, connection: connections })
      .from(routeTiers)
      .innerJoin(connections, eq(connections.id, routeTiers.connectionId))
      .where(and(eq(routeTiers.workspaceId, workspaceId), eq(routeTiers.routeId, route.id)))
      .orderBy(asc(routeTiers.position), asc(routeTiers.candidate));
    const prices = await pricesAt(tx, workspaceId, rows.map(({ connection }) => connection.id));
    return {
      id: route.id,
      name: route.name,
      revision: route.revision,
      commit: route.commit,
      deadlineMs: route.deadlineMs,
      replayGeneration: route.replayGeneration,
      tiers: tierConfigs(
        rows.map(({ tier, connection }) => ({ ...tier, connection: connectionConfig(tenancy, connection, prices.get(connection.id) ?? []) })),
      ),
    };
  });
}
