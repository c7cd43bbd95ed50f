import { ABILITIES, type Ability } from '../providers/catalog';

/** What a request asks of whoever serves it. */
export interface EcoNeed {
  /** Tokens of the prompt, by estimate. */
  promptTokens: number;
  /** The longest answer that the request allows, tokens; null when it does not say. */
  answerLimit: number | null;
  abilities: readonly Ability[];
  /** It is a chat: what the catalog's models can do. */
  chat: boolean;
}

/** What is known of one candidate. What nobody knows is not held against it, but for its price. */
export interface EcoOffer {
  facts: { contextTokens: number; maxOutputTokens: number; abilities: ReadonlySet<Ability> } | null;
  /** For this request's own tokens, integer nano-USD. */
  costNanoUsd: number | null;
}

/** Why a candidate is left out. */
export type EcoLeftOut = 'unpriced' | 'context_length' | 'max_output' | 'operation' | Ability;

export interface EcoComparison {
  /** Places of the candidates that can serve, cheapest first; equals in the order in which they are listed. */
  order: number[];
  /** By place; null for those in `order`. */
  leftOut: (EcoLeftOut | null)[];
}

/** Compares by price alone, never by speed. Who is healthy now is the walk's to ask, when it comes to each. */
export function compareOffers(need: EcoNeed, offers: readonly EcoOffer[]): EcoComparison {
  const leftOut = offers.map((offer) => reasonAgainst(need, offer));
  const order: number[] = [];
  for (let at = 0; at < offers.length; at++) if (leftOut[at] === null) order.push(at);
  order.sort((a, b) => offers[a]!.costNanoUsd! - offers[b]!.costNanoUsd! || a - b);
  return { order, leftOut };
}

function reasonAgainst({ promptTokens, answerLimit, abilities, chat }: EcoNeed, { facts, costNanoUsd }: EcoOffer): EcoLeftOut | null {
  if (facts !== null) {
    if (!chat) return 'operation';
    for (const ability of ABILITIES) if (abilities.includes(ability) && !facts.abilities.has(ability)) return ability;
    if (promptTokens + (answerLimit ?? 1) > facts.contextTokens) return 'context_length';
    if (answerLimit !== null && answerLimit > facts.maxOutputTokens) return 'max_output';
  }
  return costNanoUsd === null ? 'unpriced' : null;
}
