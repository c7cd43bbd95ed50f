import type { UsageRow } from './call-row';

/** Whole pico-USD (1e-12) a token: $1 a million tokens is 1,000,000. */
export interface Rate {
  base: number;
  /** Rates for the whole request once its prompt has more than `above` tokens; ascending. */
  steps: { above: number; rate: number }[];
}

export interface Rates {
  input: Rate | null;
  output: Rate | null;
  cacheRead: Rate | null;
  cacheWrite: Rate | null;
  reasoning: Rate | null;
  /** Pico-USD for each request. */
  request: number;
}

/** The one that holds first wins. */
export interface PricePeriod {
  constraint: Constraint | null;
  rates: Rates;
}

export type Constraint = { kind: 'from'; atMs: number } | { kind: 'daily'; fromMs: number; toMs: number };

export const DAY_MS = 86_400_000;

/** The rates in force at a moment, and since when; null when there are none. */
export function rateAt(periods: readonly PricePeriod[], atMs: number): PricePeriod | null {
  for (const period of periods) if (holds(period.constraint, atMs)) return period;
  return null;
}

function holds(constraint: Constraint | null, atMs: number): boolean {
  if (constraint === null) return true;
  if (constraint.kind === 'from') return atMs >= constraint.atMs;
  const { fromMs, toMs } = constraint;
  const time = atMs % DAY_MS;
  return toMs < fromMs ? time >= fromMs || time < toMs : time >= fromMs && time < toMs;
}

/** Cached and cache-write tokens are part of the prompt, reasoning tokens of the completion; each has its own rate. */
export function costOf(rates: Rates, usage: UsageRow): number | null {
  if (!addsUp(usage)) return null;
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  const cached = usage.cached_tokens ?? 0;
  const written = usage.cache_write_tokens ?? 0;
  const reasoning = usage.reasoning_tokens ?? 0;
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
  const nano = Math.round(pico / 1000); // beyond 2^53 pico-USD ($9,007) the sum is off by less than a nano-USD
  return Number.isSafeInteger(nano) ? nano : null;
}

/** Prompt and completion are counts, and no part is larger than its whole. Nothing else can be charged. */
export function addsUp(usage: UsageRow): usage is UsageRow & { prompt_tokens: number; completion_tokens: number } {
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  if (!isCount(prompt) || !isCount(completion)) return false;
  const cached = usage.cached_tokens ?? 0;
  const written = usage.cache_write_tokens ?? 0;
  const reasoning = usage.reasoning_tokens ?? 0;
  return isCount(cached) && isCount(written) && isCount(reasoning) && cached + written <= prompt && reasoning <= completion;
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
