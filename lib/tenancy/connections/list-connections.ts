import { and, eq, inArray, sql } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { connections } from '../../db/schema';
import type { ConnectionView, NamedListQuery } from '../../management/schemas';
import type { Actor } from '../actor';
import type { Tenancy } from '../tenancy';
import { nameContains, pageOfIds, type PageOf } from '../paging';
import { requireRole } from '../require-role';
import { connectionView, routesUsing } from './rows';

/** A page of connections by name. */
export async function listConnections(tenancy: Tenancy, actor: Actor, query: NamedListQuery): Promise<PageOf<ConnectionView>> {
  requireRole(actor, 'viewer');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const mine = eq(connections.workspaceId, actor.workspaceId);
    const { ids, ...page } = await pageOfIds(tx, {
      table: connections,
      id: sql`${connections.id}`,
      order: { name: 'name', by: sql`${connections.name} collate "C"`, type: 'text', descending: false },
      where: query.q ? and(mine, nameContains(sql`${connections.name}`, query.q)) : mine,
      limit: query.limit,
      cursor: query.cursor,
    });
    const rows = ids.length === 0 ? [] : await tx.select().from(connections).where(inArray(connections.id, ids));
    const using = await routesUsing(tx, actor.workspaceId, ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const data = ids.flatMap((id) => {
      const row = byId.get(id);
      return row === undefined ? [] : [connectionView(row, using.get(id) ?? [])];
    });
    return { ...page, data };
  });
}
