import { json, sseHead } from './openai-answers';
import type { Answer, Step } from './scripted-upstream';

/** OpenAI's Responses API, spelled for scripts. */

export const IDENTITY = { id: 'resp_upstream', object: 'response', created_at: 1_700_000_000, model: 'scripted' };
export const USAGE = { input_tokens: 9, input_tokens_details: { cached_tokens: 0 }, output_tokens: 3, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 12 };

export const event = (type: string, sequence: number, rest: Record<string, unknown>): Step => ({ send: `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...rest })}\n\n` });

const message = (text: string, status = 'completed') => ({ id: 'msg_1', type: 'message', status, role: 'assistant', content: text === '' ? [] : [{ type: 'output_text', annotations: [], logprobs: [], text }] });
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };

/** What comes before any content. */
export const preamble = (): Step[] => [
  event('response.created', 0, { response: { ...IDENTITY, status: 'in_progress', output: [], usage: null } }),
  event('response.in_progress', 1, { response: { ...IDENTITY, status: 'in_progress', output: [], usage: null } }),
  event('response.output_item.added', 2, { output_index: 0, item: message('', 'in_progress') }),
  event('response.content_part.added', 3, { ...place, part: { type: 'output_text', annotations: [], logprobs: [], text: '' } }),
];
export const text = (delta: string, sequence = 4): Step => event('response.output_text.delta', sequence, { ...place, delta, logprobs: [] });

/** A whole lawful stream of these words. */
export function streamOf(...words: string[]): Answer {
  const whole = words.join('');
  const after = 4 + words.length;
  return [
    sseHead(),
    ...preamble(),
    ...words.map((word, at) => text(word, 4 + at)),
    event('response.output_text.done', after, { ...place, text: whole, logprobs: [] }),
    event('response.output_item.done', after + 1, { output_index: 0, item: message(whole) }),
    event('response.completed', after + 2, { response: { ...IDENTITY, status: 'completed', error: null, incomplete_details: null, output: [message(whole)], usage: USAGE } }),
    'end',
  ];
}

/** A whole JSON answer. */
export const jsonOf = (said: string): Answer => json(200, { ...IDENTITY, status: 'completed', error: null, incomplete_details: null, output: [message(said)], usage: USAGE });
