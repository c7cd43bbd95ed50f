import type { CallRow } from '@/lib/metering/call-row';

/**
 * The gateway's own headers on the answer, as the row determines them. `Retry-After`, length and
 * the connection's headers are not on record. Empty when the client left before any header.
 */
export function sentHeaders(call: CallRow): [name: string, value: string][] {
  if (call.status === null) return [];
  const asked = call.attempts.filter((attempt) => attempt.state !== 'skipped');
  const last = asked.at(-1);
  const answered = call.tier !== null;
  const tier = call.tier ?? last?.tier ?? null;
  const provider = call.provider ?? last?.provider ?? null;
  const model = call.model ?? last?.model ?? null;
  const streamed = call.stream && answered;
  return [
    ['X-Ohm-Request-Id', call.id],
    ['X-Ohm-Route', call.route],
    ...optional('X-Ohm-Tier', tier),
    ...optional('X-Ohm-Provider', provider),
    ...optional('X-Ohm-Model', model),
    ['X-Ohm-Attempts', String(call.replay === 'HIT' ? 0 : asked.length)],
    ['X-Ohm-Commit', call.commit],
    ...optional('X-AT-Cache', call.replay),
    ...(streamed ? [['X-Ohm-Stream-Failover', 'pre-first-byte'] as [string, string]] : []),
    ['Content-Type', streamed ? 'text/event-stream; charset=utf-8' : 'application/json'],
    ['Cache-Control', streamed ? 'no-cache, no-transform' : 'no-store'],
    ...(streamed ? [['X-Accel-Buffering', 'no'] as [string, string]] : []),
  ];
}

function optional(name: string, value: string | number | null): [string, string][] {
  return value === null ? [] : [[name, String(value)]];
}
