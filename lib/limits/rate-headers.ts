import type { AskedBucket } from './counters';
import type { Take } from './gcra';

/**
 * What a client is told about its rates: `RateLimit-Policy` and `RateLimit` as structured fields
 * (draft-ietf-httpapi-ratelimit-headers-10), and OpenAI's `x-ratelimit-*` for each kind, of the bucket that is nearest
 * to its end. Empty where no rate applies.
 */
export function rateHeaders(buckets: readonly AskedBucket[], takes: readonly Take[]): Record<string, string> {
  const headers: Record<string, string> = {};
  const policies: string[] = [];
  const standings: string[] = [];
  for (const kind of ['requests', 'tokens'] as const) {
    const nearest = nearestToItsEnd(kind, buckets, takes);
    if (nearest === null) continue;
    const { limit, windowMs, remaining, resetMs } = nearest;
    policies.push(`"${kind}";q=${limit};w=${windowMs / 1000}`);
    standings.push(`"${kind}";r=${remaining};t=${wholeSeconds(resetMs)}`);
    headers[`x-ratelimit-limit-${kind}`] = String(limit);
    headers[`x-ratelimit-remaining-${kind}`] = String(remaining);
    headers[`x-ratelimit-reset-${kind}`] = duration(resetMs);
  }
  if (policies.length === 0) return headers;
  headers['ratelimit-policy'] = policies.join(', ');
  headers.ratelimit = standings.join(', ');
  return headers;
}

function nearestToItsEnd(kind: AskedBucket['kind'], buckets: readonly AskedBucket[], takes: readonly Take[]): (AskedBucket & Take) | null {
  let nearest: (AskedBucket & Take) | null = null;
  for (const [at, bucket] of buckets.entries()) {
    const taken = takes[at];
    if (bucket.kind !== kind || taken === undefined) continue;
    if (nearest === null || taken.remaining < nearest.remaining) nearest = { ...bucket, ...taken };
  }
  return nearest;
}

/** Rounded up; a sum of doubles a hair above a second is that second. */
const wholeSeconds = (ms: number): number => Math.ceil(Math.round(ms) / 1000);

/** As OpenAI writes it: `820ms`, `1s`, `6m0s`. */
function duration(ms: number): string {
  if (ms < 1_000) return `${Math.ceil(ms)}ms`;
  const seconds = wholeSeconds(ms);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
