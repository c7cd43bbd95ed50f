import type { CallState } from './call-row';

/** What calls came to. Counts are of calls; null stands where nothing was measured, never 0. */
export interface UsageFigures {
  calls: number;
  by_state: Record<CallState, number>;
  streams: number;
  /** Calls that a tier answered after another one had failed. */
  failovers: number;
  /** Cut after content had been sent. */
  truncations: number;
  replay: { hit: number; miss: number; bypass: number };
  /** Each null when no call's usage told the kind. Cached and cache-write tokens are part of the prompt, reasoning tokens of the completion. */
  tokens: {
    prompt: number | null;
    cached: number | null;
    cache_write: number | null;
    completion: number | null;
    reasoning: number | null;
  };
  /** Of calls whose usage was counted by the provider, and of those where any of it is an estimate. */
  provider: UsageTotals;
  estimate: UsageTotals;
  /** estimate / (provider + estimate), by calls; null when no call used tokens. */
  estimated_share: number | null;
  /** Sum over the priced calls; null when not one has a price. */
  cost_nano_usd: number | null;
  priced_calls: number;
  /** Calls that used tokens at an unknown price: they are missing from the sum. */
  unpriced_calls: number;
  unpriced_share: number | null;
  /** Usage that failed attempts reported: in none of the sums above. */
  failed_attempts: { metered: number; prompt_tokens: number | null; completion_tokens: number | null };
}

export interface UsageTotals {
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
}

/** The integer columns of usage_rollups, in the order in which a query asks for them. */
export const MEASURES = [
  'calls', 'finished', 'truncated', 'rejected', 'aborted', 'lost', 'streams', 'failovers', 'replay_hit', 'replay_miss', 'replay_bypass',
  'usage_provider', 'usage_estimate', 'priced', 'unpriced', 'told_cached', 'told_cache_write', 'told_reasoning',
  'prompt_tokens', 'cached_tokens', 'cache_write_tokens', 'completion_tokens', 'reasoning_tokens',
  'estimate_prompt_tokens', 'estimate_completion_tokens', 'cost_nano_usd', 'failed_attempts_metered', 'failed_prompt_tokens', 'failed_completion_tokens',
] as const;

/** Sums by the names of their columns. */
export type Sums = Record<(typeof MEASURES)[number], number>;

export const noSums = (): Sums => Object.fromEntries(MEASURES.map((name) => [name, 0])) as Sums;

/** Adds `more` to `sums`; with sign -1 takes it away. */
export function addSums(sums: Sums, more: Sums, sign: 1 | -1 = 1): void {
  for (const name of MEASURES) sums[name] += sign * more[name];
}

export function figuresOf(sums: Sums): UsageFigures {
  const metered = sums.usage_provider + sums.usage_estimate;
  const used = sums.priced + sums.unpriced;
  const told = (calls: number, tokens: number) => (calls === 0 ? null : tokens);
  return {
    calls: sums.calls,
    by_state: { finished: sums.finished, truncated: sums.truncated, rejected: sums.rejected, aborted: sums.aborted, lost: sums.lost },
    streams: sums.streams,
    failovers: sums.failovers,
    truncations: sums.truncated,
    replay: { hit: sums.replay_hit, miss: sums.replay_miss, bypass: sums.replay_bypass },
    tokens: {
      prompt: told(metered, sums.prompt_tokens),
      cached: told(sums.told_cached, sums.cached_tokens),
      cache_write: told(sums.told_cache_write, sums.cache_write_tokens),
      completion: told(metered, sums.completion_tokens),
      reasoning: told(sums.told_reasoning, sums.reasoning_tokens),
    },
    provider: {
      calls: sums.usage_provider,
      prompt_tokens: sums.prompt_tokens - sums.estimate_prompt_tokens,
      completion_tokens: sums.completion_tokens - sums.estimate_completion_tokens,
    },
    estimate: { calls: sums.usage_estimate, prompt_tokens: sums.estimate_prompt_tokens, completion_tokens: sums.estimate_completion_tokens },
    estimated_share: metered === 0 ? null : sums.usage_estimate / metered,
    cost_nano_usd: told(sums.priced, sums.cost_nano_usd),
    priced_calls: sums.priced,
    unpriced_calls: sums.unpriced,
    unpriced_share: used === 0 ? null : sums.unpriced / used,
    failed_attempts: {
      metered: sums.failed_attempts_metered,
      prompt_tokens: told(sums.failed_attempts_metered, sums.failed_prompt_tokens),
      completion_tokens: told(sums.failed_attempts_metered, sums.failed_completion_tokens),
    },
  };
}
