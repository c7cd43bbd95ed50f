import { tokenCount, type Usage } from '../../wire';

export interface UsageReader {
  /** Takes one `usageMetadata` in. `final`: the answer has named its end. Returns what is known by now, null when nothing new came. */
  take(metadata: unknown, final: boolean): Usage | null;
}

/**
 * Usage is cumulative and stands on every frame: per field the last one holds. Thoughts are counted beside the
 * answer's tokens, ours inside. Zeros are left out of this JSON, so a count that is missing at the end is zero; before
 * the end it is only not known yet.
 */
export function createUsage(): UsageReader {
  let prompt: number | null = null;
  let toolUse: number | null = null;
  let answer: number | null = null;
  let thoughts: number | null = null;
  let cached: number | null = null;
  let total: number | null = null;
  let ended = false;

  function known(): Usage | null {
    if (prompt === null && answer === null && thoughts === null && total === null) return null;
    const promptTokens = prompt === null ? null : prompt + (toolUse ?? 0);
    return {
      promptTokens,
      completionTokens: answer !== null ? answer + (thoughts ?? 0) : ended ? Math.max(thoughts ?? 0, total !== null && promptTokens !== null ? total - promptTokens : 0) : null,
      totalTokens: total,
      cachedTokens: cached ?? (ended ? 0 : null),
      cacheWriteTokens: null,
      reasoningTokens: thoughts ?? (ended ? 0 : null),
    };
  }

  return {
    take(metadata, final) {
      const begins = final && !ended;
      ended ||= final;
      if (typeof metadata === 'object' && metadata !== null) {
        const raw = metadata as Record<string, unknown>;
        prompt = tokenCount(raw.promptTokenCount) ?? prompt;
        toolUse = tokenCount(raw.toolUsePromptTokenCount) ?? toolUse;
        answer = tokenCount(raw.candidatesTokenCount) ?? tokenCount(raw.responseTokenCount) ?? answer;
        thoughts = tokenCount(raw.thoughtsTokenCount) ?? thoughts;
        cached = tokenCount(raw.cachedContentTokenCount) ?? cached;
        total = tokenCount(raw.totalTokenCount) ?? total;
      } else if (!begins) {
        return null;
      }
      return known();
    },
  };
}
