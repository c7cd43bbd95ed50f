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
  /** Ms until the same take would be allowed; 0 when it was. A take of more than a whole bucket waits for a full one. */
  retryMs: number;
}

/** `fullAtMs`: what the last take gave, or 0. A take of more than the limit passes when the bucket is full: it could never pass otherwise. */
export function take({ limit, windowMs }: Bucket, fullAtMs: number, nowMs: number, units: number): Take {
  const perUnit = windowMs / limit;
  const from = Math.max(fullAtMs, nowMs);
  const wanted = from + Math.min(units, limit) * perUnit;
  const over = wanted - (nowMs + windowMs);
  if (over > ROUNDING_MS) return standing(limit, perUnit, from, nowMs, windowMs, over);
  // What goes beyond a whole bucket is owed: later takes wait for it.
  return standing(limit, perUnit, from + units * perUnit, nowMs, windowMs, 0);
}

/** Gives units back, or takes some that cannot be refused any more (an estimate that proved too low). */
export const adjust = ({ limit, windowMs }: Bucket, fullAtMs: number, nowMs: number, units: number): number => Math.max(nowMs, fullAtMs) + (units * windowMs) / limit;

/** A quotient of two doubles may come out a hair above what it stands for. */
const ROUNDING_MS = 1e-6;

function standing(limit: number, perUnit: number, fullAtMs: number, nowMs: number, windowMs: number, overMs: number): Take {
  const remaining = Math.min(limit, Math.max(0, Math.floor((nowMs + windowMs - fullAtMs) / perUnit + 1e-9)));
  return { allowed: overMs === 0, fullAtMs, remaining, resetMs: Math.max(0, fullAtMs - nowMs), retryMs: overMs };
}
