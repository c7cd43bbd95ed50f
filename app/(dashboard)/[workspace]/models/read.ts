import { catalogDocument, type ListedModel } from '@/lib/catalog';
import type { ConnectionView, PriceView } from '@/lib/management/schemas';
import { servingConnections } from '@/lib/routing';
import { listConnections, type Actor, type Tenancy } from '@/lib/tenancy';
import { listPrices } from '@/lib/tenancy/prices';
import { everyPage } from '../_components/every-page';

/** A catalog model that this workspace can name, and what it costs there. */
export interface UsableModel {
  model: ListedModel;
  connection: ConnectionView;
  /** The workspace's own price in force; null: the list's holds. */
  own: PriceView | null;
}

export interface WorkspaceModels {
  usable: UsableModel[];
  /** All that the workspace states, also those to come and those that are over. */
  prices: PriceView[];
  connections: ConnectionView[];
}

export async function workspaceModels(tenancy: Tenancy, actor: Actor, nowMs: number): Promise<WorkspaceModels> {
  const [connections, prices] = await Promise.all([
    everyPage((page) => listConnections(tenancy, actor, page)),
    everyPage((page) => listPrices(tenancy, actor, page)),
  ]);
  const serving = servingConnections(connections);
  const usable = catalogDocument(nowMs).data.flatMap((model) => {
    const connection = serving.get(model.vendor.id);
    return connection === undefined ? [] : [{ model, connection, own: inForce(prices, connection.name, model.vendor_model, nowMs) }];
  });
  return { usable, prices, connections };
}

/** The newest that has begun. */
export function inForce(prices: readonly PriceView[], connection: string, model: string, nowMs: number): PriceView | null {
  let newest: PriceView | null = null;
  for (const price of prices) {
    if (price.connection !== connection || price.model !== model || Date.parse(price.effective_from) > nowMs) continue;
    if (newest === null || price.effective_from > newest.effective_from) newest = price;
  }
  return newest;
}
