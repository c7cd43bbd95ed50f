/**
 * The generic cell rate algorithm (ITU-T I.371, appendix I; the virtual scheduling form): a bucket of `limit` units
 * that refills evenly over `windowMs`. All of its state is one moment, `fullAtMs`: when the bucket will be full again.
 * A unit is a request or a token. Pure.
 */
export interface Bucket {
  /** Units a window. */
  limit: number;
  windowMs: number;
}

export interface Take {
  allowed: boolean;
  /** The state to keep: unchanged when it was refused. */
  fullAtMs: number;
  /** Whole units that are left. */
  remaining: number;
  /** Ms until the bucket is full again. */
  resetMs: number;
  /** Ms until a take of as many units would be allowed. */
  retryMs: number;
}

/** `fullAtMs`: what the last take gave, or 0. A take of more than the limit passes when the bucket is full: it could never pass otherwise; later takes wait for what it owes. */
export function take(bucket: Bucket, fullAtMs: number, nowMs: number, units: number): Take {
  const from = Math.max(fullAtMs, nowMs);
  const allowed = waitMs(bucket, from, nowMs, units) === 0;
  return { ...standing(bucket, allowed ? from + (units * bucket.windowMs) / bucket.limit : from, nowMs, units), allowed };
}

/** How a bucket stands that is full again at `fullAtMs`. */
export function standing(bucket: Bucket, fullAtMs: number, nowMs: number, units: number): Take {
  const { limit, windowMs } = bucket;
  const retryMs = waitMs(bucket, fullAtMs, nowMs, units);
  const remaining = Math.min(limit, Math.max(0, Math.floor(((nowMs + windowMs - fullAtMs) * limit) / windowMs + 1e-6)));
  return { allowed: retryMs === 0, fullAtMs, remaining, resetMs: Math.max(0, fullAtMs - nowMs), retryMs };
}

/** Gives units back, or takes some that cannot be refused any more (an estimate that proved too low). */
export const adjust = ({ limit, windowMs }: Bucket, fullAtMs: number, nowMs: number, units: number): number => Math.max(nowMs, fullAtMs) + (units * windowMs) / limit;

/** Redis keeps microseconds, and a quotient of two doubles may come out a hair above what it stands for. */
const ROUNDING_MS = 1e-3;

function waitMs({ limit, windowMs }: Bucket, fullAtMs: number, nowMs: number, units: number): number {
  const over = fullAtMs + (Math.min(units, limit) * windowMs) / limit - (nowMs + windowMs);
  return over > ROUNDING_MS ? over : 0;
}
