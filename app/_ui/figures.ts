/** Numbers as text. Null is always "not reported": an unknown is never shown as 0. */

export const NOT_REPORTED = 'not reported';

const integer = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export function formatCount(value: number | null): string {
  return value === null ? NOT_REPORTED : integer.format(value);
}

/**
 * Integer nano-USD as dollars: cents from a dollar up, three significant digits below, so that what
 * cost a little is never shown as nothing. `$0` is exactly zero.
 */
/** `1 token`, `1,234 tokens`. */
export function formatCounted(value: number, unit: string): string {
  return `${formatCount(value)} ${unit}${value === 1 ? '' : 's'}`;
}

export function formatMoney(nanoUsd: number | null): string {
  if (nanoUsd === null) return NOT_REPORTED;
  if (nanoUsd === 0) return '$0';
  const sign = nanoUsd < 0 ? '−' : '';
  const usd = Math.abs(nanoUsd) / 1e9;
  if (usd >= 0.995) return `${sign}$${new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(usd)}`;
  const places = Math.max(2, Math.ceil(-Math.log10(usd)) + 2);
  const text = usd.toFixed(Math.min(9, places)).replace(/(\.\d\d\d*?)0+$/, '$1');
  return `${sign}$${text}`;
}

/** Exact below 10,000 bytes; decimal units above. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return NOT_REPORTED;
  if (bytes < 10_000) return `${integer.format(bytes)} B`;
  for (const [unit, size] of [['kB', 1e3], ['MB', 1e6], ['GB', 1e9]] as const) {
    if (bytes < size * 1_000) return `${significant(bytes / size)} ${unit}`;
  }
  return `${significant(bytes / 1e12)} TB`;
}

export function formatDuration(ms: number | null): string {
  if (ms === null) return NOT_REPORTED;
  if (ms < 1) return `${ms.toFixed(1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** A share of n. Without a denominator there is no share. */
export function formatShare(part: number | null, whole: number | null): string {
  if (part === null || whole === null || whole === 0) return NOT_REPORTED;
  const percent = (part / whole) * 100;
  return `${percent === 0 || percent === 100 || percent >= 10 ? Math.round(percent) : percent.toFixed(percent < 1 ? 2 : 1)}%`;
}

const significant = (value: number): string => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
