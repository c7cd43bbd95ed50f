import type { AttemptRow, CallRow, UsageRow } from '../../../lib/metering/call-row';

/** Rows of the ledger as the engine writes them, with times fixed, to draw the contract with. */
export const exampleCalls = {
  /** A tier answered 503 twice (one retry), the next one served. */
  failedOver: call({
    id: 'call_01jexamplefai1edover000000',
    tier: 2,
    attempts: [
      attempt({ tier: 1, model: 'status:503', state: 'failed', class: 'overloaded', upstream_status: 503, message: 'Ohm sandbox, not a language model: answering 503, as the script says.', started_ms: 2, headers_ms: 38, duration_ms: 39 }),
      attempt({ tier: 1, model: 'status:503', state: 'failed', class: 'overloaded', upstream_status: 503, message: 'Ohm sandbox, not a language model: answering 503, as the script says.', started_ms: 284, headers_ms: 38, duration_ms: 39 }),
      attempt({ tier: 2, model: 'text:20', state: 'finished', bytes: 6248, started_ms: 324, headers_ms: 48, first_content_ms: 106, duration_ms: 790 }),
    ],
    flushed_bytes: 6248, first_content_ms: 430, duration_ms: 1116, finish_reason: 'stop', alert_class: 'overloaded.before_content',
  }),
  /** The first tier sent a role frame and then nothing: held, dropped, never shown to the client. */
  stalledThenServed: call({
    id: 'call_01jexamp1esta11ed00000000',
    tier: 2,
    attempts: [
      attempt({ tier: 1, model: 'role,stall', state: 'failed', class: 'stalled', upstream_status: 200, message: 'headers, then no content in time', started_ms: 2, headers_ms: 43, duration_ms: 1500 }),
      attempt({ tier: 2, model: 'text:20', state: 'finished', bytes: 6248, started_ms: 1503, headers_ms: 47, first_content_ms: 107, duration_ms: 900 }),
    ],
    flushed_bytes: 6248, first_content_ms: 1610, duration_ms: 2405, finish_reason: 'stop', alert_class: 'stalled.before_content',
  }),
  /** The provider broke after content: the client is told so, and no other tier is asked. */
  truncated: call({
    id: 'call_01jexamp1etruncated00000',
    state: 'truncated', tier: 1, error_code: 'stream_truncated',
    attempts: [
      attempt({ tier: 1, model: 'text:40,error:429', state: 'truncated', class: 'rate_limited', upstream_status: 429, message: 'the stream carried an error', bytes: 5312, started_ms: 2, headers_ms: 58, first_content_ms: 178, duration_ms: 1400 }),
    ],
    flushed_bytes: 5702, first_content_ms: 180, duration_ms: 1404, alert_class: 'rate_limited.after_content', usage_source: 'estimate', usage_estimated: ['prompt_tokens', 'completion_tokens', 'total_tokens'],
    usage: usage(12, 160),
  }),
  /** Every tier failed: one honest JSON error, no 200. */
  rejected: call({
    id: 'call_01jexamp1erejected000000',
    state: 'rejected', status: 502, tier: null, error_code: 'all_tiers_failed', provider: null, model: null, model_reported: null, connection_id: null,
    attempts: [
      attempt({ tier: 1, model: 'status:401', state: 'failed', class: 'auth', upstream_status: 401, message: 'Ohm sandbox, not a language model: answering 401, as the script says.', started_ms: 2, headers_ms: 58, duration_ms: 60 }),
      attempt({ tier: 2, model: 'headers,reset', state: 'failed', class: 'cut', upstream_status: 200, message: 'the connection ended before any content', started_ms: 64, headers_ms: 66, duration_ms: 150 }),
      attempt({ tier: 2, model: 'headers,reset', state: 'failed', class: 'cut', upstream_status: 200, message: 'the connection ended before any content', started_ms: 464, headers_ms: 66, duration_ms: 150 }),
    ],
    flushed_bytes: 612, first_content_ms: null, duration_ms: 617, alert_class: 'cut.before_content', usage: null, usage_source: null, cost_nano_usd: null, price_version: null,
  }),
  /** The client hung up in the middle of the answer; the upstream was let go at once. */
  clientLeft: call({
    id: 'call_01jexamp1ec1ient1eft0000',
    state: 'aborted', tier: 1,
    attempts: [attempt({ tier: 1, model: 'text:200', state: 'aborted', bytes: 3120, started_ms: 2, headers_ms: 53, first_content_ms: 118, duration_ms: 640 })],
    flushed_bytes: 3120, first_content_ms: 120, duration_ms: 642, usage_source: 'estimate', usage_estimated: ['completion_tokens', 'total_tokens'], usage: usage(12, 48),
  }),
  /** Two tiers stood out: one was cooling down, one could not carry the request. */
  skipped: call({
    id: 'call_01jexamp1eskipped0000000',
    tier: 3,
    attempts: [
      attempt({ tier: 1, model: 'status:503', state: 'skipped', skip_reason: 'degraded', started_ms: 2, duration_ms: 0 }),
      attempt({ tier: 2, model: 'text:5', state: 'skipped', skip_reason: 'cannot_represent', started_ms: 2, duration_ms: 0 }),
      attempt({ tier: 3, model: 'text:20', state: 'finished', bytes: 6248, started_ms: 2, headers_ms: 48, first_content_ms: 108, duration_ms: 800 }),
    ],
    flushed_bytes: 6248, first_content_ms: 110, duration_ms: 804, finish_reason: 'stop',
  }),
} satisfies Record<string, CallRow>;

function attempt(of: Partial<AttemptRow> & Pick<AttemptRow, 'tier' | 'model' | 'state' | 'started_ms' | 'duration_ms'>): AttemptRow {
  return {
    connection: 'sandbox',
    provider: 'sandbox',
    skip_reason: null,
    class: null,
    upstream_status: of.state === 'skipped' ? null : 200,
    message: null,
    bytes: 0,
    headers_ms: null,
    first_content_ms: null,
    usage: null,
    ...of,
  };
}

function call(of: Partial<CallRow> & Pick<CallRow, 'id' | 'attempts'> & { duration_ms: number }): CallRow {
  return {
    workspace_id: 'ws_01jexamp1e0000000000000000',
    key_id: 'key_01jexamp1e000000000000000',
    created_at: '2026-01-05T09:30:00.000Z',
    finished_at: new Date(Date.parse('2026-01-05T09:30:00.000Z') + of.duration_ms).toISOString(),
    route: 'demo',
    requested_model: 'demo',
    surface: 'chat.completions',
    stream: true,
    commit: 'first_content',
    request_bytes: 96,
    tag: null,
    state: 'finished',
    replay: 'BYPASS',
    status: 200,
    error_code: null,
    tier: 1,
    connection_id: 'conn_01jexamp1e00000000000000',
    provider: 'sandbox',
    model: of.attempts.at(-1)!.model,
    model_reported: of.attempts.at(-1)!.model,
    flushed_bytes: 0,
    malformed_events: 0,
    finish_reason: null,
    alert_class: null,
    usage: usage(12, 20),
    usage_source: 'provider',
    usage_estimated: [],
    cost_nano_usd: 0,
    price_version: 'sandbox',
    first_content_ms: null,
    ...of,
  };
}

function usage(prompt: number, completion: number): UsageRow {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
}
