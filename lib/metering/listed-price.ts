import { priceSource } from '../providers';
import { listed, packagedList } from './price-list';
import { type PricePeriod, type Rate, rateAt, type Rates } from './rates';

/** Integer nano-USD for a million tokens each; null where the list names no rate, so that the next broader one holds. */
export interface ListedRates {
  input_nano_usd_per_million_tokens: number | null;
  output_nano_usd_per_million_tokens: number | null;
  /** Null: cached tokens cost what others of the prompt do. */
  cached_input_nano_usd_per_million_tokens: number | null;
  /** Null: tokens written into the provider's cache cost what others of the prompt do. */
  cache_write_nano_usd_per_million_tokens: number | null;
}

export interface ListedPrice extends ListedRates {
  /** The list that it stands on. */
  version: string;
  /** Charged for each request besides its tokens; 0 nearly everywhere. */
  request_nano_usd: number;
  /** Day from which it holds; null when the list names none. */
  in_force_from: string | null;
  /** It is another one at other hours of the day (UTC). */
  varies_by_hour: boolean;
  /** For the whole of a request whose prompt has more tokens than this; ascending. */
  long_prompts: ({ above_prompt_tokens: number } & ListedRates)[];
  /** What is announced to follow. */
  next: ({ from: string } & ListedRates) | null;
}

/** What a model costs by the price lists at a moment; null where none knows it. `preset` is a connection's. */
export function listedPrice(preset: string, model: string, atMs: number): ListedPrice | null {
  const source = priceSource(preset);
  const found = source?.kind === 'catalog' ? listed(packagedList, source.provider, model) : null;
  const period = found && rateAt(found.periods, atMs);
  if (!period) return null;
  const next = followingPeriod(found.periods, atMs);
  return {
    ...ratesFor(period.rates, 0),
    version: found.version,
    request_nano_usd: period.rates.request / 1_000,
    in_force_from: period.constraint?.kind === 'from' ? dayOf(period.constraint.atMs) : null,
    varies_by_hour: found.periods.some(({ constraint }) => constraint?.kind === 'daily'),
    long_prompts: stepsOf(period.rates).map((above) => ({ above_prompt_tokens: above, ...ratesFor(period.rates, above + 1) })),
    next: next && { from: dayOf(next.atMs), ...ratesFor(next.rates, 0) },
  };
}

function ratesFor({ input, output, cacheRead, cacheWrite }: Rates, promptTokens: number): ListedRates {
  const nanoPerMillion = (rate: Rate | null) => (rate === null ? null : (rate.steps.findLast(({ above }) => promptTokens > above)?.rate ?? rate.base) * 1_000);
  return {
    input_nano_usd_per_million_tokens: nanoPerMillion(input),
    output_nano_usd_per_million_tokens: nanoPerMillion(output),
    cached_input_nano_usd_per_million_tokens: nanoPerMillion(cacheRead),
    cache_write_nano_usd_per_million_tokens: nanoPerMillion(cacheWrite),
  };
}

function stepsOf({ input, output }: Rates): number[] {
  const steps = [...(input?.steps ?? []), ...(output?.steps ?? [])].map(({ above }) => above);
  return [...new Set(steps)].sort((a, b) => a - b);
}

function followingPeriod(periods: readonly PricePeriod[], atMs: number): { atMs: number; rates: Rates } | null {
  const later = periods.flatMap(({ constraint, rates }) => (constraint?.kind === 'from' && constraint.atMs > atMs ? [{ atMs: constraint.atMs, rates }] : []));
  return later.sort((a, b) => a.atMs - b.atMs)[0] ?? null;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
