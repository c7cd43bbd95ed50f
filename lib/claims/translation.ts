import type { Wire } from '../providers';

/**
 * What becomes of something that a client asks for when a provider of another API answers. `kept`: said in the
 * provider's words. `named`: a hint that got lost, told in X-Ohm-Dropped-Params. `partly`: kept, but for a detail that
 * is told there. `refused`: losing it would change the
 * answer, so no tier of that wire is asked. `kept whole`: refused where the answer is streamed.
 */
export type Fate = 'kept' | 'kept whole' | 'partly' | 'named' | 'refused';

/** What can be asked for, and its fate at each wire. A test compares it with what the engine does. */
export const TRANSLATED_REQUESTS: readonly { what: string; fate: Record<Wire, Fate> }[] = [
  { what: 'parallel tool calls and their results', fate: everywhere('kept') },
  { what: 'tool choice: auto', fate: everywhere('kept') },
  { what: 'tool choice: none', fate: everywhere('kept') },
  { what: 'tool choice: any', fate: everywhere('kept') },
  { what: 'tool choice: one', fate: everywhere('kept') },
  { what: 'one call at a time', fate: { ...everywhere('kept'), gemini: 'named' } },
  { what: 'a custom tool', fate: { ...everywhere('kept'), anthropic: 'refused', gemini: 'refused' } },
  { what: 'an answer by a JSON schema', fate: everywhere('kept') },
  { what: 'any JSON object', fate: { ...everywhere('kept'), anthropic: 'refused' } },
  { what: 'an image as data', fate: everywhere('kept') },
  { what: 'an image by address', fate: everywhere('kept') },
  { what: 'a PDF', fate: { ...everywhere('kept'), gemini: 'partly' } },
  { what: 'an image as the result of a tool', fate: { ...everywhere('kept'), openai: 'refused' } },
  { what: 'a PDF as the result of a tool', fate: { ...everywhere('kept'), openai: 'refused', gemini: 'partly' } },
  { what: 'a file that another provider keeps', fate: everywhere('refused') },
  { what: 'audio', fate: { ...everywhere('kept'), anthropic: 'refused', 'openai-responses': 'refused' } },
  { what: 'much reasoning', fate: everywhere('kept') },
  { what: 'no reasoning', fate: { ...everywhere('kept'), gemini: 'partly' } },
  { what: 'stop sequences', fate: { ...everywhere('kept'), 'openai-responses': 'refused' } },
  { what: 'log probabilities', fate: { ...everywhere('kept'), anthropic: 'refused' } },
  { what: 'a number of log probabilities without them', fate: { ...everywhere('named'), 'openai-responses': 'kept' } },
  { what: 'a choice among no tools', fate: { ...everywhere('named'), 'openai-responses': 'kept' } },
  { what: 'top k', fate: { ...everywhere('refused'), anthropic: 'kept', gemini: 'kept' } },
  { what: 'a limit, a temperature', fate: everywhere('kept') },
  { what: 'more than one choice', fate: { ...everywhere('refused'), openai: 'kept', gemini: 'kept whole' } },
  { what: 'a refusal of an earlier turn', fate: everywhere('kept') },
  { what: 'an earlier turn in which the model said nothing', fate: { ...everywhere('kept'), anthropic: 'named', 'openai-responses': 'named' } },
  { what: 'a mark for the prompt cache', fate: { ...everywhere('named'), anthropic: 'kept', 'openai-responses': 'kept' } },
  { what: 'a seed and who asks', fate: { openai: 'kept', anthropic: 'partly', gemini: 'named', 'openai-responses': 'named' } },
  { what: 'unknown members of a message and of a part', fate: everywhere('named') },
  { what: 'unknown members of a call and of its result', fate: everywhere('named') },
  { what: 'unknown members of a tool', fate: everywhere('named') },
  { what: 'a tool whose calls keep to its schema', fate: { ...everywhere('kept'), gemini: 'partly' } },
  { what: 'an answer by a schema that is described', fate: { ...everywhere('kept'), anthropic: 'partly', gemini: 'partly' } },
  { what: 'members that are called like something that every object has', fate: everywhere('named') },
];

/** Where a client finds what a provider of another API answered. A test reads every kind of answer through every API. */
export const TRANSLATED_ANSWERS: readonly { what: string; chat: string; messages: string; responses: string }[] = [
  { what: 'words and parallel tool calls', chat: 'content, tool_calls', messages: 'text and tool_use blocks', responses: 'message and function_call items' },
  { what: 'a call of a custom tool', chat: 'tool_calls of type custom', messages: 'cannot be asked for', responses: 'custom_tool_call item' },
  { what: 'thinking that is signed', chat: 'reasoning_content; signatures in reasoning_details', messages: 'thinking and redacted_thinking blocks', responses: 'reasoning item with encrypted_content' },
  { what: 'a refusal', chat: 'refusal', messages: 'text, stop_reason refusal', responses: 'refusal part' },
  { what: 'an answer that was blocked', chat: 'finish_reason content_filter', messages: 'stop_reason refusal', responses: 'response.incomplete' },
  { what: 'an answer that met its limit', chat: 'finish_reason length', messages: 'stop_reason max_tokens', responses: 'response.incomplete' },
  { what: 'a stop sequence that was met', chat: 'finish_reason stop', messages: 'stop_reason stop_sequence', responses: 'completed' },
  { what: 'log probabilities', chat: 'logprobs', messages: 'cannot be asked for', responses: 'logprobs of the text' },
  { what: 'tokens from the cache, and of reasoning', chat: 'details of usage', messages: 'cache_read_input_tokens, thinking_tokens', responses: 'details of usage' },
  { what: 'citations of the web', chat: 'annotations', messages: 'citations', responses: 'annotations' },
];

function everywhere(fate: Fate): Record<Wire, Fate> {
  return { openai: fate, anthropic: fate, gemini: fate, 'openai-responses': fate };
}
