import type { CallRow } from '@/lib/metering/call-row';

/**
 * The gateway's own headers on the answer, as the row determines them: those of `lib/gateway/respond.ts`.
 * Empty when the client left before any header; null of a lost call, where nobody knows.
 */
export function sentHeaders(call: CallRow): Header[] | null {
  if (call.state === 'lost') return null;
  if (call.status === null) return [];
  return call.state === 'rejected' ? refusalHeaders(call) : answerHeaders(call);
}

/** What else the gateway may have sent, beside the headers of the connection itself: the row does not say whether, or with which value. */
export const NOT_ON_RECORD = ['Allow', 'Retry-After', 'X-Ohm-Resolved', 'X-Ohm-Dropped-Params', 'RateLimit', 'RateLimit-Policy', 'x-ratelimit-*'];

type Header = [name: string, value: string];

function answerHeaders(call: CallRow): Header[] {
  return [
    ...disclosure(call),
    ...optional('X-Ohm-Tier', call.tier),
    ...optional('X-Ohm-Provider', call.provider),
    ...optional('X-Ohm-Model', call.model),
    ...(call.stream
      ? ([
          ['Content-Type', 'text/event-stream; charset=utf-8'],
          ['Cache-Control', 'no-cache, no-transform'],
          ['X-Accel-Buffering', 'no'],
          ['X-Ohm-Stream-Failover', 'pre-first-byte'],
        ] satisfies Header[])
      : whole(call)),
  ];
}

/** A refusal discloses a route only when the call was opened on one: a route without a tier opens none. */
function refusalHeaders(call: CallRow): Header[] {
  const opened = call.route !== null && call.route !== '' && call.error_code !== 'no_tiers';
  const last = asked(call).at(-1);
  return [
    ...(opened ? disclosure(call) : ([['X-Ohm-Request-Id', call.id]] satisfies Header[])),
    ...optional('X-Ohm-Tier', last?.tier ?? null),
    ...optional('X-Ohm-Provider', last?.provider ?? null),
    ...optional('X-Ohm-Model', last?.model ?? null),
    ...whole(call),
    ...(MAY_RETRY.has(call.error_code) ? [] : ([['X-Should-Retry', 'false']] satisfies Header[])),
  ];
}

/** The refusals that a client may try again by itself. */
const MAY_RETRY = new Set<string | null>(['rate_limit_exceeded', 'upstream_rate_limited', 'gateway_draining', 'body_budget_exceeded', 'request_timeout', 'dependency_unavailable']);

const disclosure = (call: CallRow): Header[] => [
  ['X-Ohm-Request-Id', call.id],
  ...optional('X-Ohm-Route', call.route),
  ['X-Ohm-Attempts', String(call.replay === 'HIT' ? 0 : asked(call).length)],
  ['X-Ohm-Commit', call.commit],
  ...optional('X-AT-Cache', call.replay),
];

/** One JSON document; its length is what was flushed, unless the client left in the middle. */
const whole = (call: CallRow): Header[] => [
  ['Content-Type', 'application/json'],
  ['Cache-Control', 'no-store'],
  ...optional('Content-Length', call.state === 'aborted' ? null : call.flushed_bytes),
];

const asked = (call: CallRow) => call.attempts.filter((attempt) => attempt.state !== 'skipped');

function optional(name: string, value: string | number | null): Header[] {
  return value === null ? [] : [[name, String(value)]];
}
