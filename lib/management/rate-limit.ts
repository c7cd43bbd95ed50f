import type { Clock } from '../std';

export const REQUESTS_PER_MINUTE = 6000;
const WINDOW_MS = 60_000;
const MAX_TRACKED = 10_000;

export interface RateVerdict {
  allowed: boolean;
  remaining: number;
  /** Seconds until the window starts afresh, at least 1. */
  resetS: number;
}

/** A fixed window of one minute a management key, in this process. The least lately begun windows are forgotten first. */
export function createRateLimit(clock: Clock, limit: number = REQUESTS_PER_MINUTE) {
  const windows = new Map<string, { startedAt: number; used: number }>();
  return function take(id: string): RateVerdict {
    const now = clock.monotonic();
    let window = windows.get(id);
    if (window === undefined || now - window.startedAt >= WINDOW_MS) {
      windows.delete(id);
      if (windows.size >= MAX_TRACKED) windows.delete(windows.keys().next().value ?? id);
      window = { startedAt: now, used: 0 };
      windows.set(id, window);
    }
    const leftMs = WINDOW_MS - (now - window.startedAt);
    const resetS = Math.max(1, Math.ceil(leftMs / 1000));
    if (window.used >= limit) return { allowed: false, remaining: 0, resetS };
    window.used++;
    return { allowed: true, remaining: limit - window.used, resetS };
  };
}

/** IETF draft-ietf-httpapi-ratelimit-headers, structured fields. */
export function rateLimitHeaders(verdict: RateVerdict, limit: number = REQUESTS_PER_MINUTE): Record<string, string> {
  return { 'RateLimit-Policy': `"default";q=${limit};w=60`, RateLimit: `"default";r=${verdict.remaining};t=${verdict.resetS}` };
}
