const [S, MIN, H] = [1_000, 60_000, 3_600_000];

/** Pauses before the second try and each one after, ms: nine tries over some 28 hours. */
export const PAUSES_MS: readonly number[] = [5 * S, MIN, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 10 * H, 10 * H];

/** No receiver puts a message off for longer than this. */
const LONGEST_ASKED_MS = 12 * H;

/**
 * Pause after so many tries, ms; null when that was the last. With jitter, so that what failed together does not
 * come back together. A receiver that asks for a longer one gets it, up to 12 h. Pure.
 */
export function pauseAfter(tries: number, random: number, askedMs: number | null): number | null {
  const pause = PAUSES_MS[tries - 1];
  if (pause === undefined) return null;
  return Math.max(Math.round(pause * (0.9 + 0.2 * random)), Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}

/** Retry-After, as seconds or as a date, in ms from now; null without a sensible one. Pure. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
