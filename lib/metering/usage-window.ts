import { nextDay, Refusal, startOfDay } from '../std';

export type UsageStep = 'day' | 'hour';

/** A time [from, to) cut into pieces, and each of these into what there are sums of: the longest first. */
export interface UsageWindow extends Record<UsageUnit, UsageRange[]> {
  /** Beginnings of the pieces and the end of the last one, ms: one more than there are pieces. */
  bounds: number[];
}

/** Days of UTC, blocks of four hours, hours, parts of hours; `rows` is what is left, whose calls must be counted. */
export type UsageUnit = 'days' | 'blocks' | 'hours' | 'parts' | 'rows';

export interface UsageRange {
  piece: number;
  fromMs: number;
  toMs: number;
}

export const HOUR_MS = 3_600_000;
const BLOCK_MS = 4 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;
/** More pieces than anybody looks at; three months of hours, five years of days. */
export const MOST_PIECES = 2_208;

/**
 * Cuts at the midnights of a zone, or at the hours of UTC (so that the sums, which are by these, answer them in
 * every zone). The first and the last piece end where the window does.
 */
export function usageWindow(fromMs: number, toMs: number, step: UsageStep | null, zone: string): UsageWindow {
  if (!(fromMs < toMs)) throw invalid('to', 'must be later than `from`');
  const pieces = step === null ? 1 : (toMs - fromMs) / (step === 'hour' ? HOUR_MS : DAY_MS);
  if (pieces > MOST_PIECES) throw invalid('from', `lies more than ${MOST_PIECES} ${step}s before \`to\``);
  const bounds = [fromMs];
  const next = step === 'hour' ? (at: number) => hourOf(at) + HOUR_MS : (at: number) => nextDay(at, zone);
  if (step !== null) for (let at = next(fromMs); at < toMs; at = next(at)) bounds.push(at);
  bounds.push(toMs);
  const window: UsageWindow = { bounds, days: [], blocks: [], hours: [], parts: [], rows: [] };
  for (let piece = 0; piece < bounds.length - 1; piece++) cut(window, piece, bounds[piece]!, bounds[piece + 1]!, 0);
  return window;
}

/** What the window touches, in days and blocks: for those who only want to know who is in it. */
export function touched(bounds: readonly number[]): Pick<UsageWindow, 'days' | 'blocks'> {
  const window: UsageWindow = { bounds: [], days: [], blocks: [], hours: [], parts: [], rows: [] };
  cut(window, 0, blockOf(bounds[0]!), blockOf(bounds.at(-1)! + BLOCK_MS - 1), 0);
  return window;
}

/** Each with where the one that holds a moment begins, and where the first one begins that holds none before it. */
const UNITS: readonly [UsageUnit, (atMs: number) => number, (atMs: number) => number][] = [
  ['days', (at) => Math.floor(at / DAY_MS) * DAY_MS, (at) => Math.ceil(at / DAY_MS) * DAY_MS],
  ['blocks', (at) => blockOf(at), (at) => Math.ceil(at / BLOCK_MS) * BLOCK_MS],
  ['hours', (at) => hourOf(at), (at) => Math.ceil(at / HOUR_MS) * HOUR_MS],
  ['parts', (at) => partOf(at), (at) => nextPart(at)],
];

/** The whole units in the middle, and what is beside them in smaller ones. */
function cut(window: UsageWindow, piece: number, fromMs: number, toMs: number, size: number): void {
  if (fromMs >= toMs) return;
  const unit = UNITS[size];
  if (unit === undefined) return void window.rows.push({ piece, fromMs, toMs });
  const [first, last] = [unit[2](fromMs), unit[1](toMs)];
  if (first >= last) return cut(window, piece, fromMs, toMs, size + 1);
  window[unit[0]].push({ piece, fromMs: first, toMs: last });
  cut(window, piece, fromMs, first, size + 1);
  cut(window, piece, last, toMs, size + 1);
}

/** A window of whole days of a zone: the one that holds `atMs` is its last, `days` in all. */
export function lastDays(days: number, atMs: number, zone: string): { fromMs: number; toMs: number } {
  let fromMs = startOfDay(atMs, zone);
  for (let i = 1; i < days; i++) fromMs = startOfDay(fromMs - 1, zone);
  return { fromMs, toMs: nextDay(atMs, zone) };
}

const blockOf = (atMs: number): number => Math.floor(atMs / BLOCK_MS) * BLOCK_MS;

export const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS;

/** An hour's parts begin on the hour, a quarter past and half past, as `ohm_part_of_hour` has it. */
function partOf(atMs: number): number {
  const hour = hourOf(atMs);
  return hour + [0, 15, 30, 30][Math.floor((atMs - hour) / 900_000)]! * 60_000;
}

function nextPart(atMs: number): number {
  const part = partOf(atMs);
  if (part === atMs) return atMs;
  return part + (part % HOUR_MS === HOUR_MS / 2 ? HOUR_MS / 2 : HOUR_MS / 4);
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('invalid', `${field}: ${message}.`, [{ field, message }]);
}
