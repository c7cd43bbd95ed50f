import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { keys } from '../../db/schema';
import type { KeyListQuery, KeyState, KeyView } from '../../management/schemas';
import type { Actor } from '../actor';
import { nameContains, pageOfIds, type Order, type PageOf } from '../paging';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { keyViews } from './rows';

/** A page of the keys that are not revoked: searched by name or by the end of the token, filtered, sorted. */
export async function listKeys(tenancy: Tenancy, actor: Actor, query: KeyListQuery): Promise<PageOf<KeyView>> {
  requireRole(actor, 'viewer');
  const { workspaceId } = actor;
  const nowMs = tenancy.clock.now();
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const { ids, ...page } = await pageOfIds(tx, {
      table: keys,
      id: sql`${keys.id}`,
      order: ORDERS[query.sort],
      where: and(eq(keys.workspaceId, workspaceId), isNull(keys.revokedAt), searched(query.q), inState(query.state, new Date(nowMs))),
      limit: query.limit,
      cursor: query.cursor,
    });
    const rows = ids.length === 0 ? [] : await tx.select().from(keys).where(inArray(keys.id, ids));
    const byId = new Map((await keyViews(tx, workspaceId, rows, nowMs)).map((view) => [view.id, view]));
    return { ...page, data: ids.flatMap((id) => byId.get(id) ?? []) };
  });
}

/** Names of keys for the ledger's pages, revoked ones included. */
export async function keyNames(tenancy: Tenancy, actor: Actor, ids: string[]): Promise<Map<string, { name: string; revoked: boolean }>> {
  requireRole(actor, 'viewer');
  if (ids.length === 0) return new Map();
  const rows = await withWorkspace(tenancy.db, actor.workspaceId, (tx) =>
    tx
      .select({ id: keys.id, name: keys.name, revokedAt: keys.revokedAt })
      .from(keys)
      .where(and(eq(keys.workspaceId, actor.workspaceId), inArray(keys.id, ids))),
  );
  return new Map(rows.map((row) => [row.id, { name: row.name, revoked: row.revokedAt !== null }]));
}

/** What has no such moment comes last: a far end stands in for it. */
const ORDERS: Record<KeyListQuery['sort'], Order> = {
  created: { name: 'created', by: sql`${keys.createdAt}`, type: 'timestamptz', descending: true },
  name: { name: 'name', by: sql`${keys.name} collate "C"`, type: 'text', descending: false },
  last_used: { name: 'last_used', by: sql`coalesce(${keys.lastUsedAt}, '0001-01-01 00:00:00+00')`, type: 'timestamptz', descending: true },
  expires: { name: 'expires', by: sql`coalesce(${keys.expiresAt}, '9999-12-31 23:59:59+00')`, type: 'timestamptz', descending: false },
};

function searched(text: string | undefined): SQL | undefined {
  if (text === undefined || text === '') return undefined;
  return sql`(${nameContains(sql`${keys.name}`, text)} or ${keys.last4} = ${text.slice(-4)} and ${text.length} >= 4)`;
}

function inState(state: KeyState | undefined, now: Date): SQL | undefined {
  const at = sql`${now.toISOString()}::timestamptz`;
  if (state === 'disabled') return sql`${keys.disabledAt} is not null`;
  if (state === 'expired') return sql`${keys.disabledAt} is null and ${keys.expiresAt} <= ${at}`;
  if (state === 'active') return sql`${keys.disabledAt} is null and (${keys.expiresAt} is null or ${keys.expiresAt} > ${at})`;
  return undefined;
}
