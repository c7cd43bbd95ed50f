import { anthropic, gemini, openai, type Contact, type Step } from '../../e2e/harness';
import type { Wire } from '../providers';

/** What a scripted upstream says in each wire, so that one fault can be told in all of them. */
export interface WireWords {
  /** Behind the headers, before any content. */
  preamble: Step[];
  text(words: string): Step;
  /** A lawful end behind one text. */
  end: Step[];
  /** A whole JSON answer, and the same before it has named its end. */
  whole(words: string): unknown;
  unfinished(words: string): unknown;
  /** What that is: without an end a body is malformed, unless its API names a state always, and this one is no end. */
  unfinishedIs: 'malformed' | 'server_error';
  /** The body of an error status. */
  error(status: number, message: string): unknown;
  /** The provider is overloaded: said inside a stream, and in the place of a whole answer. */
  overloaded: Step;
  wholeOverloaded: unknown;
  /** The status that those name, or null. */
  overloadedStatus: number | null;
}

const openaiError = (status: number, message: string) => ({ error: { message, type: status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error', param: null, code: null } });

const RESPONSE = { id: 'resp_upstream', object: 'response', created_at: 1_700_000_000, model: 'scripted', error: null, incomplete_details: null };
const item = (words: string, status: string) => ({ id: 'msg_upstream', type: 'message', role: 'assistant', status, content: words === '' ? [] : [{ type: 'output_text', text: words, annotations: [] }] });
const usage = { input_tokens: 9, input_tokens_details: { cached_tokens: 0 }, output_tokens: 3, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 12 };
const event = (data: { type: string } & Record<string, unknown>): Step => ({ send: `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n` });
const response = (words: string, status: string) => ({ ...RESPONSE, status, output: [item(words, status)], usage: status === 'completed' ? usage : null });

const ANTHROPIC_TYPES: Record<number, string> = { 400: 'invalid_request_error', 401: 'authentication_error', 429: 'rate_limit_error', 500: 'api_error' };
const GOOGLE_NAMES: Record<number, string> = { 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 429: 'RESOURCE_EXHAUSTED', 500: 'INTERNAL' };

export const WIRE_WORDS: Record<Wire, WireWords> = {
  openai: {
    preamble: [openai.role()],
    text: openai.text,
    end: [openai.finish(), openai.usage(), openai.DONE],
    whole: openai.completion,
    unfinished: (words) => ({ ...openai.completion(words), choices: [{ index: 0, message: { role: 'assistant', content: words }, finish_reason: null }] }),
    unfinishedIs: 'malformed',
    error: openaiError,
    overloaded: openai.errorFrame('not now', { code: 503 }),
    wholeOverloaded: { error: { message: 'not now', type: 'server_error', code: 503 } },
    overloadedStatus: 503,
  },
  anthropic: {
    preamble: [anthropic.start(), anthropic.open(0), anthropic.ping],
    text: (words) => anthropic.text(words),
    end: [anthropic.close(), anthropic.finish(), anthropic.stop],
    whole: anthropic.message,
    unfinished: (words) => ({ ...anthropic.message(words), stop_reason: null }),
    unfinishedIs: 'malformed',
    error: (status, message) => ({ type: 'error', error: { type: ANTHROPIC_TYPES[status], message }, request_id: 'req_upstream' }),
    overloaded: anthropic.failing('overloaded_error'),
    wholeOverloaded: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    overloadedStatus: null,
  },
  gemini: {
    preamble: [gemini.preamble()],
    text: gemini.text,
    end: [gemini.finish()],
    whole: gemini.answer,
    unfinished: (words) => gemini.candidate([{ text: words }]),
    unfinishedIs: 'malformed',
    error: (status, message) => gemini.errorObject(status, GOOGLE_NAMES[status]!, message),
    overloaded: gemini.bareError(503, 'UNAVAILABLE'),
    wholeOverloaded: gemini.errorObject(503, 'UNAVAILABLE'),
    overloadedStatus: 503,
  },
  'openai-responses': {
    preamble: [
      event({ type: 'response.created', sequence_number: 0, response: { ...RESPONSE, status: 'in_progress', output: [] } }),
      event({ type: 'response.output_item.added', sequence_number: 1, output_index: 0, item: item('', 'in_progress') }),
      event({ type: 'response.content_part.added', sequence_number: 2, item_id: 'msg_upstream', output_index: 0, content_index: 0, part: { type: 'output_text', text: '', annotations: [] } }),
    ],
    text: (words) => event({ type: 'response.output_text.delta', sequence_number: 3, item_id: 'msg_upstream', output_index: 0, content_index: 0, delta: words }),
    end: [
      event({ type: 'response.output_item.done', sequence_number: 4, output_index: 0, item: item('said', 'completed') }),
      event({ type: 'response.completed', sequence_number: 5, response: response('said', 'completed') }),
    ],
    whole: (words) => response(words, 'completed'),
    unfinished: (words) => response(words, 'in_progress'),
    unfinishedIs: 'server_error',
    error: openaiError,
    overloaded: event({ type: 'error', sequence_number: 6, code: 'server_is_overloaded', message: 'not now', param: null }),
    wholeOverloaded: { ...RESPONSE, status: 'failed', output: [], error: { code: 'server_is_overloaded', message: 'not now' } },
    overloadedStatus: null,
  },
};

/** The model that a request asks for: one wire has it in the path. */
export function modelAsked({ path, body }: Contact): string {
  return /\/models\/([^/:]+):/.exec(path)?.[1] ?? (JSON.parse(body) as { model: string }).model;
}
