import { ABILITIES, type Ability } from '../providers/catalog';
import type { ListedModel } from './document';

export const ORDERS = ['catalog', 'input', 'output', 'context'] as const;
export type Order = (typeof ORDERS)[number];

export interface CatalogFilter {
  /** Words that all stand in a model's id, label or vendor. */
  q: string;
  /** Vendor id; empty: any. */
  vendor: string;
  /** All of them. */
  abilities: Ability[];
  /** Tokens that prompt and answer must have room for. */
  context: number;
  /** `input`, `output`: cheapest first; `context`: largest first; `catalog`: by vendor, as the vendor ranks them. */
  order: Order;
}

/** From an address's query: what cannot be read is left out. */
export function readFilter(query: Readonly<Record<string, string>>): CatalogFilter {
  const order = ORDERS.find((each) => each === query['order']) ?? 'catalog';
  const context = Number(query['context'] ?? 0);
  return {
    q: (query['q'] ?? '').slice(0, 100),
    vendor: query['vendor'] ?? '',
    abilities: ABILITIES.filter((ability) => query[ability] !== undefined),
    context: Number.isSafeInteger(context) && context > 0 ? context : 0,
    order,
  };
}

/** The models that fit, in the order asked for; ties, and models without the figure, stay in the catalog's order, the latter at the end. */
export function filterModels(models: readonly ListedModel[], filter: CatalogFilter): ListedModel[] {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = models.filter((model) => {
    const text = `${model.id} ${model.label} ${model.vendor.label}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (filter.vendor === '' || model.vendor.id === filter.vendor) &&
      filter.abilities.every((ability) => model.abilities.includes(ability)) &&
      model.context_tokens >= filter.context
    );
  });
  const figure = FIGURES[filter.order];
  return figure === null ? fitting : fitting.sort((a, b) => figure(a) - figure(b));
}

const FIGURES: Record<Order, ((model: ListedModel) => number) | null> = {
  catalog: null,
  input: ({ price }) => price?.input_nano_usd_per_million_tokens ?? Number.MAX_VALUE,
  output: ({ price }) => price?.output_nano_usd_per_million_tokens ?? Number.MAX_VALUE,
  context: ({ context_tokens }) => -context_tokens,
};
