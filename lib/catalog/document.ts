import { listedPrice, type ListedPrice } from '../metering';
import { presets } from '../providers';
import { ABILITIES, type Ability, catalog, type CatalogModel } from '../providers/catalog';

/** One model as `GET /v1/public/models` lists it. */
export interface ListedModel {
  /** What a client writes as `model`, with a key that allows direct models. */
  id: string;
  label: string;
  vendor: { id: string; label: string };
  /** Presets (`provider` of a connection) that serve it by this id. */
  presets: string[];
  /** What the vendor calls it: `<connection>/<vendor_model>` names it at one connection. */
  vendor_model: string;
  /** Prompt and answer together. */
  context_tokens: number;
  max_output_tokens: number;
  abilities: Ability[];
  /** It reasons before every answer: the default time-outs are longer. */
  thinks: boolean;
  /** Day from which the vendor says that it answers no more. */
  retires: string | null;
  /** Null: no price list knows it, and its calls have no cost unless the workspace states one. */
  price: ListedPrice | null;
}

export interface CatalogDocument {
  schema_version: 1;
  generated_at: string;
  currency: 'USD';
  abilities: readonly Ability[];
  data: ListedModel[];
}

/** Within 60 days, or past: whoever asks for the model should look for another one. */
export const retiresSoon = (retires: string, nowMs: number): boolean => Date.parse(retires) - nowMs < 60 * 86_400_000;

/** The catalog with the prices of a moment. Made anew at most once a minute: prices change by the day, or by the hour. */
export function catalogDocument(nowMs: number): CatalogDocument {
  if (made === null || nowMs - made.atMs >= KEPT_MS || nowMs < made.atMs) made = { atMs: nowMs, document: document(nowMs) };
  return made.document;
}

const KEPT_MS = 60_000;
let made: { atMs: number; document: CatalogDocument } | null = null;

const document = (nowMs: number): CatalogDocument => ({
  schema_version: 1,
  generated_at: new Date(nowMs).toISOString(),
  currency: 'USD',
  abilities: ABILITIES,
  data: catalog.map((model) => listedModel(model, nowMs)),
});

function listedModel(model: CatalogModel, nowMs: number): ListedModel {
  const serving = presets.filter((preset) => preset.catalog === model.vendor);
  const first = serving[0]!; // the catalog holds only models that some preset serves
  return {
    id: model.id,
    label: model.label,
    vendor: { id: model.vendor, label: first.label },
    presets: serving.map(({ id }) => id),
    vendor_model: model.model,
    context_tokens: model.contextTokens,
    max_output_tokens: model.maxOutputTokens,
    abilities: ABILITIES.filter((ability) => model.abilities.has(ability)),
    thinks: model.thinks,
    retires: model.retires,
    price: listedPrice(first.id, model.model, nowMs),
  };
}
