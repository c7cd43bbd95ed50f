import type { Usage } from '../wire';

/** OpenAI's `usage` object: the provider's own where it speaks OpenAI. What nobody reported is left out of the details, never written as 0. */
export function openAiUsage(usage: Usage): Readonly<Record<string, unknown>> {
  if (usage.reported?.dialect === 'openai') return usage.reported.usage;
  const { promptTokens, completionTokens, totalTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  const written: Record<string, unknown> = {
    prompt_tokens: promptTokens ?? 0,
    completion_tokens: completionTokens ?? 0,
    total_tokens: totalTokens ?? (promptTokens ?? 0) + (completionTokens ?? 0),
  };
  if (cachedTokens !== null || cacheWriteTokens !== null) {
    written.prompt_tokens_details = {
      ...(cachedTokens === null ? {} : { cached_tokens: cachedTokens }),
      ...(cacheWriteTokens === null ? {} : { cache_write_tokens: cacheWriteTokens }),
    };
  }
  if (reasoningTokens !== null) written.completion_tokens_details = { reasoning_tokens: reasoningTokens };
  return written;
}
