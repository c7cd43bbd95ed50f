import { presets } from '../presets';
import { MODELS } from './models';

/** What a request may need and a model may not have. */
export const ABILITIES = ['tools', 'images', 'pdf', 'audio', 'json_schema', 'reasoning'] as const;
export type Ability = (typeof ABILITIES)[number];

/** A chat model that a client can name without saying which connection serves it. */
export interface CatalogModel {
  /**
   * What a client writes: a vendor's own models have the vendor's name for them, and open models the host's id before
   * it, since several hosts serve the same one (`groq/openai/gpt-oss-120b`).
   */
  id: string;
  label: string;
  /** Whose account it takes: the `catalog` of a preset. */
  vendor: string;
  /** What the vendor calls it, and what is sent upstream. */
  model: string;
  /** Prompt and answer together, tokens. */
  contextTokens: number;
  /** The longest answer, tokens. */
  maxOutputTokens: number;
  abilities: ReadonlySet<Ability>;
  /** It reasons before every answer, not only when it is asked to: its first content may be minutes away. */
  thinks: boolean;
  /** Day (ISO 8601) from which the vendor says that it answers no more; null where it has said nothing. */
  retires: string | null;
}

/** Every model that a connection of some preset can serve, by vendor and then as the vendor ranks them. */
export const catalog: readonly CatalogModel[] = MODELS.filter(({ vendor }) => presets.some((preset) => preset.catalog === vendor));

/** The model that a client means by this id, and its name upstream: a dated snapshot is asked for as it was written. */
export function catalogModel(id: string): { entry: CatalogModel; model: string } | null {
  const entry = byId.get(id);
  if (entry !== undefined) return { entry, model: entry.model };
  const dated = SNAPSHOT.exec(id);
  const base = dated === null ? undefined : byId.get(id.slice(0, dated.index));
  return base === undefined ? null : { entry: base, model: base.model + dated![0] };
}

/** Whose models a connection of this preset serves; null where there is no saying. */
export const catalogVendor = (preset: string): string | null => vendors.get(preset) ?? null;

/** The models that a connection of this preset serves by their catalog names. */
export const catalogModelsOf = (preset: string): readonly CatalogModel[] => byVendor.get(vendors.get(preset) ?? '') ?? NONE;

/** What is known of a model by the name that is sent upstream, dated snapshots included; null where nothing is. */
export function modelFacts(preset: string, model: string): CatalogModel | null {
  const vendor = vendors.get(preset);
  if (vendor === undefined || vendor === null) return null;
  return byName.get(`${vendor} ${model}`) ?? byName.get(`${vendor} ${model.replace(SNAPSHOT, '')}`) ?? null;
}

/** `-20250929`, `-2025-08-07`. */
const SNAPSHOT = /-\d{4}-?\d{2}-?\d{2}$/;

const NONE: readonly CatalogModel[] = [];
const byId = new Map(catalog.map((entry) => [entry.id, entry]));
const byName = new Map(catalog.map((entry) => [`${entry.vendor} ${entry.model}`, entry]));
const vendors = new Map(presets.map((preset) => [preset.id, preset.catalog]));
const byVendor = new Map([...new Set(vendors.values())].flatMap((vendor) => (vendor === null ? [] : [[vendor, catalog.filter((entry) => entry.vendor === vendor)]])));
