import { and, eq, inArray, sql } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { routes } from '../../db/schema';
import type { NamedListQuery, RouteView } from '../../management/schemas';
import type { Actor } from '../actor';
import { nameContains, pageOfIds, type PageOf } from '../paging';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { routeViews } from './rows';

/** A page of routes by name, with their tiers. */
export async function listRoutes(tenancy: Tenancy, actor: Actor, query: NamedListQuery): Promise<PageOf<RouteView>> {
  requireRole(actor, 'viewer');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const mine = eq(routes.workspaceId, actor.workspaceId);
    const { ids, ...page } = await pageOfIds(tx, {
      table: routes,
      id: sql`${routes.id}`,
      order: { name: 'name', by: sql`${routes.name} collate "C"`, type: 'text', descending: false },
      where: query.q ? and(mine, nameContains(sql`${routes.name}`, query.q)) : mine,
      limit: query.limit,
      cursor: query.cursor,
    });
    const rows = ids.length === 0 ? [] : await tx.select().from(routes).where(inArray(routes.id, ids));
    const byId = new Map((await routeViews(tx, actor.workspaceId, rows)).map((view) => [view.id, view]));
    return { ...page, data: ids.flatMap((id) => byId.get(id) ?? []) };
  });
}
