import { and, eq, inArray, sql } from 'drizzle-orm';
import { withWorkspace, type Tx } from '../../db';
import { connections, routeVersions } from '../../db/schema';
import type { ListQuery, RouteVersionView } from '../../management/schemas';
import type { Actor } from '../actor';
import { pageOfIds, type PageOf } from '../paging';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { withConnections } from '../tier-rows';
import { routeRow } from './rows';
import type { RouteSnapshot } from './write-route';

type VersionRow = typeof routeVersions.$inferSelect;

/** A page of a route's versions, newest first; the present one leads. Refuses `not_found`. */
export async function listRouteVersions(tenancy: Tenancy, actor: Actor, query: ListQuery & { id: string }): Promise<PageOf<RouteVersionView>> {
  requireRole(actor, 'viewer');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    await routeRow(tx, actor.workspaceId, query.id, false);
    const ofRoute = and(eq(routeVersions.workspaceId, actor.workspaceId), eq(routeVersions.routeId, query.id));
    const { ids, ...page } = await pageOfIds(tx, {
      table: routeVersions,
      id: sql`${routeVersions.revision}::text`,
      order: { name: 'revision', by: sql`${routeVersions.revision}`, type: 'integer', descending: true },
      where: ofRoute,
      limit: query.limit,
      cursor: query.cursor,
    });
    const revisions = ids.map(Number);
    const rows = revisions.length === 0 ? [] : await tx.select().from(routeVersions).where(and(ofRoute, inArray(routeVersions.revision, revisions)));
    const data = (await versionViews(tx, rows)).sort((a, b) => b.revision - a.revision);
    return { ...page, data };
  });
}

/** One version with its connections by id. Null: never was. */
export async function findVersion(tx: Tx, workspaceId: string, routeId: string, revision: number): Promise<RouteSnapshot | null> {
  const [row] = await tx
    .select()
    .from(routeVersions)
    .where(and(eq(routeVersions.workspaceId, workspaceId), eq(routeVersions.routeId, routeId), eq(routeVersions.revision, revision)));
  return row === undefined ? null : snapshotOf(row);
}

/** Connections under their present names; one that is gone keeps the name that it had. */
async function versionViews(tx: Tx, rows: VersionRow[]): Promise<RouteVersionView[]> {
  const ids = [...new Set(rows.flatMap((row) => snapshotOf(row).connection_ids))];
  const known = ids.length === 0 ? [] : await tx.select({ id: connections.id, name: connections.name }).from(connections).where(inArray(connections.id, ids));
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return rows.map((row) => {
    const { view, connection_ids } = snapshotOf(row);
    return {
      revision: row.revision,
      created_at: row.createdAt.toISOString(),
      created_by: row.createdBy,
      name: view.name,
      commit: view.commit,
      deadline_ms: view.deadline_ms,
      tiers: withConnections(view.tiers, connection_ids, (id) => names.get(id)),
    };
  });
}

/** Written by keepVersion only. */
function snapshotOf(row: VersionRow): RouteSnapshot {
  return row.snapshot as unknown as RouteSnapshot;
}
