import type { Usage } from '../../wire';
import type { EstimatedUsage } from '../surface';

/** `usage` as this API writes it: its `input_tokens` leaves out what was read from and written to the cache. */
export function messagesUsage({ promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens }: Usage): Record<string, unknown> {
  const [cached, written] = [cachedTokens ?? 0, cacheWriteTokens ?? 0];
  return {
    input_tokens: Math.max(0, (promptTokens ?? 0) - cached - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: completionTokens ?? 0,
    ...(reasoningTokens === null ? {} : { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}

/** The same for figures that no provider gave: they say so. */
export function estimatedMessagesUsage({ usage, estimated }: EstimatedUsage): Record<string, unknown> {
  return {
    input_tokens: usage.prompt_tokens ?? 0,
    output_tokens: usage.completion_tokens ?? 0,
    source: 'estimate',
    estimated: estimated.flatMap((name) => (name === 'prompt_tokens' ? ['input_tokens'] : name === 'completion_tokens' ? ['output_tokens'] : [])),
  };
}
