import { isObject, tokenCount, type TokensApart, type Usage } from '../../wire';

/** The usage of one answer so far: it comes in pieces, and of each field the last number stands, also a lower one. */
export interface UsageTally {
  /** Takes a `usage` object in. Null when there is no number in it. */
  add(usage: unknown): Usage | null;
}

/**
 * `input_tokens` leaves the prompt cache out, where our prompt includes it. The output that a stream announces at its
 * beginning is a placeholder: `begun` leaves it out, so that an answer that is cut has no made-up figure.
 */
export function usageTally(): UsageTally & { begun(usage: unknown): Usage | null } {
  let input: number | null = null;
  let cacheWrite: number | null = null;
  let cacheRead: number | null = null;
  let output: number | null = null;
  let thinking: number | null = null;
  let apart: TokensApart | null = null;
  let reported: Readonly<Record<string, unknown>> = {};

  function take(usage: unknown, withOutput: boolean): Usage | null {
    if (!isObject(usage)) return null;
    const given = [tokenCount(usage.input_tokens), tokenCount(usage.cache_creation_input_tokens), tokenCount(usage.cache_read_input_tokens), withOutput ? tokenCount(usage.output_tokens) : null];
    if (given.every((number) => number === null)) return null;
    input = given[0] ?? input;
    cacheWrite = given[1] ?? cacheWrite;
    cacheRead = given[2] ?? cacheRead;
    output = given[3] ?? output;
    reported = joined(reported, usage);
    if (withOutput && isObject(usage.output_tokens_details)) thinking = tokenCount(usage.output_tokens_details.thinking_tokens) ?? thinking;
    if (Array.isArray(usage.iterations)) apart = compactionsIn(usage.iterations);
    return merged();
  }

  function merged(): Usage {
    const prompt = input === null ? null : input + (cacheWrite ?? 0) + (cacheRead ?? 0);
    const usage: Usage = {
      promptTokens: prompt,
      completionTokens: output,
      totalTokens: prompt === null || output === null ? null : prompt + output,
      // Older answers have no counters for the cache, which they did not use.
      cachedTokens: prompt === null ? cacheRead : (cacheRead ?? 0),
      cacheWriteTokens: prompt === null ? cacheWrite : (cacheWrite ?? 0),
      reasoningTokens: thinking,
      reported: { dialect: 'anthropic', usage: reported },
    };
    if (apart !== null) usage.apart = apart;
    return usage;
  }

  return { add: (usage) => take(usage, true), begun: (usage) => take(usage, false) };
}

/** Of each member what was said last, but never nothing in place of something. By entries: an own `__proto__` stays one. */
function joined(before: Readonly<Record<string, unknown>>, usage: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const known = Object.entries(before);
  let room = MOST_MEMBERS - known.length;
  const said = Object.entries(usage).filter(([name, value]) => (Object.hasOwn(before, name) ? value !== null : room-- > 0));
  return Object.fromEntries([...known, ...said]);
}

/** Some ten exist. All are copied whenever a stream tells of its usage, so whoever sends thousands once would be copied for ever. */
const MOST_MEMBERS = 128;

/**
 * Summarizing a long conversation is a call of its own that the totals leave out; all other iterations are in them, but
 * for an advisor's, which has another model's price. Where another model stood in for this one, nobody knows whose they are.
 */
function compactionsIn(iterations: unknown[]): TokensApart | null {
  let apart: TokensApart | null = null;
  for (const each of iterations) {
    if (!isObject(each)) continue;
    if (each.type === 'fallback_message') return null;
    if (each.type !== 'compaction') continue;
    const [write, read] = [tokenCount(each.cache_creation_input_tokens) ?? 0, tokenCount(each.cache_read_input_tokens) ?? 0];
    apart ??= { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 };
    apart.promptTokens += (tokenCount(each.input_tokens) ?? 0) + write + read;
    apart.completionTokens += tokenCount(each.output_tokens) ?? 0;
    apart.cachedTokens += read;
    apart.cacheWriteTokens += write;
  }
  return apart;
}
