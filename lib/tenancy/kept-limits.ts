import type { LimitsJson } from '../limits';
import type { LimitsChange } from '../management/schemas';

/** As the database keeps limits: only what is limited is there, and null where nothing is. */
export function keptLimits(limits: LimitsChange | null | undefined): LimitsJson | null {
  const limited = Object.entries(limits ?? {}).filter(([, value]) => value != null);
  return limited.length === 0 ? null : (Object.fromEntries(limited) as LimitsJson);
}
