import { nextDay, Refusal, startOfDay } from '../std';

export type UsageStep = 'day' | 'hour';

/** A time [from, to) cut into pieces, and which of its hours the sums cannot answer whole. */
export interface UsageWindow {
  /** Beginnings of the pieces and the end of the last one, ms: one more than there are pieces. */
  bounds: number[];
  /** UTC hours with a bound inside: their calls are read from the rows. */
  splitHours: number[];
}

export const HOUR_MS = 3_600_000;
/** More pieces than anybody looks at; three months of hours, five years of days. */
export const MOST_PIECES = 2_208;

/**
 * Cuts at the midnights of a zone, or at the hours of UTC (so that the sums, which are by these, answer them in
 * every zone). The first and the last piece end where the window does.
 */
export function usageWindow(fromMs: number, toMs: number, step: UsageStep | null, zone: string): UsageWindow {
  if (!(fromMs < toMs)) throw invalid('to', 'must be later than `from`');
  const pieces = step === null ? 1 : (toMs - fromMs) / (step === 'hour' ? HOUR_MS : 24 * HOUR_MS);
  if (pieces > MOST_PIECES) throw invalid('from', `lies more than ${MOST_PIECES} ${step}s before \`to\``);
  const bounds = [fromMs];
  const next = step === 'hour' ? (at: number) => hourOf(at) + HOUR_MS : (at: number) => nextDay(at, zone);
  if (step !== null) for (let at = next(fromMs); at < toMs; at = next(at)) bounds.push(at);
  bounds.push(toMs);
  return { bounds, splitHours: [...new Set(bounds.filter((bound) => bound % HOUR_MS !== 0).map(hourOf))] };
}

/** A window of whole days of a zone: the one that holds `atMs` is its last, `days` in all. */
export function lastDays(days: number, atMs: number, zone: string): { fromMs: number; toMs: number } {
  let fromMs = startOfDay(atMs, zone);
  for (let i = 1; i < days; i++) fromMs = startOfDay(fromMs - 1, zone);
  return { fromMs, toMs: nextDay(atMs, zone) };
}

export const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS;

function invalid(field: string, message: string): Refusal {
  return new Refusal('invalid', `${field}: ${message}.`, [{ field, message }]);
}
