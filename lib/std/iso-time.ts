let second = NaN;
let prefix = '';

/** A moment (whole ms since the epoch) as `2026-11-30T01:02:03.004Z`. What Date gives, at a tenth of its cost within one second. */
export function isoTime(ms: number): string {
  const rest = ms % 1000;
  if (ms - rest !== second) {
    prefix = new Date(ms).toISOString().slice(0, -4);
    second = ms - rest;
  }
  return rest < 10 ? `${prefix}00${rest}Z` : rest < 100 ? `${prefix}0${rest}Z` : `${prefix}${rest}Z`;
}
