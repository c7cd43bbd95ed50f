import type { Usage } from '../../wire';
import type { EstimatedUsage } from '../surface';

/**
 * `usage` as this API writes it: the provider's own where it speaks this API (a stored answer of such a tier). Else
 * its `input_tokens` leaves out what was read from and written to the cache, and each of these is null, as this API
 * allows, where nobody told it.
 */
export function messagesUsage({ promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens, reported }: Usage): Readonly<Record<string, unknown>> {
  if (reported?.dialect === 'anthropic') return reported.usage;
  return {
    input_tokens: Math.max(0, (promptTokens ?? 0) - (cachedTokens ?? 0) - (cacheWriteTokens ?? 0)),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    output_tokens: completionTokens ?? 0,
    ...(reasoningTokens === null ? {} : { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}

/** What `message_start` tells of it: of another dialect's answer no output, since none was counted yet. */
export function startUsage(early: Usage | null): Readonly<Record<string, unknown>> {
  if (early === null) return { input_tokens: 0, output_tokens: 0 };
  return early.reported?.dialect === 'anthropic' ? early.reported.usage : { ...messagesUsage(early), output_tokens: 0 };
}

/** `messagesUsage` for figures that no provider gave: they say so. */
export function estimatedMessagesUsage({ usage, estimated }: EstimatedUsage): Record<string, unknown> {
  return {
    input_tokens: usage.prompt_tokens ?? 0,
    output_tokens: usage.completion_tokens ?? 0,
    source: 'estimate',
    estimated: estimated.flatMap((name) => (name === 'prompt_tokens' ? ['input_tokens'] : name === 'completion_tokens' ? ['output_tokens'] : [])),
  };
}
