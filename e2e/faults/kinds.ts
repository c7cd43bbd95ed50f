import type { FailureClass } from '@/lib/wire';
import { openai, type Answer, type Step } from '../harness';

/**
 * When the fault strikes. `instead`: in place of the answer. `preamble`: after headers and a role frame, before
 * content (JSON: after the headers). `content`: after content (JSON: in the middle of the body).
 */
export type Moment = 'instead' | 'preamble' | 'content';
export type Mode = 'stream' | 'json';

/** What the contract says must come of it. */
export type Verdict =
  /** The attempt is dropped without a trace; the tier is contacted `contacts` times in all. */
  | { outcome: 'dropped'; class: FailureClass; contacts: 1 | 2; status: number | null }
  /** The caller's own fault: given back, no other tier is asked. */
  | { outcome: 'returned'; class: FailureClass; status: number; code: string }
  /** Content was sent: the stream ends in-band. */
  | { outcome: 'truncated'; class: FailureClass; status: number | null }
  /** The stream survives, minus one frame. */
  | { outcome: 'mended' };

export interface Fault {
  script: Answer;
  verdict: Verdict;
  /** The tier gets short clocks. */
  silent: boolean;
}

export interface Kind {
  name: string;
  faults: Record<Mode, Partial<Record<Moment, Fault>>>;
}

const ID = { id: 'chatcmpl-bad', created: 1_700_000_001, model: 'bad-model' };
export const badFrame = (delta: Record<string, unknown>, finish: string | null = null): string => `data: ${JSON.stringify(openai.chunk(delta, finish, ID))}\n\n`;
/** What the failing tier has shown of itself before a fault after content. */
export const SHOWN = badFrame({ role: 'assistant', content: '' }) + badFrame({ content: 'part' });
const FINISHED = badFrame({ content: ' two' });
export const BAD_FINISH = badFrame({}, 'stop');
export const MENDED = SHOWN + FINISHED;

const send = (text: string | Buffer): Step => ({ send: text });
const head = openai.sseHead();
const role = send(badFrame({ role: 'assistant', content: '' }));
const shown = send(SHOWN);
const jsonHead: Step = { head: 200, headers: { 'content-type': 'application/json' } };
const WHOLE = JSON.stringify({ ...ID, object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'bad answer' }, finish_reason: 'stop' }] });
const half = send(WHOLE.slice(0, WHOLE.length / 2));

const dropped = (cls: FailureClass, contacts: 1 | 2 = 1, status: number | null = 200): Verdict => ({ outcome: 'dropped', class: cls, contacts, status });
const truncated = (cls: FailureClass, status: number | null = 200): Verdict => ({ outcome: 'truncated', class: cls, status });
const fault = (script: Answer, verdict: Verdict, silent = false): Fault => ({ script, verdict, silent });

/** A connection that ends like this, at any moment. */
function broken(name: string, step: 'reset' | 'close'): Kind {
  return {
    name,
    faults: {
      stream: {
        instead: fault([step], dropped('connect', 2, null)),
        preamble: fault([head, role, { waitMs: 20 }, step], dropped('cut')),
        content: fault([head, shown, { waitMs: 20 }, step], truncated('cut')),
      },
      json: {
        instead: fault([step], dropped('connect', 2, null)),
        preamble: fault([jsonHead, { waitMs: 20 }, step], dropped('cut', 2)),
        content: fault([jsonHead, half, { waitMs: 20 }, step], dropped('cut')),
      },
    },
  };
}

interface ErrorKind {
  class: FailureClass;
  error: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Contacts after an HTTP status, and after an error object inside a 200 that holds nothing else. */
  contacts: { http: 1 | 2; inside: 1 | 2 };
}

/** An error that the provider names: as a status, inside a stream, inside a whole body. */
function named(name: string, status: number, { class: cls, error, headers, contacts }: ErrorKind): Kind {
  const body = JSON.stringify({ error });
  const inside = JSON.stringify({ error: { ...error, code: status } });
  const returned = cls === 'invalid_request' || cls === 'content_policy';
  const before = (count: 1 | 2, code: string): Verdict => (returned ? { outcome: 'returned', class: cls, status, code } : dropped(cls, count, status));
  const instead = fault(openai.json(status, body, headers), before(contacts.http, String(error.code ?? status)));
  return {
    name,
    faults: {
      stream: {
        instead,
        preamble: fault([head, role, send(`data: ${inside}\n\n`), 'end'], before(1, String(status))),
        content: fault([head, shown, send(`data: ${inside}\n\n`), 'end'], truncated(cls, status)),
      },
      json: {
        instead,
        preamble: fault(openai.json(200, inside), before(contacts.inside, String(status))),
        content: fault([jsonHead, half, send(inside), 'end'], dropped('malformed')),
      },
    },
  };
}

/** Bytes that are no lawful frame, in the place of one. */
function garbled(name: string, bytes: string | Buffer, verdicts: { instead?: Verdict; preamble?: Verdict; content: Verdict; whole?: Verdict; after?: Step[] }): Kind {
  const { instead = dropped('malformed'), preamble = dropped('malformed'), content, whole = dropped('malformed'), after = [] } = verdicts;
  const rest: Step[] = content.outcome === 'mended' ? [send(FINISHED), send(BAD_FINISH), openai.DONE] : after;
  return {
    name,
    faults: {
      stream: {
        instead: fault([head, send(bytes), ...after, 'end'], instead),
        preamble: fault([head, role, send(bytes), ...after, 'end'], preamble),
        content: fault([head, shown, send(bytes), ...rest, 'end'], content),
      },
      json: {
        instead: fault([jsonHead, send(bytes), 'end'], whole),
        preamble: fault([jsonHead, send(' \n'), send(bytes), 'end'], whole),
        content: fault([jsonHead, half, send(bytes), 'end'], dropped('malformed')),
      },
    },
  };
}

const NOT_JSON = 'data: {"id":"chatcmpl-bad","choices":[{"index":0,"delta":{"content":"x\n\n';
const INVALID_UTF8 = Buffer.concat([Buffer.from('data: {"id":"chatcmpl-bad","choices":[{"index":0,"delta":{"content":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}}]}\n\n')]);
const HTML = '<html><head><title>502 Bad Gateway</title></head></html>\n\n';

export const KINDS: Kind[] = [
  broken('reset', 'reset'),
  broken('close', 'close'),
  {
    name: 'end without finish',
    faults: {
      stream: {
        instead: fault([head, 'end'], dropped('not_a_stream')),
        preamble: fault([head, role, 'end'], dropped('cut')),
        content: fault([head, shown, 'end'], truncated('cut')),
      },
      json: {
        instead: fault([jsonHead, 'end'], dropped('malformed')),
        preamble: fault([jsonHead, send(' \n'), 'end'], dropped('malformed')),
        content: fault([jsonHead, half, 'end'], dropped('malformed')),
      },
    },
  },
  {
    name: 'silence',
    faults: {
      stream: {
        instead: fault(['stall'], dropped('timeout', 1, null), true),
        preamble: fault([head, role, 'stall'], dropped('stalled'), true),
        content: fault([head, shown, 'stall'], truncated('stalled'), true),
      },
      json: {
        instead: fault(['stall'], dropped('timeout', 1, null), true),
        preamble: fault([jsonHead, 'stall'], dropped('stalled'), true),
        content: fault([jsonHead, half, 'stall'], dropped('stalled'), true),
      },
    },
  },
  named('429, retry at once', 429, { class: 'rate_limited', error: { message: 'slow down', type: 'requests', code: 'rate_limit_exceeded' }, headers: { 'retry-after': '0' }, contacts: { http: 2, inside: 1 } }),
  named('429, retry after 30 s', 429, { class: 'rate_limited', error: { message: 'slow down', type: 'requests', code: 'rate_limit_exceeded' }, headers: { 'retry-after': '30' }, contacts: { http: 1, inside: 1 } }),
  named('429 for spent money', 429, { class: 'quota', error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' }, contacts: { http: 1, inside: 1 } }),
  named('402', 402, { class: 'quota', error: { message: 'pay', type: 'payment', code: null }, contacts: { http: 1, inside: 1 } }),
  named('500', 500, { class: 'server_error', error: { message: 'boom', type: 'server_error', code: null }, contacts: { http: 2, inside: 2 } }),
  named('502', 502, { class: 'server_error', error: { message: 'bad gateway', type: 'server_error', code: null }, contacts: { http: 2, inside: 2 } }),
  named('503', 503, { class: 'overloaded', error: { message: 'not now', type: 'server_error', code: null }, contacts: { http: 2, inside: 2 } }),
  named('529', 529, { class: 'overloaded', error: { message: 'Overloaded', type: 'overloaded_error', code: null }, contacts: { http: 2, inside: 2 } }),
  named('501', 501, { class: 'server_error', error: { message: 'not here', type: 'server_error', code: null }, contacts: { http: 1, inside: 2 } }),
  named('524', 524, { class: 'server_error', error: { message: 'a proxy gave up', type: 'server_error', code: null }, contacts: { http: 1, inside: 2 } }),
  named('401', 401, { class: 'auth', error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' }, contacts: { http: 1, inside: 1 } }),
  named('403', 403, { class: 'auth', error: { message: 'no', type: 'permission_error', code: null }, contacts: { http: 1, inside: 1 } }),
  named('404', 404, { class: 'not_found', error: { message: 'The model does not exist', type: 'invalid_request_error', code: 'model_not_found' }, contacts: { http: 1, inside: 1 } }),
  named('409', 409, { class: 'server_error', error: { message: 'conflict', type: 'server_error', code: null }, contacts: { http: 1, inside: 2 } }),
  named('413', 413, { class: 'too_large', error: { message: 'too big', type: 'request_too_large', code: null }, contacts: { http: 1, inside: 1 } }),
  named('400, context too long', 400, { class: 'context_length', error: { message: 'maximum context length is 8192 tokens', type: 'invalid_request_error', code: 'context_length_exceeded' }, contacts: { http: 1, inside: 1 } }),
  named('400, bad request', 400, { class: 'invalid_request', error: { message: 'temperature is out of range', type: 'invalid_request_error', code: 'unsupported_value' }, contacts: { http: 1, inside: 1 } }),
  named('422', 422, { class: 'invalid_request', error: { message: 'unprocessable', type: 'invalid_request_error', code: 'unprocessable' }, contacts: { http: 1, inside: 1 } }),
  named('400, content policy', 400, { class: 'content_policy', error: { message: 'The prompt was flagged as unsafe', type: 'invalid_request_error', code: 'content_policy_violation' }, contacts: { http: 1, inside: 1 } }),
  garbled('a frame that is not JSON', NOT_JSON, { content: { outcome: 'mended' } }),
  garbled('two frames that are not JSON', NOT_JSON + NOT_JSON, { content: truncated('malformed') }),
  garbled('a frame of invalid UTF-8', INVALID_UTF8, { content: { outcome: 'mended' } }),
  garbled('a page of HTML in the stream', HTML, { content: truncated('cut') }),
  garbled('half a frame, then a reset', 'data: {"id":"chatcmpl-bad","choices":[{"ind', {
    instead: dropped('cut', 2),
    preamble: dropped('cut'),
    content: truncated('cut'),
    after: [{ waitMs: 20 }, 'reset'],
  }),
  garbled('[DONE] too early', 'data: [DONE]\n\n', { instead: dropped('not_a_stream'), preamble: dropped('cut'), content: truncated('cut') }),
  garbled('an error that is no SSE', `${JSON.stringify({ error: { message: 'gone', type: 'server_error', code: 503 } })}\n`, {
    instead: dropped('overloaded', 2, 503),
    preamble: dropped('overloaded', 1, 503),
    content: truncated('overloaded', 503),
    whole: dropped('overloaded', 2, 503), // in a JSON call it is an error object inside a 200
  }),
  garbled('an error that is only a sentence', 'data: {"error":"it broke"}\n\n', {
    instead: dropped('server_error', 2),
    preamble: dropped('server_error'),
    content: truncated('server_error'),
  }),
  garbled('a finish_reason that ends no answer', badFrame({}, 'insufficient_system_resource'), {
    instead: dropped('server_error', 2),
    preamble: dropped('server_error'),
    content: truncated('server_error'),
  }),
];
