import type { Dialect } from './dialect';

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
  /** The provider's own object, where its further figures are worth telling to a client of the same dialect. */
  reported?: { dialect: Dialect; usage: Readonly<Record<string, unknown>> };
}
