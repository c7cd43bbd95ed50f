import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Tx } from '../../db';
import { connections, keys, keyTiers, routes, routeTiers } from '../../db/schema';
import type { ConnectionView } from '../../management/schemas';
import { Refusal } from '../../std';

export type ConnectionRow = typeof connections.$inferSelect;

/** The connection, locked until the transaction ends when it is about to change. Throws Refusal('not_found'). */
export async function connectionRow(tx: Tx, workspaceId: string, id: string, lock: boolean): Promise<ConnectionRow> {
  const query = tx.select().from(connections).where(and(eq(connections.workspaceId, workspaceId), eq(connections.id, id)));
  const [row] = await (lock ? query.for('update') : query);
  if (row === undefined) throw new Refusal('not_found', 'There is no such connection in this workspace.');
  return row;
}

/** Names of the routes that have each of these connections in a tier, sorted. */
export async function routesUsing(tx: Tx, workspaceId: string, ids: string[]): Promise<Map<string, string[]>> {
  const using = new Map<string, string[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return using;
  const rows = await tx
    .selectDistinct({ id: routeTiers.connectionId, name: routes.name })
    .from(routeTiers)
    .innerJoin(routes, eq(routes.id, routeTiers.routeId))
    .where(and(eq(routeTiers.workspaceId, workspaceId), inArray(routeTiers.connectionId, ids)))
    .orderBy(asc(routes.name));
  for (const row of rows) using.get(row.id)?.push(row.name);
  return using;
}

/** Names of the keys that carry a private route over this connection. */
export async function keysUsing(tx: Tx, workspaceId: string, id: string): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ name: keys.name })
    .from(keyTiers)
    .innerJoin(keys, eq(keys.id, keyTiers.keyId))
    .where(and(eq(keyTiers.workspaceId, workspaceId), eq(keyTiers.connectionId, id)))
    .orderBy(asc(keys.name))
    .limit(100);
  return rows.map((row) => row.name);
}

export function connectionView(row: ConnectionRow, usedByRoutes: string[]): ConnectionView {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    wire: row.wire,
    provider: row.provider,
    base_url: row.kind === 'sandbox' ? null : row.baseUrl,
    has_api_key: row.apiKeySealed !== null,
    api_key_last4: row.apiKeyLast4,
    used_by_routes: usedByRoutes,
    revision: row.revision,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
