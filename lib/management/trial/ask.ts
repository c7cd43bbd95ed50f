import type { Outbound, UpstreamError, UpstreamRequest } from '../../gateway/upstream';

export type Asked =
  | { type: 'answer'; status: number; headers: Record<string, string | string[] | undefined>; body: string; ms: number }
  | { type: 'error'; error: UpstreamError; ms: number }
  | { type: 'silent'; ms: number };

/** One small request through the product's own outbound client, with an end to the waiting. Keeps at most `maxBytes` of the body. */
export function ask(outbound: Outbound, request: UpstreamRequest, limits: { ms: number; maxBytes: number; signal: AbortSignal | undefined }): Promise<Asked> {
  const startedAt = performance.now();
  const ms = () => Math.round(performance.now() - startedAt);
  return new Promise((resolve) => {
    let status = 0;
    let headers: Record<string, string | string[] | undefined> = {};
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (asked: Asked) => {
      clearTimeout(timer);
      limits.signal?.removeEventListener('abort', giveUp);
      resolve(asked);
    };
    const answered = () => finish({ type: 'answer', status, headers, body: Buffer.concat(chunks).toString('utf8'), ms: ms() });
    const exchange = outbound.open(request, {
      onHead(givenStatus, givenHeaders) {
        status = givenStatus;
        headers = givenHeaders.all();
      },
      onData(chunk) {
        bytes += chunk.length;
        if (bytes <= limits.maxBytes) return void chunks.push(chunk);
        exchange.abort();
        answered();
      },
      onEnd: answered,
      onError: (error) => finish({ type: 'error', error, ms: ms() }),
    });
    const giveUp = () => {
      exchange.abort();
      finish({ type: 'silent', ms: ms() });
    };
    const timer = setTimeout(giveUp, limits.ms);
    limits.signal?.addEventListener('abort', giveUp, { once: true });
  });
}
