import { tokenCount, type Usage } from '../../wire';

/** A Response's `usage` in our sense, or null when it holds no number. What nobody reported stays null. */
export function readUsage(usage: unknown): Usage | null {
  if (typeof usage !== 'object' || usage === null) return null;
  const raw = usage as Record<string, unknown>;
  const promptTokens = tokenCount(raw.input_tokens);
  const completionTokens = tokenCount(raw.output_tokens);
  const totalTokens = tokenCount(raw.total_tokens);
  if (promptTokens === null && completionTokens === null && totalTokens === null) return null;
  const input = details(raw.input_tokens_details);
  return {
    promptTokens,
    completionTokens,
    totalTokens,
    cachedTokens: tokenCount(input.cached_tokens),
    cacheWriteTokens: tokenCount(input.cache_write_tokens),
    reasoningTokens: tokenCount(details(raw.output_tokens_details).reasoning_tokens),
    reported: { dialect: 'openai-responses', usage: raw },
  };
}

function details(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : NONE;
}

const NONE: Record<string, unknown> = {};
