import type { AnswerContext, EstimatedUsage } from '../surface';
import type { StreamEvent, Usage } from '../../wire';

/** What the tests of this surface share. */

export const CONTEXT: AnswerContext = { own: false, callId: 'call_1', createdS: 1_790_000_020, model: 'gpt-4.1-nano', usageWish: 'asked', request: {} };

export const USAGE: Usage = { promptTokens: 10, completionTokens: 9, totalTokens: 19, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null };

export const ESTIMATE = (): EstimatedUsage => ({
  usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null },
  estimated: ['prompt_tokens', 'completion_tokens', 'total_tokens'],
});

export const text = (words: string): StreamEvent => ({ type: 'text', choice: 0, text: words });
export const reasoning = (words: string): StreamEvent => ({ type: 'reasoning', choice: 0, text: words });
export const tool = (index: number, json: string, id: string | null = null, name: string | null = null): StreamEvent => ({ type: 'tool_call', choice: 0, index, id, name, arguments: json });
export const signature = (data: string, rest: Partial<Extract<StreamEvent, { type: 'signature' }>> = {}): StreamEvent => ({ type: 'signature', choice: 0, format: 'anthropic-claude-v1', kind: 'signature', data, tool: null, ...rest });
export const finish = (reason: Extract<StreamEvent, { type: 'finish' }>['reason'], rest: Partial<Extract<StreamEvent, { type: 'finish' }>> = {}): StreamEvent => ({ type: 'finish', choice: 0, reason, native: null, stopSequence: null, ...rest });
