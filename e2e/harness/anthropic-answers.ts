import { json, sseHead } from './openai-answers';
import type { Answer, Step } from './scripted-upstream';

/** The Anthropic wire, spelled for scripts. */

export { json, sseHead };

export const event = (data: { type: string } & Record<string, unknown>): Step => ({ send: `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n` });

const MESSAGE = { id: 'msg_upstream', type: 'message', role: 'assistant', model: 'claude-scripted' };

export const start = (inputTokens = 9): Step =>
  event({ type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: inputTokens, output_tokens: 1 } } });
export const ping: Step = { send: 'event: ping\ndata: {"type": "ping"}\n\n' };
export const open = (index: number, block: Record<string, unknown> = { type: 'text', text: '' }): Step => event({ type: 'content_block_start', index, content_block: block });
export const delta = (index: number, change: Record<string, unknown>): Step => event({ type: 'content_block_delta', index, delta: change });
export const text = (words: string, index = 0): Step => delta(index, { type: 'text_delta', text: words });
export const close = (index = 0): Step => event({ type: 'content_block_stop', index });
export const finish = (reason = 'end_turn', outputTokens = 3): Step => event({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: outputTokens } });
export const stop = event({ type: 'message_stop' });
export const failing = (type: string, message = 'scripted error'): Step => event({ type: 'error', error: { type, message } });

/** A whole lawful stream of these words. */
export const streamOf = (...words: string[]): Answer => [sseHead(), start(), open(0), ping, ...words.map((word) => text(word)), close(), finish('end_turn', words.length), stop, 'end'];

export const message = (content: string) => ({ ...MESSAGE, content: [{ type: 'text', text: content }], stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 9, output_tokens: 3 } });
export const jsonOf = (content: string): Answer => json(200, message(content));

/** An error in Anthropic's shape. */
export const error = (status: number, type: string, text = 'scripted error', headers: Record<string, string> = {}): Answer => json(status, { type: 'error', error: { type, message: text }, request_id: 'req_upstream' }, headers);
