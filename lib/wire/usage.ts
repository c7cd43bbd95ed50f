import type { Dialect } from './dialect';

/** In the sense of the counts that they belong beside. */
export interface TokensApart {
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
}

/**
 * Token counts of one call, in OpenAI's sense: `promptTokens` includes cached ones,
 * `completionTokens` includes reasoning. Null means that nobody reported the number.
 */
export interface Usage {
  promptTokens: number | null;
  completionTokens: number | null;
  totalTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
  /** What the provider did beside the answer, bills, and leaves out of the counts above. */
  apart?: TokensApart;
  /** The provider's own object, where its further figures are worth telling to a client of the same dialect. */
  reported?: { dialect: Dialect; usage: Readonly<Record<string, unknown>> };
}

/**
 * A count that somebody reported, or null where it is none. A fraction, a negative number or more than any model can
 * read or write in one call is no count of tokens: it stays unknown, and is estimated and labelled.
 */
export function tokenCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS ? value : null;
}

const MOST_TOKENS = 1_000_000_000;

/** The counts that the provider's bill goes by; what the client is told is the provider's own total. */
export function billed(usage: Usage): Usage {
  const { apart } = usage;
  if (apart === undefined) return usage;
  const { promptTokens: prompt, completionTokens: completion } = apart;
  return {
    promptTokens: sum(usage.promptTokens, prompt),
    completionTokens: sum(usage.completionTokens, completion),
    totalTokens: sum(usage.totalTokens, prompt + completion),
    cachedTokens: sum(usage.cachedTokens, apart.cachedTokens),
    cacheWriteTokens: sum(usage.cacheWriteTokens, apart.cacheWriteTokens),
    reasoningTokens: usage.reasoningTokens,
  };
}

/** What nobody reported stays unknown. */
const sum = (reported: number | null, apart: number): number | null => (reported === null ? null : reported + apart);
