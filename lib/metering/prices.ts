import { calcPrice, findProvider, type ModelInfo, type ModelPrice } from '@pydantic/genai-prices';
import type { Prices } from '../gateway/ports';
import { priceSource, thinksByName } from '../providers';
import type { UsageRow } from './call-row';
import type { Log } from './log';

/** The catalog that prices come from. A test compares it with the installed package. */
export const PRICE_VERSION = '@pydantic/genai-prices@0.1.8';

/** Looks a model up in a price list; null when it is not on it. May throw when the list is damaged. */
export type PriceCatalog = (provider: string, model: string) => ModelInfo | null;

/**
 * Prices of calls. Rates are looked up and turned from the catalog's floats into whole pico-USD a token once per
 * provider and model; a call then costs a few multiplications of integers and one rounding, to nano-USD.
 *
 * Unknown is null, never 0: a model that is not on its provider's list, a `custom` provider, a rate that is
 * missing for something that was used, damaged data, figures that contradict each other (more cached than
 * prompt tokens). What usage does not tell apart (audio, images, searches) is charged at the text rate or not
 * at all, as the catalog's own calculation would do with the same figures.
 */
export function createPrices({ catalog = packagedCatalog, log }: { catalog?: PriceCatalog; log?: Log } = {}): Prices {
  const known = new Map<string, Map<string, PricePeriod[] | null>>();
  const thinking = new Map<string, boolean>();

  function periods(provider: string, model: string): PricePeriod[] | null {
    let models = known.get(provider);
    if (!models) known.set(provider, (models = new Map()));
    let found = models.get(model);
    if (found === undefined) {
      if (models.size >= MOST_MODELS) models.clear();
      models.set(model, (found = lookUp(provider, model)));
    }
    return found;
  }

  function lookUp(provider: string, model: string): PricePeriod[] | null {
    try {
      const info = catalog(provider, model);
      return info && pricePeriods(info);
    } catch (error) {
      log?.error({ provider, model, reason: String((error as Error)?.message ?? error) }, 'the price of a model cannot be read; its calls are unpriced');
      return null;
    }
  }

  return {
    cost(preset, model, usage, atMs) {
      const source = priceSource(preset);
      if (source === null) return null;
      if (source.kind === 'stated') return { nanoUsd: 0, version: source.version };
      const rates = periods(source.provider, model)?.find((period) => holds(period.constraint, atMs))?.rates;
      const nanoUsd = rates ? costOf(rates, usage) : null;
      return nanoUsd === null ? null : { nanoUsd, version: PRICE_VERSION };
    },
    maxOutputTokens: () => null,
    thinks(_preset, model) {
      let answer = thinking.get(model);
      if (answer === undefined) {
        if (thinking.size >= MOST_MODELS) thinking.clear();
        thinking.set(model, (answer = thinksByName(model)));
      }
      return answer;
    },
  };
}

/** Bound on what is remembered per provider: model names come from tenants. */
const MOST_MODELS = 2_000;

/** Whole pico-USD (1e-12) a token: $1 a million tokens is 1,000,000. */
interface Rate {
  base: number;
  /** Rates for the whole request once its prompt has more than `above` tokens; ascending. */
  steps: { above: number; rate: number }[];
}

interface Rates {
  input: Rate | null;
  output: Rate | null;
  cacheRead: Rate | null;
  cacheWrite: Rate | null;
  reasoning: Rate | null;
  /** Pico-USD for each request. */
  request: number;
}

/** The one that holds first wins. */
interface PricePeriod {
  constraint: Constraint | null;
  rates: Rates;
}

type Constraint = { kind: 'from'; atMs: number } | { kind: 'daily'; fromMs: number; toMs: number };

const DAY_MS = 86_400_000;

function packagedCatalog(provider: string, model: string): ModelInfo | null {
  // By exact id: the package would also accept names that merely contain a provider's.
  if (findProvider({ providerId: provider })?.id !== provider) return null;
  return calcPrice({}, model, { providerId: provider })?.model ?? null;
}

/** The catalog lists periods oldest first and lets the last one that holds win; the first is also the fallback. */
function pricePeriods({ prices }: ModelInfo): PricePeriod[] {
  if (!Array.isArray(prices)) return [{ constraint: null, rates: readRates(prices) }];
  const periods = prices.map(({ constraint, prices: rates }): PricePeriod => ({ constraint: constraint ? readConstraint(constraint) : null, rates: readRates(rates) }));
  const fallback = periods[0];
  return fallback ? [...periods.reverse(), { constraint: null, rates: fallback.rates }] : [];
}

type CatalogConstraint = { type?: string; start_date?: string; start_time?: string; end_time?: string };

function readConstraint({ type, start_date, start_time, end_time }: CatalogConstraint): Constraint {
  if (type === 'start_date' && start_date) return { kind: 'from', atMs: valid(Date.parse(start_date)) };
  if (type === 'time_of_date' && start_time && end_time) return { kind: 'daily', fromMs: timeOfDay(start_time), toMs: timeOfDay(end_time) };
  throw new Error(`unknown price constraint: ${String(type)}`);
}

function timeOfDay(time: string): number {
  const atMs = valid(Date.parse(`1970-01-01T${time}`));
  return ((atMs % DAY_MS) + DAY_MS) % DAY_MS;
}

function holds(constraint: Constraint | null, atMs: number): boolean {
  if (constraint === null) return true;
  if (constraint.kind === 'from') return atMs >= constraint.atMs;
  const { fromMs, toMs } = constraint;
  const time = atMs % DAY_MS;
  return toMs < fromMs ? time >= fromMs || time < toMs : time >= fromMs && time < toMs;
}

function readRates(prices: ModelPrice): Rates {
  return {
    input: readRate(prices.input_mtok),
    output: readRate(prices.output_mtok),
    cacheRead: readRate(prices.cache_read_mtok),
    cacheWrite: readRate(prices.cache_write_mtok),
    reasoning: readRate(prices.output_reasoning_mtok),
    request: prices.requests_kcount === undefined ? 0 : picoUsd(prices.requests_kcount, 1e9),
  };
}

function readRate(price: ModelPrice[string]): Rate | null {
  if (price === undefined) return null;
  if (typeof price === 'number') return { base: picoUsd(price, 1e6), steps: [] };
  const steps = price.tiers.map(({ start, price: above }) => ({ above: valid(start), rate: picoUsd(above, 1e6) }));
  return { base: picoUsd(price.base, 1e6), steps: steps.sort((a, b) => a.above - b.above) };
}

/** The one place where a float becomes an integer. */
function picoUsd(price: unknown, scale: number): number {
  if (typeof price !== 'number' || price < 0) throw new Error(`no price: ${JSON.stringify(price)}`);
  return valid(Math.round(price * scale));
}

function valid(value: number): number {
  if (!Number.isSafeInteger(value)) throw new Error(`no whole number: ${value}`);
  return value;
}

/** Cached and cache-write tokens are part of the prompt, reasoning tokens of the completion; each has its own rate. */
function costOf(rates: Rates, usage: UsageRow): number | null {
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  if (!isCount(prompt) || !isCount(completion)) return null;
  const cached = usage.cached_tokens ?? 0;
  const written = usage.cache_write_tokens ?? 0;
  const reasoning = usage.reasoning_tokens ?? 0;
  if (!isCount(cached) || !isCount(written) || !isCount(reasoning)) return null;
  if (cached + written > prompt || reasoning > completion) return null;

  const parts: (number | null)[] = [
    charge(prompt - cached - written, rates.input, prompt),
    charge(cached, rates.cacheRead ?? rates.input, prompt),
    charge(written, rates.cacheWrite ?? rates.input, prompt),
    charge(completion - reasoning, rates.output, prompt),
    charge(reasoning, rates.reasoning ?? rates.output, prompt),
  ];
  let pico = rates.request;
  for (const part of parts) {
    if (part === null) return null;
    pico += part;
  }
  return Number.isSafeInteger(pico) ? Math.round(pico / 1000) : null;
}

/** Null: tokens were used that have no rate. */
function charge(tokens: number, rate: Rate | null, promptTokens: number): number | null {
  if (tokens === 0) return 0;
  if (rate === null) return null;
  let price = rate.base;
  for (const step of rate.steps) if (promptTokens > step.above) price = step.rate;
  return tokens * price;
}

function isCount(value: number | null): value is number {
  return value !== null && Number.isSafeInteger(value) && value >= 0;
}
