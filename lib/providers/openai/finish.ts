import { failure, type FinishEvent, type FinishReason } from '../../wire';

/**
 * What a choice's `finish_reason` says: the event that ends it, null while there is none, `'failed'` for a word that
 * says that the provider broke off, and for one that nobody knows: that is never taken for `stop`, as on every wire.
 */
export function readFinish(reason: unknown, choice: number): FinishEvent | 'failed' | null {
  if (reason === null || reason === undefined || reason === '' || reason === 'null') return null;
  if (typeof reason !== 'string') return 'failed';
  if (isOurs(reason)) return { type: 'finish', choice, reason, native: null, stopSequence: null };
  const word = reason.toLowerCase();
  return Object.hasOwn(WORDS, word) ? { type: 'finish', choice, reason: WORDS[word]!, native: reason.slice(0, 100), stopSequence: null } : 'failed';
}

export const badFinish = (reason: unknown) => failure('server_error', `the upstream ended with finish_reason ${JSON.stringify(reason)?.slice(0, 80)}`);

const OURS: ReadonlySet<string> = new Set<FinishReason>(['stop', 'length', 'tool_calls', 'function_call', 'content_filter']);
const isOurs = (reason: string): reason is FinishReason => OURS.has(reason);

/** In lower case: vendors bring other APIs' words along. Everything here was seen in the wild, on this wire or on the one that a vendor puts this one before. */
const WORDS: Record<string, FinishReason> = {
  stop: 'stop',
  end_turn: 'stop',
  complete: 'stop', // Cohere
  completed: 'stop',
  eos: 'stop', // Together
  eos_token: 'stop', // text-generation-inference
  stop_sequence: 'stop',
  pause_turn: 'length', // Anthropic: the turn is unfinished, though its stream ends well
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length', // Mistral: the context window is full
  model_context_window_exceeded: 'length', // Anthropic, Zhipu
  tool_calls: 'tool_calls',
  tool_call: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'function_call',
  content_filter: 'content_filter',
  content_filtered: 'content_filter', // Bedrock
  guardrail_intervened: 'content_filter', // Bedrock
  error_toxic: 'content_filter', // Cohere
  refusal: 'content_filter', // Anthropic
  sensitive: 'content_filter', // Zhipu
  safety: 'content_filter', // this and the rest: Gemini
  recitation: 'content_filter',
  blocklist: 'content_filter',
  prohibited_content: 'content_filter',
  spii: 'content_filter',
  language: 'content_filter',
  image_safety: 'content_filter',
  image_prohibited_content: 'content_filter',
  image_recitation: 'content_filter',
};
