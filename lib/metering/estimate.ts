import type { UsageRow } from './call-row';

export interface Estimate {
  usage: UsageRow;
  /** The members of `usage` that are estimated: all that are not null. */
  estimated: (keyof UsageRow)[];
}

/**
 * Usage where the provider gave none: a token for every four characters (UTF-16 units) of what was sent and of
 * what reached the client, rounded up. What an estimate cannot know (cached and reasoning tokens) stays null.
 * Always to be shown with `usage_source: estimate`.
 */
export function estimateUsage({ sentCharacters, flushedCharacters }: { sentCharacters: number; flushedCharacters: number }): Estimate {
  const prompt = Math.ceil(sentCharacters / CHARACTERS_PER_TOKEN);
  const completion = Math.ceil(flushedCharacters / CHARACTERS_PER_TOKEN);
  return {
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      cached_tokens: null,
      cache_write_tokens: null,
      reasoning_tokens: null,
    },
    estimated: ['prompt_tokens', 'completion_tokens', 'total_tokens'],
  };
}

const CHARACTERS_PER_TOKEN = 4;
