import type { LimitsJson } from '../limits';
import type { LimitsInput } from '../management/schemas';

/** As the database keeps limits: null where nothing is limited. */
export const keptLimits = (limits: LimitsInput | null | undefined): LimitsJson | null =>
  limits == null || Object.keys(limits).length === 0 ? null : (JSON.parse(JSON.stringify(limits)) as LimitsJson);
