import type { UsageRow } from '../metering/call-row';
import type { Usage } from '../wire';
import type { EstimatedUsage } from './surface';

/** Usage by the names that the ledger and chat completions have for it. */
export const usageRowOf = ({ promptTokens, completionTokens, totalTokens, cachedTokens, cacheWriteTokens, reasoningTokens }: Usage): UsageRow => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: totalTokens,
  cached_tokens: cachedTokens,
  cache_write_tokens: cacheWriteTokens,
  reasoning_tokens: reasoningTokens,
});

/** The provider's numbers untouched; a main figure that it left out is estimated and named. The same for the client and for the ledger. */
export function completedUsage(reported: UsageRow, guess: () => UsageRow): EstimatedUsage {
  const usage = { ...reported };
  const estimated: (keyof UsageRow)[] = [];
  if (usage.prompt_tokens === null || usage.completion_tokens === null) {
    const guessed = guess();
    for (const name of ['prompt_tokens', 'completion_tokens'] as const) {
      if (usage[name] !== null) continue;
      usage[name] = guessed[name];
      estimated.push(name);
    }
  }
  if (usage.total_tokens === null) {
    usage.total_tokens = (usage.prompt_tokens ?? 0) + (usage.completion_tokens ?? 0);
    if (estimated.length > 0) estimated.push('total_tokens');
  }
  return { usage, estimated };
}
