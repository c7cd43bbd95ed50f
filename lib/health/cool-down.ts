import type { Failure } from '../wire';

/** Why and how long a connection + model pair is skipped. Times are monotonic ms. */
export interface CoolDown {
  until: number;
  /** The current length before jitter; doubles with every failed probe. */
  lengthMs: number;
  /** A time-out says nothing about tiers that wait longer: only budgets up to this one are skipped. Infinity for other failures. */
  budgetMs: number;
  /** Someone has the one probe. */
  probing: boolean;
}

const FIRST_MS = 2_000;
const MOST_MS = 15_000;
/** After silence: a probe of a silent provider costs a whole budget. */
const MOST_SILENT_MS = 30_000;
const MOST_ASKED_MS = 5 * 60_000;

/** The cool-down after one more failed visit. Pure; `random` in [0, 1). */
export function coolDownAfter(before: CoolDown | null, failure: Failure, budgetMs: number, now: number, random: number): CoolDown {
  const silent = failure.class === 'timeout' || failure.class === 'stalled';
  // A straggler that started before the first failure says nothing new: only a probe doubles.
  const lengthMs = before === null ? FIRST_MS : before.probing ? Math.min(before.lengthMs * 2, silent ? MOST_SILENT_MS : MOST_MS) : before.lengthMs;
  const asked = failure.retryAfterMs === null ? null : Math.min(failure.retryAfterMs, MOST_ASKED_MS);
  const until = now + (asked ?? lengthMs * (0.8 + 0.2 * random));
  return { until: before?.probing === false ? Math.max(before.until, until) : until, lengthMs, budgetMs: silent ? budgetMs : Number.POSITIVE_INFINITY, probing: false };
}

/** `open`: nothing to wait for. `half_open`: one probe may go. `closed`: skip. */
export function gateOf(coolDown: CoolDown | undefined, budgetMs: number, now: number): 'open' | 'half_open' | 'closed' {
  if (coolDown === undefined || budgetMs > coolDown.budgetMs) return 'open';
  return now >= coolDown.until && !coolDown.probing ? 'half_open' : 'closed';
}
