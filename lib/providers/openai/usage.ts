import { tokenCount, type Usage } from '../../wire';

/**
 * A usage object of any OpenAI-like vendor in our sense, or null when it holds no number. Numbers are taken
 * as they are, a zero is a zero, and what nobody reported stays null.
 *
 * Two spellings differ: DeepSeek counts cache hits at the top level, and xAI leaves reasoning out of
 * `completion_tokens` (12 + 2 + 340 = 354), which shows in the sum.
 */
export function readUsage(usage: unknown): Usage | null {
  if (typeof usage !== 'object' || usage === null) return null;
  const raw = usage as Record<string, unknown>;
  const promptDetails = details(raw.prompt_tokens_details);
  const completionDetails = details(raw.completion_tokens_details);
  const promptTokens = tokenCount(raw.prompt_tokens);
  const totalTokens = tokenCount(raw.total_tokens);
  const reasoningTokens = tokenCount(completionDetails.reasoning_tokens) ?? tokenCount(raw.reasoning_tokens);
  let completionTokens = tokenCount(raw.completion_tokens);
  if (promptTokens === null && completionTokens === null && totalTokens === null) return null;
  if (completionTokens !== null && reasoningTokens !== null && excludesReasoning(promptTokens, completionTokens, reasoningTokens, totalTokens)) {
    completionTokens += reasoningTokens;
  }
  return {
    promptTokens,
    completionTokens,
    totalTokens,
    cachedTokens: tokenCount(promptDetails.cached_tokens) ?? tokenCount(raw.prompt_cache_hit_tokens) ?? tokenCount(raw.cached_tokens),
    cacheWriteTokens: tokenCount(promptDetails.cache_write_tokens) ?? tokenCount(raw.cache_write_tokens),
    reasoningTokens,
    ...(isGarbled(usage) ? {} : { reported: { dialect: 'openai' as const, usage: raw } }),
  };
}

/** Is there something in the place of usage, or of one of its counts, that is none? It is told to nobody; what it left unknown is estimated. */
export function isGarbled(usage: unknown): boolean {
  if (usage === undefined || usage === null) return false;
  if (typeof usage !== 'object' || Array.isArray(usage)) return true;
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage as Record<string, unknown>;
  return isNoCount(prompt) || isNoCount(completion) || isNoCount(total);
}

const isNoCount = (value: unknown): boolean => value !== undefined && value !== null && tokenCount(value) === null;

function excludesReasoning(prompt: number | null, completion: number, reasoning: number, total: number | null): boolean {
  if (reasoning === 0) return false;
  if (reasoning > completion) return true;
  return prompt !== null && total !== null && prompt + completion !== total && prompt + completion + reasoning === total;
}

function details(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : NONE;
}

const NONE: Record<string, unknown> = {};
