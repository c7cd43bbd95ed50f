export const WINDOW_UNITS = { s: 1, min: 60, h: 3_600, d: 86_400 } as const;
export type WindowUnit = keyof typeof WINDOW_UNITS;

/** A window in its largest whole unit. */
export function windowParts(seconds: number): { amount: number; unit: WindowUnit } {
  const unit = (['d', 'h', 'min'] as const).find((each) => seconds % WINDOW_UNITS[each] === 0) ?? 's';
  return { amount: seconds / WINDOW_UNITS[unit], unit };
}
