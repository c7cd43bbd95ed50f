import { failure, type Failure, type FailureClass } from '../../wire';
import { excerpt } from '../redact';
import { readErrorBody, readErrorObject, type ErrorBody } from './error-body';

type Headers = Record<string, string | string[] | undefined>;

/** An HTTP answer other than 2xx. */
export function refusal(status: number, headers: Headers, body: string): Failure {
  const error = readErrorBody(body);
  const cls = classify(status, error);
  return toFailure(cls, status, error, retryAfterMs(headers) ?? (cls === 'rate_limited' || cls === 'overloaded' ? error.retryAfterMs ?? spokenDelayMs(error.message) : null));
}

/** An error object inside a 200: its class comes from what it says, its status from the number that it names. */
export function errorInside(value: unknown): Failure {
  const error = readErrorObject(value);
  return toFailure(classify(error.status, error), error.status, error, error.retryAfterMs);
}

/**
 * The class of a failure. What the provider says goes before its status, because vendors disagree on statuses:
 * spent money is 400, 402, 403 or 429, a prompt that is too long 400, 413 or 500, an overload 429, 503 or 529.
 */
export function classify(status: number | null, error: Pick<ErrorBody, 'message' | 'type' | 'code'>): FailureClass {
  const names = `${error.type ?? ''} ${error.code ?? ''}`;
  for (const rule of RULES) {
    if (rule.statuses !== undefined && status !== null && !rule.statuses.includes(status)) continue;
    if (rule.names?.test(names) || rule.message?.test(error.message)) return rule.class;
  }
  if (status !== null) return byStatus(status);
  for (const [pattern, cls] of BY_TYPE) if (pattern.test(names)) return cls;
  return 'server_error';
}

interface Rule {
  class: FailureClass;
  /** Only with one of these statuses, or none. Without the member: always. */
  statuses?: number[];
  /** Looked for in type and code. */
  names?: RegExp;
  message?: RegExp;
}

const CALLER = [400, 403, 413, 422, 500];

const RULES: Rule[] = [
  { class: 'content_policy', statuses: [400, 403, 422, 451, 500], names: /content_?(?:filter|policy)|ResponsibleAIPolicy|policy_violation|data_inspection_failed|moderation|content_blocked|prohibited_content|safety/i, message: /content (?:management )?polic(?:y|ies)|content filter|(?:flagged|rejected|blocked) (?:by|as|for|due)|safety system|inappropriate content|data inspection/i },
  { class: 'context_length', statuses: CALLER, names: /context_(?:length|window|size)|exceed_context|prompt_too_long|input_too_long|max_input_tokens/i, message: /maximum context (?:length|size|window)|context (?:length|window|size|limit)[^.]*(?:exceed|too (?:small|long|large)|limit|overflow)|exceed[^.]*context|(?:prompt|input|messages?|conversation)(?: \w+){0,3} (?:is|are) too (?:long|large)|(?:input|prompt)[ _](?:length|tokens?|token count)[^.]*exceed|longer than the model|too many (?:input|prompt) tokens|reduce the length of (?:the|your) (?:messages|prompt|input)|exceed[^.]* (?:input|prompt) tokens/i },
  { class: 'quota', names: /insufficient_(?:quota|credits?|balance|funds)|billing|credit_balance|spend_limit|usage_limit_exceeded|exceeded_current_quota|quota_exceeded|payment_required|account_overdue|arrearage/i, message: /insufficient (?:credits?|balance|quota|funds)|credit balance is too low|out of credits|no (?:remaining )?credits|billing (?:hard )?limit|spend(?:ing)? limit|(?:purchase|add|buy) more credits|account (?:is )?(?:in arrears|overdue|suspended due)/i },
  { class: 'rate_limited', names: /RESOURCE_EXHAUSTED/ }, // Google says "quota" for requests a minute
  { class: 'quota', message: /exceeded your current quota/i },
  { class: 'overloaded', names: /overload|over_?capacity|capacity_exceeded|no_capacity|(?:^| )UNAVAILABLE(?: |$)/i, message: /\boverloaded\b|(?:over|at|out of|no available) capacity/i },
  { class: 'auth', names: /invalid_?api_?key|API_KEY_INVALID|UNAUTHENTICATED|incorrect_api_key/i, message: /api key not valid|(?:incorrect|invalid|wrong) api[ _-]?key/i },
  { class: 'not_found', statuses: [400, 404, 422], names: /model_not_(?:found|available|exist)|invalid_model|unknown_model|NOT_FOUND/i, message: /model\b[^.]{0,120}(?:does not exist|not exist|not found|is not (?:a valid|supported|available))|(?:invalid|unknown|no such) model\b|not a valid model/i },
  { class: 'rate_limited', statuses: [400, 403, 413, 429, 500, 503], names: /rate_?limit|too_many_requests|throttl|slow_down/i },
];

/** For errors without any status, inside a stream. */
const BY_TYPE: [RegExp, FailureClass][] = [
  [/authentication|unauthorized|permission|forbidden/i, 'auth'],
  [/not_?found/i, 'not_found'],
  [/time_?out|DEADLINE_EXCEEDED/i, 'timeout'],
  [/too_large/i, 'too_large'],
  [/unavailable/i, 'overloaded'],
  [/invalid_?request|bad_?request|validation|INVALID_ARGUMENT|unsupported_(?:value|parameter)/i, 'invalid_request'],
  [/^ ?(?:requests|tokens)\b/, 'rate_limited'],
];

function byStatus(status: number): FailureClass {
  const named = STATUSES[status];
  if (named !== undefined) return named;
  return status >= 400 && status < 500 ? 'invalid_request' : 'server_error';
}

const STATUSES: Record<number, FailureClass> = {
  401: 'auth',
  402: 'quota',
  403: 'auth',
  404: 'not_found',
  405: 'not_found', // the base URL leads to something else
  407: 'auth',
  408: 'timeout',
  409: 'server_error',
  410: 'not_found', // a retired model
  413: 'too_large',
  425: 'server_error',
  429: 'rate_limited',
  499: 'server_error',
  503: 'overloaded',
  529: 'overloaded',
};

function toFailure(cls: FailureClass, status: number | null, error: ErrorBody, retryAfter: number | null): Failure {
  const said = error.message === '' ? (status === null ? 'the upstream reported an error' : `status ${status} without a message`) : error.message;
  const { type, code, param } = error;
  return failure(cls, excerpt(said, 300), { upstreamStatus: status, retryAfterMs: retryAfter, upstreamError: { message: said, type, code, param } });
}

/** retry-after-ms, or Retry-After as seconds or as a date (measured from the answer's own Date). */
function retryAfterMs(headers: Headers): number | null {
  const ms = Number.parseFloat(String(headers['retry-after-ms'] ?? ''));
  if (ms >= 0) return Math.round(ms);
  const after = String(headers['retry-after'] ?? '').trim();
  if (/^\d+(?:\.\d+)?$/.test(after)) return Math.round(Number(after) * 1000);
  const date = Date.parse(after);
  if (Number.isNaN(date)) return null;
  const answered = Date.parse(String(headers.date ?? ''));
  return Math.max(0, date - (Number.isNaN(answered) ? Date.now() : answered));
}

/** "Please try again in 1.2s", "retry after 8 seconds": the only place where some vendors tell. */
function spokenDelayMs(message: string): number | null {
  const said = /(?:try again|retry) (?:in|after) ([\d.]+) ?(ms|milliseconds?|s|secs?|seconds?)\b/i.exec(message);
  const number = Number.parseFloat(said?.[1] ?? '');
  if (!(number >= 0)) return null;
  return Math.round(said![2]!.startsWith('m') ? number : number * 1000);
}
