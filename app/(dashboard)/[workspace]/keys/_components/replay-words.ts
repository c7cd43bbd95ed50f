import type { KeyView } from '@/lib/management/schemas';

/** Seconds that the form offers. */
export const KEPT_FOR: readonly number[] = [300, 3_600, 86_400, 604_800, 2_592_000];

const UNITS: [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** `1 hour`, `30 days`: in the largest unit that it is a whole number of. */
export function keptForWords(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0)!;
  const count = seconds / length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export function replayWords({ enabled, ttl_s, scope }: KeyView['replay']): string {
  if (!enabled) return 'off: no answer is kept, none is served again';
  return `answers are kept for ${keptForWords(ttl_s)} and served ${scope === 'key' ? 'to this key alone' : 'to every key of the workspace so set'}`;
}
