import type { UsageRow } from '../metering/call-row';
import type { Usage } from '../wire';
import type { EstimatedUsage } from './surface';

/**
 * OpenAI's `usage` object: the provider's own where it speaks OpenAI. A count of input or output that nobody reported is
 * estimated, and the object then says so. What nobody knows is left out of the details, never written as 0.
 */
export function openAiUsage(usage: Usage | null, estimate: () => EstimatedUsage): Readonly<Record<string, unknown>> {
  if (usage === null) return labelled(estimate());
  if (usage.reported?.dialect === 'openai') return usage.reported.usage;
  const { promptTokens, completionTokens, totalTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  if (promptTokens === null || completionTokens === null) return labelled(completed(usage, estimate().usage));
  const written: Record<string, unknown> = { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens ?? promptTokens + completionTokens };
  if (cachedTokens !== null || cacheWriteTokens !== null) {
    written.prompt_tokens_details = {
      ...(cachedTokens === null ? {} : { cached_tokens: cachedTokens }),
      ...(cacheWriteTokens === null ? {} : { cache_write_tokens: cacheWriteTokens }),
    };
  }
  if (reasoningTokens !== null) written.completion_tokens_details = { reasoning_tokens: reasoningTokens };
  return written;
}

const labelled = ({ usage, estimated }: EstimatedUsage): Record<string, unknown> => ({ ...usage, source: 'estimate', estimated });

/** As the ledger completes it. */
function completed({ promptTokens, completionTokens, totalTokens, cachedTokens, cacheWriteTokens, reasoningTokens }: Usage, guess: UsageRow): EstimatedUsage {
  const estimated: (keyof UsageRow)[] = [];
  if (promptTokens === null) estimated.push('prompt_tokens');
  if (completionTokens === null) estimated.push('completion_tokens');
  if (totalTokens === null) estimated.push('total_tokens');
  const prompt = promptTokens ?? guess.prompt_tokens;
  const completion = completionTokens ?? guess.completion_tokens;
  const total = totalTokens ?? (prompt ?? 0) + (completion ?? 0);
  return { usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total, cached_tokens: cachedTokens, cache_write_tokens: cacheWriteTokens, reasoning_tokens: reasoningTokens }, estimated };
}
