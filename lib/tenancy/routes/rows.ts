import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import type { Tx } from '../../db';
import { connections, keys, routes, routeTiers } from '../../db/schema';
import type { RouteView, TierView } from '../../management/schemas';
import { Refusal } from '../../std';
import { tierViews } from '../tier-rows';

export type RouteRow = typeof routes.$inferSelect;

/** The route, locked until the transaction ends when it is about to change. Throws Refusal('not_found'). */
export async function routeRow(tx: Tx, workspaceId: string, id: string, lock: boolean): Promise<RouteRow> {
  const query = tx.select().from(routes).where(and(eq(routes.workspaceId, workspaceId), eq(routes.id, id)));
  const [row] = await (lock ? query.for('update') : query);
  if (row === undefined) throw new Refusal('not_found', 'There is no such route in this workspace.');
  return row;
}

/** Routes as the API shows them, in the order of the rows. */
export async function routeViews(tx: Tx, workspaceId: string, rows: RouteRow[]): Promise<RouteView[]> {
  const ids = rows.map((row) => row.id);
  const tiers = await tiersOf(tx, workspaceId, ids);
  const defaults = await keysWithDefault(tx, workspaceId, ids);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    commit: row.commit,
    deadline_ms: row.deadlineMs,
    tiers: tiers.get(row.id) ?? [],
    default_of_keys: defaults.get(row.id) ?? [],
    revision: row.revision,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }));
}

export async function routeViewById(tx: Tx, workspaceId: string, id: string): Promise<RouteView> {
  const [view] = await routeViews(tx, workspaceId, [await routeRow(tx, workspaceId, id, false)]);
  return view!;
}

/** Names of the keys whose default route it is, at most 100 a route. Revoked keys count no more. */
export async function keysWithDefault(tx: Tx, workspaceId: string, routeIds: string[]): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>(routeIds.map((id) => [id, []]));
  if (routeIds.length === 0) return names;
  const rows = await tx
    .select({ routeId: keys.defaultRouteId, name: keys.name })
    .from(keys)
    .where(and(eq(keys.workspaceId, workspaceId), inArray(keys.defaultRouteId, routeIds), isNull(keys.revokedAt)))
    .orderBy(asc(keys.name))
    .limit(100 * routeIds.length);
  for (const row of rows) {
    const list = names.get(row.routeId ?? '');
    if (list !== undefined && list.length < 100) list.push(row.name);
  }
  return names;
}

async function tiersOf(tx: Tx, workspaceId: string, routeIds: string[]): Promise<Map<string, TierView[]>> {
  if (routeIds.length === 0) return new Map();
  const rows = await tx
    .select({ tier: routeTiers, connection: connections.name })
    .from(routeTiers)
    .innerJoin(connections, eq(connections.id, routeTiers.connectionId))
    .where(and(eq(routeTiers.workspaceId, workspaceId), inArray(routeTiers.routeId, routeIds)))
    .orderBy(asc(routeTiers.routeId), asc(routeTiers.position), asc(routeTiers.candidate));
  return new Map(routeIds.map((id) => [id, tierViews(rows.filter(({ tier }) => tier.routeId === id))]));
}
