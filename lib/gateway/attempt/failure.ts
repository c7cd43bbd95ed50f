import type { Failure, FailureClass } from '../../wire';

interface Policy {
  /** The next tier may be asked. False: the fault is the caller's and is returned as it is. */
  nextTier: boolean;
  /** Counts against the connection + model pair. */
  degrades: boolean;
  /** The provider's sentence is about the request, and may quote it. */
  quotesRequest: boolean;
  /** Statuses and moments apart (see `retryDelayMs`), is it worth the one retry on the same tier? */
  transient: boolean;
  /** What the client gets when every visit ended in this class. */
  last: { status: number; code: string; type: string; message: string };
}

const upstream = 'upstream_error';

/** What hangs on the class of a failure. The adapter names the class; nothing else decides. */
export const POLICY: Record<FailureClass, Policy> = {
  connect: row(true, true, true, 502, 'upstream_unreachable', upstream, 'No provider that was asked gave an answer: each could not be reached, or broke the connection off before it began one.'),
  rate_limited: row(true, true, true, 429, 'upstream_rate_limited', 'rate_limit_error', 'Every tier that was asked is rate limited by its provider.'),
  quota: row(true, true, false, 429, 'insufficient_quota', 'insufficient_quota', 'The quota or balance is used up at every tier that was asked.'),
  auth: row(true, true, false, 502, 'upstream_auth_failed', upstream, 'Every provider that was asked rejected the credential that its connection holds. Your own key is fine.'),
  not_found: row(true, true, false, 404, 'model_not_found', 'invalid_request_error', 'No tier that was asked knows its model.'),
  server_error: row(true, true, true, 502, 'upstream_failed', upstream, 'Every tier that was asked failed.'),
  overloaded: row(true, true, true, 503, 'upstream_overloaded', upstream, 'Every tier that was asked is overloaded.'),
  timeout: row(true, true, false, 504, 'upstream_timeout', upstream, 'No tier that was asked answered in time.'),
  stalled: row(true, true, false, 504, 'upstream_timeout', upstream, 'Every tier that was asked opened its answer and then fell silent.'),
  cut: row(true, true, true, 502, 'upstream_failed', upstream, 'Every tier that was asked broke off before anything of its answer could be sent.'),
  malformed: row(true, true, false, 502, 'upstream_failed', upstream, 'Every tier that was asked sent an answer that could not be read.'),
  not_a_stream: row(true, true, false, 502, 'upstream_failed', upstream, 'Every tier that was asked answered with something that is no event stream.'),
  too_large: row(true, false, false, 413, 'request_too_large', 'invalid_request_error', 'The request is too large for every tier that was asked.'),
  context_length: row(true, false, false, 400, 'context_length_exceeded', 'invalid_request_error', 'The request is longer than the context of every tier that was asked.'),
  invalid_request: row(false, false, false, 400, 'invalid_request', 'invalid_request_error', 'The provider rejected the request.'),
  content_policy: row(false, false, false, 400, 'content_policy_violation', 'invalid_request_error', 'The provider refused the content of the request.'),
  deadline: row(true, false, false, 504, 'deadline_exceeded', upstream, "The route's deadline passed before any tier answered."),
  draining: row(false, false, false, 503, 'gateway_draining', 'gateway_error', 'This gateway process is shutting down. Try again.'),
};

function row(nextTier: boolean, degrades: boolean, transient: boolean, status: number, code: string, type: string, message: string): Policy {
  return { nextTier, degrades, quotesRequest: !degrades, transient, last: { status, code, type, message } };
}

/** A time-out of any kind, as far as the status of a rejected call goes. */
export const isTimeout = (cls: FailureClass): boolean => cls === 'timeout' || cls === 'stalled' || cls === 'deadline';

const RETRIED_STATUSES = new Set([408, 500, 502, 503, 504, 529]);
export const SHORT_RETRY_AFTER_MS = 2_000;
const RETRY_DELAY_MS = 250;

/**
 * How long to wait before the one retry on the same tier, or null when the tier must not be asked again.
 * Safe by construction: only asked while the client has received nothing and the provider has shown no
 * content, and only after refusals and deaths, never after silence (a silent provider may still be working, and billing).
 *
 * `moment`: `before_response` no response header arrived; `refused` a status other than 2xx;
 * `before_event` a 2xx that ended before its first event; `after_event` later.
 */
export function retryDelayMs(failure: Failure, moment: AttemptMoment, random: () => number): number | null {
  if (failure.class === 'timeout' && moment !== 'refused') return null;
  if (moment === 'after_event' || failure.class === 'stalled' || failure.class === 'deadline') return null;
  if (failure.class === 'rate_limited') {
    const wait = failure.retryAfterMs;
    return wait !== null && wait <= SHORT_RETRY_AFTER_MS ? wait : null;
  }
  if (moment === 'before_response') return failure.class === 'connect' ? 0 : null;
  const { transient } = POLICY[failure.class];
  // By the class first: a 500 that says "context too long" says the same the next time.
  const again = moment === 'refused' ? RETRIED_STATUSES.has(failure.upstreamStatus ?? 0) && (transient || failure.class === 'timeout') : transient;
  return again ? Math.round(RETRY_DELAY_MS * (0.8 + 0.4 * random())) : null;
}

export type AttemptMoment = 'before_response' | 'refused' | 'before_event' | 'after_event';
