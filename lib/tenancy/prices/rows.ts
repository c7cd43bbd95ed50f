import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Tx } from '../../db';
import { connectionPrices, connections } from '../../db/schema';
import type { WorkspacePrice } from '../../gateway/ports';
import type { PriceView } from '../../management/schemas';
import { Refusal } from '../../std';

type PriceRow = typeof connectionPrices.$inferSelect;

/** Every process keeps a workspace's prices in memory. */
export const MAX_PRICES = 2_000;

/** Prices as the API shows them, in the order of the ids. */
export async function priceViews(tx: Tx, workspaceId: string, ids: string[]): Promise<PriceView[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select({ price: connectionPrices, connection: connections.name })
    .from(connectionPrices)
    .innerJoin(connections, eq(connections.id, connectionPrices.connectionId))
    .where(and(eq(connectionPrices.workspaceId, workspaceId), inArray(connectionPrices.id, ids)));
  const byId = new Map(rows.map(({ price, connection }) => [price.id, priceView(price, connection)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Throws Refusal('not_found'). */
export async function priceViewById(tx: Tx, workspaceId: string, id: string): Promise<PriceView> {
  const [view] = await priceViews(tx, workspaceId, [id]);
  if (view === undefined) throw new Refusal('not_found', 'There is no such price in this workspace.');
  return view;
}

/** Id of the connection that a name or id means. Throws Refusal('invalid') on `connection`. */
export async function connectionIdOf(tx: Tx, workspaceId: string, reference: string): Promise<string> {
  const found = await tx
    .select({ id: connections.id })
    .from(connections)
    .where(and(eq(connections.workspaceId, workspaceId), sql`(${connections.id} = ${reference} or ${connections.name} = ${reference})`))
    .orderBy(sql`(${connections.id} = ${reference}) desc`)
    .limit(1)
    .for('key share'); // stays until the price that points to it is there
  if (found[0] !== undefined) return found[0].id;
  const message = `there is no connection "${reference}" in this workspace`;
  throw new Refusal('invalid', `connection: ${message}.`, [{ field: 'connection', message }]);
}

/** The prices of connections as the engine takes them, the newest of each model first. */
export async function pricesAt(tx: Tx, workspaceId: string, connectionIds: string[]): Promise<Map<string, WorkspacePrice[]>> {
  const prices = new Map<string, WorkspacePrice[]>(connectionIds.map((id) => [id, []]));
  if (connectionIds.length === 0) return prices;
  const rows = await tx
    .select()
    .from(connectionPrices)
    .where(and(eq(connectionPrices.workspaceId, workspaceId), inArray(connectionPrices.connectionId, connectionIds)))
    .orderBy(connectionPrices.model, sql`${connectionPrices.effectiveFrom} desc`);
  for (const { id, connectionId, model, effectiveFrom, input, output, cachedInput, cacheWrite } of rows) {
    prices.get(connectionId)?.push({ id, model, fromMs: effectiveFrom.getTime(), input, output, cachedInput, cacheWrite });
  }
  return prices;
}

function priceView(row: PriceRow, connection: string): PriceView {
  return {
    id: row.id,
    connection,
    model: row.model,
    effective_from: row.effectiveFrom.toISOString(),
    input_nano_usd_per_million_tokens: row.input,
    output_nano_usd_per_million_tokens: row.output,
    cached_input_nano_usd_per_million_tokens: row.cachedInput,
    cache_write_nano_usd_per_million_tokens: row.cacheWrite,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
  };
}
