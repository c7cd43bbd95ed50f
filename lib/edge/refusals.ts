import { rejection, type Rejection } from '../gateway/rejection';
import { sendRejection } from '../gateway/respond';
import { newId } from '../std';
import { type ClientError, surfaceSpokenBy } from '../surfaces';
import type { EdgeRequest } from './edge-request';

/** What the edge itself refuses. Everything else that is refused, a control plane refuses. */
export const NO_PLANE = (): Rejection =>
  rejection(503, { type: 'gateway_error', code: 'no_control_plane', message: 'No control plane of this gateway could be reached, or the one that was broke off before it answered. Try again.' }, { retryAfterS: 1, retry: true });

/** In the words of the API that was asked; in plain ones where it was none. */
export function refuse({ sink, surface, path, message, callId }: EdgeRequest, refused: Rejection): void {
  if (surface !== null || path.startsWith('/v1/')) return sendRejection(sink, surface ?? surfaceSpokenBy(message.headers), callId ?? newId('req'), refused, null);
  const headers: Record<string, string> = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  if (refused.retryAfterS !== null) headers['retry-after'] = String(refused.retryAfterS);
  if (refused.close) headers.connection = 'close';
  sink.head(refused.status, headers);
  sink.end(`${refused.error.message}\n`);
}

/** The end of a stream whose control plane is gone: the same frame as for a provider that is. */
export const truncation = ({ callId }: EdgeRequest, flushedBytes: number): ClientError => ({
  message: 'The control plane that served this stream is gone. The answer above is incomplete; nothing was spliced in.',
  type: 'gateway_error',
  code: 'stream_truncated',
  param: null,
  metadata: { state: 'committed', class: 'cut', upstream_status: null, flushed_bytes: flushedBytes, request_id: callId },
});
