import { nextDay, Refusal, startOfDay } from '../std';

export type UsageStep = 'day' | 'hour';

/** A time [from, to) cut into pieces, and what of each the hourly sums can answer. */
export interface UsageWindow {
  /** Beginnings of the pieces and the end of the last one, ms: one more than there are pieces. */
  bounds: number[];
  /** The whole blocks of four UTC hours inside each piece, and the whole hours beside these. */
  blocks: UsageRange[];
  hours: UsageRange[];
  /** What is left: parts of hours that a bound splits. Their calls are read from the rows. */
  parts: UsageRange[];
}

export interface UsageRange {
  piece: number;
  fromMs: number;
  toMs: number;
}

export const HOUR_MS = 3_600_000;
const BLOCK_MS = 4 * HOUR_MS;
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
  const blocks: UsageRange[] = [];
  const hours: UsageRange[] = [];
  const parts: UsageRange[] = [];
  for (let piece = 0; piece < bounds.length - 1; piece++) {
    const [start, end] = [bounds[piece]!, bounds[piece + 1]!];
    const [first, last] = [hourOf(start + HOUR_MS - 1), hourOf(end)];
    if (first >= last) {
      if (first > last) parts.push({ piece, fromMs: start, toMs: end }); // within one hour
      else parts.push({ piece, fromMs: start, toMs: first }, { piece, fromMs: last, toMs: end });
      continue;
    }
    const [firstBlock, lastBlock] = [blockOf(first + BLOCK_MS - 1), blockOf(last)];
    if (firstBlock < lastBlock) {
      blocks.push({ piece, fromMs: firstBlock, toMs: lastBlock });
      hours.push({ piece, fromMs: first, toMs: firstBlock }, { piece, fromMs: lastBlock, toMs: last });
    } else hours.push({ piece, fromMs: first, toMs: last });
    parts.push({ piece, fromMs: start, toMs: first }, { piece, fromMs: last, toMs: end });
  }
  const notEmpty = ({ fromMs, toMs }: UsageRange) => fromMs < toMs;
  return { bounds, blocks, hours: hours.filter(notEmpty), parts: parts.filter(notEmpty) };
}

/** A window of whole days of a zone: the one that holds `atMs` is its last, `days` in all. */
export function lastDays(days: number, atMs: number, zone: string): { fromMs: number; toMs: number } {
  let fromMs = startOfDay(atMs, zone);
  for (let i = 1; i < days; i++) fromMs = startOfDay(fromMs - 1, zone);
  return { fromMs, toMs: nextDay(atMs, zone) };
}

export const blockOf = (atMs: number): number => Math.floor(atMs / BLOCK_MS) * BLOCK_MS;

export const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS;

function invalid(field: string, message: string): Refusal {
  return new Refusal('invalid', `${field}: ${message}.`, [{ field, message }]);
}
