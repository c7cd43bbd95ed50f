import type { Clock } from '../std';
import { adjust, type Bucket, take, type Take } from './gcra';

/** Where buckets and open calls are counted: in this process, or where several processes share them. */
export interface Counters {
  /**
   * Takes from every bucket, or from none when one of them refuses. Calls in flight are counted with a lease, so that
   * those of a killed process come free by themselves. Synchronous where the answer is at hand.
   */
  admit(asked: Asked): Verdict | Promise<Verdict>;
  /** The call is over: its place is free, and the tokens that it really used stand in place of the estimate. */
  release(asked: Asked, tokenDelta: number): void;
}

export interface Asked {
  callId: string;
  buckets: AskedBucket[];
  places: { key: string; limit: number }[];
}

export interface AskedBucket extends Bucket {
  key: string;
  kind: 'requests' | 'tokens';
  units: number;
}

export interface Verdict {
  /** Same order as the buckets asked for. */
  takes: Take[];
  /** The first that refused, or null: a bucket, or `places`. */
  refused: { kind: 'requests' | 'tokens' | 'concurrent'; limit: number; retryMs: number } | null;
}

/** A place of a call that never ended here (its process was killed) comes free after this long. */
export const LEASE_MS = 60 * 60 * 1_000;

/** Buckets that are full again are forgotten; beyond this many of them they are looked for. */
const SWEEP_AT = 10_000;

/** Counters of one process. */
export function processCounters(clock: Clock): Counters {
  const fullAt = new Map<string, number>();
  const open = new Map<string, number>();

  return {
    admit({ buckets, places }) {
      const now = clock.monotonic();
      const takes = buckets.map((bucket) => take(bucket, fullAt.get(bucket.key) ?? 0, now, bucket.units));
      const full = places.find(({ key, limit }) => (open.get(key) ?? 0) >= limit);
      if (full !== undefined) return { takes, refused: { kind: 'concurrent', limit: full.limit, retryMs: 1_000 } };
      const late = takes.findIndex((each) => !each.allowed);
      if (late !== -1) return { takes, refused: { kind: buckets[late]!.kind, limit: buckets[late]!.limit, retryMs: takes[late]!.retryMs } };
      for (const [at, { key }] of buckets.entries()) fullAt.set(key, takes[at]!.fullAtMs);
      for (const { key } of places) open.set(key, (open.get(key) ?? 0) + 1);
      if (fullAt.size > SWEEP_AT) sweep(now);
      return { takes, refused: null };
    },
    release({ buckets, places }, tokenDelta) {
      const now = clock.monotonic();
      for (const bucket of buckets) {
        if (bucket.kind === 'tokens' && tokenDelta !== 0) fullAt.set(bucket.key, adjust(bucket, fullAt.get(bucket.key) ?? 0, now, tokenDelta));
      }
      for (const { key } of places) {
        const left = (open.get(key) ?? 1) - 1;
        if (left > 0) open.set(key, left);
        else open.delete(key);
      }
    },
  };

  function sweep(now: number): void {
    for (const [key, moment] of fullAt) if (moment <= now) fullAt.delete(key);
  }
}
