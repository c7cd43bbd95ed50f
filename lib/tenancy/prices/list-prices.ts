import { and, eq, sql } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { connectionPrices, connections } from '../../db/schema';
import type { PriceListQuery, PriceView } from '../../management/schemas';
import type { Actor } from '../actor';
import { pageOfIds, type PageOf } from '../paging';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { priceViews } from './rows';

/** A page of the prices that the workspace states, by model. */
export async function listPrices(tenancy: Tenancy, actor: Actor, query: PriceListQuery): Promise<PageOf<PriceView>> {
  requireRole(actor, 'viewer');
  const { workspaceId } = actor;
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const { ids, ...page } = await pageOfIds(tx, {
      table: connectionPrices,
      id: sql`${connectionPrices.id}`,
      order: { name: 'model', by: sql`${connectionPrices.model} collate "C"`, type: 'text', descending: false },
      where: and(
        eq(connectionPrices.workspaceId, workspaceId),
        query.model === undefined ? undefined : eq(connectionPrices.model, query.model),
        query.connection === undefined
          ? undefined
          : sql`${connectionPrices.connectionId} in (select ${connections.id} from ${connections} where ${connections.id} = ${query.connection} or ${connections.name} = ${query.connection})`,
      ),
      limit: query.limit,
      cursor: query.cursor,
    });
    return { ...page, data: await priceViews(tx, workspaceId, ids) };
  });
}
