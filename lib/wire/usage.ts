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
}
