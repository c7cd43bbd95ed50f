import type { Unrepresentable } from '../wire';
import { DEFAULT_TIMEOUTS } from './default-timeouts';
import { ecoCandidates } from './eco-tier';
import type { OpenCall } from './open-call';
import type { TierConfig } from './ports';

const { firstContent: FIRST_CONTENT, response: RESPONSE } = DEFAULT_TIMEOUTS;

/** One stop of the walk: a tier, or one candidate of an eco tier. */
export interface Place {
  /** 1-based position of the tier in its route. */
  number: number;
  tier: TierConfig;
  /** Dispatch to first content of a stream, dispatch to the whole body otherwise, ms. */
  budgetMs: number;
  /** Why there is nobody to ask. */
  unable: Unrepresentable | null;
}

/** Where the walk goes, in order: the owner's tiers, and in place of an eco tier its candidates, cheapest first. */
export function placesOf(call: OpenCall): Place[] {
  const { tiers } = call.route;
  const count = call.firstTierOnly ? Math.min(1, tiers.length) : tiers.length;
  const places: Place[] = [];
  for (let at = 0; at < count; at++) {
    const tier = tiers[at]!;
    if (tier.eco === null) places.push({ number: at + 1, tier, budgetMs: 0, unable: null });
    else addCandidates(call, places, tier, at + 1);
  }
  const last = places.length - 1;
  for (let at = 0; at <= last; at++) places[at]!.budgetMs = budgetMs(call, places[at]!.tier, at < last && !call.firstTierOnly);
  return places;
}

function addCandidates(call: OpenCall, places: Place[], tier: TierConfig, number: number): void {
  const { able, unable } = ecoCandidates(call, tier.eco!, number);
  if (unable !== null) places.push({ number, tier, budgetMs: 0, unable });
  for (const candidate of able) places.push({ number, tier: candidate, budgetMs: 0, unable: null });
}

function budgetMs(call: OpenCall, tier: TierConfig, follows: boolean): number {
  const thinks = call.request.asksForReasoning || call.engine.prices.thinks(tier.connection.provider, tier.model);
  if (!call.stream) return tier.responseTimeoutMs ?? (thinks ? RESPONSE.thinks : RESPONSE.plain);
  if (tier.firstContentTimeoutMs !== null) return tier.firstContentTimeoutMs;
  if (thinks) return FIRST_CONTENT.thinks;
  return follows ? FIRST_CONTENT.follows : FIRST_CONTENT.last;
}
