import type { Usage } from '../../wire';

/** A Response's `usage` in our sense, or null when it holds no number. What nobody reported stays null. */
export function readUsage(usage: unknown): Usage | null {
  if (typeof usage !== 'object' || usage === null) return null;
  const raw = usage as Record<string, unknown>;
  const promptTokens = count(raw.input_tokens);
  const completionTokens = count(raw.output_tokens);
  const totalTokens = count(raw.total_tokens);
  if (promptTokens === null && completionTokens === null && totalTokens === null) return null;
  const input = details(raw.input_tokens_details);
  return {
    promptTokens,
    completionTokens,
    totalTokens,
    cachedTokens: count(input.cached_tokens),
    cacheWriteTokens: count(input.cache_write_tokens),
    reasoningTokens: count(details(raw.output_tokens_details).reasoning_tokens),
    reported: { dialect: 'openai-responses', usage: raw },
  };
}

function details(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : NONE;
}

const NONE: Record<string, unknown> = {};

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
