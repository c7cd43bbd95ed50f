import { and, eq, sql } from 'drizzle-orm';
import { constraintViolated, type Tx } from '../../db';
import { routes, routeTiers, routeVersions } from '../../db/schema';
import type { RouteView, TierInput } from '../../management/schemas';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { actorName } from '../require-role';
import { resolveTiers } from '../resolve-tiers';
import { routeViewById } from './rows';

/** Every process keeps a workspace's routes in memory. */
export const MAX_ROUTES = 500;

/** Puts the tiers in place of those that the route has. */
export async function writeTiers(tx: Tx, workspaceId: string, routeId: string, tiers: TierInput[]): Promise<void> {
  const rows = await resolveTiers(tx, workspaceId, tiers);
  await tx.delete(routeTiers).where(and(eq(routeTiers.workspaceId, workspaceId), eq(routeTiers.routeId, routeId)));
  await tx.insert(routeTiers).values(rows.map((row) => ({ ...row, routeId })));
}

/** What a version remembers: connections by id, so that a later rename does not lose them. */
export interface RouteSnapshot {
  view: RouteView;
  /** Connection ids: one a tier, of an eco tier one a candidate. */
  connection_ids: string[];
}

/** Keeps the route as it is now under its revision, and returns it as the API shows it. */
export async function keepVersion(tx: Tx, actor: Actor, routeId: string): Promise<RouteView> {
  const view = await routeViewById(tx, actor.workspaceId, routeId);
  const tiers = await tx
    .select({ connectionId: routeTiers.connectionId })
    .from(routeTiers)
    .where(eq(routeTiers.routeId, routeId))
    .orderBy(routeTiers.position, routeTiers.candidate);
  const snapshot: RouteSnapshot = { view, connection_ids: tiers.map((tier) => tier.connectionId) };
  await tx.insert(routeVersions).values({
    workspaceId: actor.workspaceId,
    routeId,
    revision: view.revision,
    snapshot: { ...snapshot },
    createdBy: actorName(actor),
  });
  return view;
}

export async function requireRoomForRoute(tx: Tx): Promise<void> {
  const [row] = await tx.select({ n: sql<number>`count(*)::int` }).from(routes);
  if ((row?.n ?? 0) >= MAX_ROUTES) throw new Refusal('conflict', `A workspace may have ${MAX_ROUTES} routes. Remove one first.`);
}

/** A unique violation on the name, as the caller should read it; anything else goes on. */
export function routeNameTaken(error: unknown): never {
  if (!constraintViolated(error, 'routes_workspace_id_name_key')) throw error;
  throw new Refusal('conflict', 'A route of this name exists already.', [{ field: 'name', message: 'is taken' }]);
}
