import { calcPrice, findProvider, type ModelInfo, type ModelPrice } from '@pydantic/genai-prices';
import { STATED_PRICES, STATED_PRICES_VERSION } from '../providers/catalog';
import { type Constraint, DAY_MS, type PricePeriod, type Rate, type Rates } from './rates';

/** The price list that is installed. A test compares it with the package. */
export const PRICE_VERSION = '@pydantic/genai-prices@0.1.8';

/** A model's rates and the list that they are from. */
export interface Listed {
  version: string;
  /** The one that holds first wins. */
  periods: PricePeriod[];
}

/** Looks a model up in the packaged list; null when it is not on it. May throw when the list is damaged. */
export type PriceList = (provider: string, model: string) => ModelInfo | null;

/** From the packaged list, else from our own of what that one lacks; null when neither knows the model. */
export function listed(list: PriceList, provider: string, model: string): Listed | null {
  const info = list(provider, model);
  if (info !== null) return { version: PRICE_VERSION, periods: pricePeriods(info) };
  const stated = STATED_PRICES.find((entry) => entry.list === provider && entry.model === model);
  if (stated === undefined) return null;
  const { input, output, cached, from } = stated;
  const rates = readRates({ input_mtok: input, output_mtok: output, cache_read_mtok: cached ?? undefined });
  return { version: STATED_PRICES_VERSION, periods: [{ constraint: { kind: 'from', atMs: Date.parse(from) }, rates }] };
}

export function packagedList(provider: string, model: string): ModelInfo | null {
  // By exact id: the package would also accept names that merely contain a provider's.
  if (findProvider({ providerId: provider })?.id !== provider) return null;
  return calcPrice({}, model, { providerId: provider })?.model ?? null;
}

/** The list has periods oldest first and lets the last one that holds win; the first is also the fallback. */
function pricePeriods({ prices }: ModelInfo): PricePeriod[] {
  if (!Array.isArray(prices)) return [{ constraint: null, rates: readRates(prices) }];
  const periods = prices.map(({ constraint, prices: rates }): PricePeriod => ({ constraint: constraint ? readConstraint(constraint) : null, rates: readRates(rates) }));
  const fallback = periods[0];
  return fallback ? [...periods.reverse(), { constraint: null, rates: fallback.rates }] : [];
}

type ListConstraint = { type?: string; start_date?: string; start_time?: string; end_time?: string };

function readConstraint({ type, start_date, start_time, end_time }: ListConstraint): Constraint {
  if (type === 'start_date' && start_date) return { kind: 'from', atMs: valid(Date.parse(start_date)) };
  if (type === 'time_of_date' && start_time && end_time) return { kind: 'daily', fromMs: timeOfDay(start_time), toMs: timeOfDay(end_time) };
  throw new Error(`unknown price constraint: ${String(type)}`);
}

function timeOfDay(time: string): number {
  const atMs = valid(Date.parse(`1970-01-01T${time}`));
  return ((atMs % DAY_MS) + DAY_MS) % DAY_MS;
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

