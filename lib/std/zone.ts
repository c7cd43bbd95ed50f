/** Calendars of time zones, by IANA name. Pure but for the zone data of the JavaScript engine. */

/** Is this the name of a time zone? Names are matched whatever their case; offsets such as `+02:00` are no names. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false; // a RangeError: no such zone
  }
}

/** When the calendar day that holds a moment began in a zone, ms; right on the days that have 23 or 25 hours. */
export function startOfDay(atMs: number, zone: string): number {
  return firstMomentOf(dayNumber(atMs, zone), zone);
}

/** When the day after that one begins. */
export function nextDay(atMs: number, zone: string): number {
  const day = dayNumber(atMs, zone);
  // A zone that crossed the date line has a day that never was.
  for (let next = day + 1; ; next++) {
    const start = firstMomentOf(next, zone);
    if (start > atMs) return start;
  }
}

/** `2026-03-29`: the calendar day of a moment in a zone. */
export function dayIn(atMs: number, zone: string): string {
  return new Date(dayNumber(atMs, zone) * DAY_MS).toISOString().slice(0, 10);
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** No zone is further from UTC than this. */
const FURTHEST_MS = 15 * 3_600_000;

/** The first moment whose day is this one or later: looked for by halving, since midnight may be missing or come twice. */
function firstMomentOf(day: number, zone: string): number {
  let before = day * DAY_MS - FURTHEST_MS;
  let from = day * DAY_MS + FURTHEST_MS;
  while (from - before > MINUTE_MS) {
    const middle = before + Math.floor((from - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (dayNumber(middle, zone) >= day) from = middle;
    else before = middle;
  }
  return from;
}

/** Days since 1970 by the zone's calendar. */
function dayNumber(atMs: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(atMs);
  let year = 0;
  let month = 0;
  let day = 0;
  for (const { type, value } of parts) {
    if (type === 'year') year = Number(value);
    else if (type === 'month') month = Number(value);
    else if (type === 'day') day = Number(value);
  }
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', month: 'numeric', day: 'numeric' });
    if (clocks.size >= 1_000) clocks.clear(); // names come from tenants, in any case of letters
    clocks.set(zone, clock);
  }
  return clock;
}
