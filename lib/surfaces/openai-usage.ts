import type { Usage } from '../wire';
import { completedUsage, usageRowOf } from './completed-usage';
import type { EstimatedUsage } from './surface';

/**
 * OpenAI's `usage` object: the provider's own where it speaks OpenAI. A count of input or output that nobody reported is
 * estimated, and the object then says so. What nobody knows is left out of the details, never written as 0.
 */
export function openAiUsage(usage: Usage | null, estimate: () => EstimatedUsage): Readonly<Record<string, unknown>> {
  if (usage === null) return labelled(estimate());
  if (usage.reported?.dialect === 'openai') return usage.reported.usage;
  const { promptTokens, completionTokens, totalTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  if (promptTokens === null || completionTokens === null) return labelled(completedUsage(usageRowOf(usage), () => estimate().usage));
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
