import type { AttemptPlan, AttemptResult } from './attempt/run-attempt';
import type { OpenCall } from './open-call';
import type { StoredAnswer } from '../replay';
import type { Sink } from './ports';
import type { ClientError, Surface } from '../surfaces';
import type { Rejection } from './rejection';

const COMMITTED = 'pre-first-byte';

/** Headers of an answer: who serves it, and what the client may rely on. */
export function answerHeaders(call: OpenCall, plan: AttemptPlan, body: Buffer | null): Record<string, string> {
  const { connection, model } = plan.tier;
  return servedHeaders(call, plan.tierNumber, connection.provider, model, plan.dropped, body?.length ?? 0);
}

/** What the headers say of a call itself, whoever answers it. */
export type Disclosed = Pick<OpenCall, 'id' | 'routeLabel' | 'upstreamRequests' | 'complete' | 'replayed' | 'limitHeaders' | 'resolvedBy' | 'stream'>;

/** The same of an answer that is served again: they name its origin. */
export function storedHeaders(call: Disclosed, { origin }: StoredAnswer, body: string): Record<string, string> {
  return servedHeaders(call, origin.tier, origin.provider, origin.model, origin.dropped, Buffer.byteLength(body));
}

function servedHeaders(call: Disclosed, tier: number, provider: string, model: string, dropped: readonly string[], length: number): Record<string, string> {
  const headers = disclosure(call);
  headers['x-ohm-tier'] = String(tier);
  headers['x-ohm-provider'] = provider;
  headers['x-ohm-model'] = model;
  if (dropped.length > 0) headers['x-ohm-dropped-params'] = dropped.join(', ');
  if (call.stream) {
    headers['content-type'] = 'text/event-stream; charset=utf-8';
    headers['cache-control'] = 'no-cache, no-transform';
    headers['x-accel-buffering'] = 'no';
    headers['x-ohm-stream-failover'] = COMMITTED;
  } else {
    headers['content-type'] = 'application/json';
    headers['cache-control'] = 'no-store';
    headers['content-length'] = String(length);
  }
  return headers;
}

function disclosure(call: Disclosed): Record<string, string> {
  const headers: Record<string, string> = {
    'x-ohm-request-id': call.id,
    'x-ohm-route': call.routeLabel,
    'x-ohm-attempts': String(call.upstreamRequests),
    'x-ohm-commit': call.complete ? 'complete' : 'first_content',
  };
  if (call.replayed !== null) headers['x-at-cache'] = call.replayed;
  if (call.limitHeaders !== null) Object.assign(headers, call.limitHeaders);
  if (call.resolvedBy === 'fallback_model') headers['x-ohm-resolved'] = 'fallback_model';
  return headers;
}

/**
 * Hands status and headers over. A value that no header can carry (a model's name, say) is spelled without what is not
 * allowed: the row is written by now, so the answer goes out as it stands there.
 */
export function sendHead(sink: Sink, status: number, headers: Record<string, string>, report: ((error: unknown) => void) | null): void {
  try {
    sink.head(status, headers);
  } catch (error) {
    report?.(error);
    sink.head(status, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e]/g, '?')])));
  }
}

/** A refusal in the client's own dialect. */
export const refusalOf = (surface: Surface, refused: Rejection, id: string): { status: number; body: string } => surface.refusal(refused.error, refused.status, id);

/** One JSON error. `call` is there once a route was found. */
export function sendRejection(sink: Sink, surface: Surface, id: string, refused: Rejection, call: OpenCall | null): void {
  const { status, body } = refusalOf(surface, refused, id);
  const headers: Record<string, string> = {
    ...(call === null ? { 'x-ohm-request-id': id } : disclosure(call)),
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(body)),
  };
  if (refused.retryAfterS !== null) headers['retry-after'] = String(Math.max(1, Math.ceil(refused.retryAfterS)));
  if (!refused.retry) headers['x-should-retry'] = 'false';
  if (refused.allow !== undefined) headers.allow = refused.allow;
  if (refused.close) headers.connection = 'close';
  const last = call?.attempts.findLast((attempt) => attempt.state !== 'skipped');
  if (last) {
    headers['x-ohm-tier'] = String(last.tier);
    headers['x-ohm-provider'] = last.provider;
    headers['x-ohm-model'] = last.model;
  }
  sendHead(sink, status, headers, call === null ? null : call.engine.report);
  sink.write(body);
  sink.end();
}

/**
 * The error that ends a truncated stream, and with it the body. No `choices` and no `finish_reason`: one popular
 * client drops the error when they are there. No terminator follows, and the body ends cleanly.
 */
export function truncationError(call: OpenCall, plan: AttemptPlan, result: AttemptResult, flushedBytes: number): ClientError {
  const why = result.failure!;
  const draining = why.class === 'draining';
  return {
    message: draining
      ? 'This gateway process is shutting down and had to cut the stream. The answer above is incomplete.'
      : `The provider failed in the middle of the answer (${why.class}). The answer above is incomplete; no other model was spliced in.`,
    type: draining ? 'gateway_error' : 'upstream_error',
    code: truncationCode(result),
    param: null,
    metadata: {
      state: 'committed',
      class: why.class,
      upstream_status: result.row.upstream_status,
      flushed_bytes: flushedBytes,
      provider: plan.tier.connection.provider,
      model: plan.tier.model,
      request_id: call.id,
    },
  };
}

export const truncationCode = (result: AttemptResult): string => (result.failure?.class === 'draining' ? 'gateway_draining' : 'stream_truncated');
