import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { managementKeys } from '../../db/schema';
import type { ManagementKeyView, NamedListQuery } from '../../management/schemas';
import type { Actor } from '../actor';
import { nameContains, pageOfIds, type PageOf } from '../paging';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { managementKeyView } from './rows';

/** A page of the management keys that are not revoked, by name. */
export async function listManagementKeys(tenancy: Tenancy, actor: Actor, query: NamedListQuery): Promise<PageOf<ManagementKeyView>> {
  requireRole(actor, 'admin');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const mine = and(eq(managementKeys.workspaceId, actor.workspaceId), isNull(managementKeys.revokedAt));
    const { ids, ...page } = await pageOfIds(tx, {
      table: managementKeys,
      id: sql`${managementKeys.id}`,
      order: { name: 'name', by: sql`${managementKeys.name} collate "C"`, type: 'text', descending: false },
      where: query.q ? and(mine, nameContains(sql`${managementKeys.name}`, query.q)) : mine,
      limit: query.limit,
      cursor: query.cursor,
    });
    const rows = ids.length === 0 ? [] : await tx.select().from(managementKeys).where(inArray(managementKeys.id, ids));
    const byId = new Map(rows.map((row) => [row.id, managementKeyView(row)]));
    return { ...page, data: ids.flatMap((id) => byId.get(id) ?? []) };
  });
}
