import type { Answer, Step } from './scripted-upstream';

/** The OpenAI wire, spelled for scripts. */

export const SSE_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8' };
export const sseHead = (headers: Record<string, string> = {}): Step => ({ head: 200, headers: { ...SSE_HEADERS, ...headers } });
export const frame = (data: unknown): Step => ({ send: `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n` });
export const DONE: Step = { send: 'data: [DONE]\n\n' };

export interface Identity {
  id: string;
  created: number;
  model: string;
}
export const IDENTITY: Identity = { id: 'chatcmpl-upstream', created: 1_700_000_000, model: 'scripted' };

/** One chat.completion.chunk. */
export const chunk = (delta: Record<string, unknown>, finishReason: string | null = null, identity: Identity = IDENTITY) => ({
  ...identity,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
});
export const role = (): Step => frame(chunk({ role: 'assistant', content: '' }));
export const text = (content: string): Step => frame(chunk({ content }));
export const finish = (reason = 'stop'): Step => frame(chunk({}, reason));
export const usage = (promptTokens = 9, completionTokens = 3): Step =>
  frame({
    ...IDENTITY,
    object: 'chat.completion.chunk',
    choices: [],
    usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: promptTokens + completionTokens },
  });

/** A whole lawful stream of these words. */
export const streamOf = (...words: string[]): Answer => [sseHead(), role(), ...words.map(text), finish(), usage(9, words.length), DONE, 'end'];

/** A whole JSON answer. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => {
  const bytes = typeof body === 'string' ? body : JSON.stringify(body);
  return [{ head: status, headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(bytes)), ...headers } }, { send: bytes }, 'end'];
};
export const completion = (content: string, identity: Identity = IDENTITY) => ({
  ...identity,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
});
export const jsonOf = (content: string): Answer => json(200, completion(content));

/** An error in OpenAI's shape. */
export const error = (status: number, message = 'scripted error', rest: { type?: string; code?: string | null; headers?: Record<string, string> } = {}): Answer =>
  json(status, { error: { message, type: rest.type ?? 'server_error', param: null, code: rest.code ?? null } }, rest.headers);
export const errorFrame = (message: string, rest: { type?: string; code?: string | number | null } = {}): Step =>
  frame({ error: { message, type: rest.type ?? 'server_error', param: null, code: rest.code ?? null } });
