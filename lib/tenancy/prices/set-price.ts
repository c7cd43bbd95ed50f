import { and, eq, sql } from 'drizzle-orm';
import { withWorkspace, type Tx } from '../../db';
import { connectionPrices } from '../../db/schema';
import type { PriceSet, PriceView } from '../../management/schemas';
import { newId, Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { actorName, requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { connectionIdOf, MAX_PRICES, priceViewById } from './rows';

/**
 * States what a model costs at a connection from a moment on; a price of the same moment is replaced. Costs that are
 * booked already stay as they are. Refuses `invalid` (no such connection), `conflict` (too many).
 */
export async function setPrice(tenancy: Tenancy, actor: Actor, input: PriceSet): Promise<PriceView> {
  requireRole(actor, 'admin');
  const { workspaceId } = actor;
  const effectiveFrom = new Date(input.effective_from ?? tenancy.clock.now());
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const connectionId = await connectionIdOf(tx, workspaceId, input.connection);
    const known = await priceFrom(tx, connectionId, input.model, effectiveFrom);
    const before = known === null ? null : await priceViewById(tx, workspaceId, known);
    if (known === null) await requireRoom(tx);
    const rates = {
      input: input.input_nano_usd_per_million_tokens,
      output: input.output_nano_usd_per_million_tokens,
      cachedInput: input.cached_input_nano_usd_per_million_tokens,
      cacheWrite: input.cache_write_nano_usd_per_million_tokens,
    };
    const [written] = await tx
      .insert(connectionPrices)
      .values({ id: newId('price'), workspaceId, connectionId, model: input.model, effectiveFrom, ...rates, createdBy: actorName(actor) })
      .onConflictDoUpdate({ target: [connectionPrices.connectionId, connectionPrices.model, connectionPrices.effectiveFrom], set: rates })
      .returning({ id: connectionPrices.id });
    const view = await priceViewById(tx, workspaceId, written!.id);
    await audit(tx, actor, 'price.set', view.id, before, view);
    return view;
  });
}

async function priceFrom(tx: Tx, connectionId: string, model: string, from: Date): Promise<string | null> {
  const [row] = await tx
    .select({ id: connectionPrices.id })
    .from(connectionPrices)
    .where(and(eq(connectionPrices.connectionId, connectionId), eq(connectionPrices.model, model), eq(connectionPrices.effectiveFrom, from)))
    .for('update');
  return row?.id ?? null;
}

async function requireRoom(tx: Tx): Promise<void> {
  const [row] = await tx.select({ n: sql<number>`count(*)::int` }).from(connectionPrices);
  if ((row?.n ?? 0) >= MAX_PRICES) throw new Refusal('conflict', `A workspace may have ${MAX_PRICES} prices. Remove old ones first.`);
}
