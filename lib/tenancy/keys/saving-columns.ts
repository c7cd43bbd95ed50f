import type { keys } from '../../db/schema';
import { DEFAULT_HOLDOUT_PERCENT, type HoldoutInput, type KeepTextsInput, type SaversInput } from '../../management/schemas';
import { SAVER_IDS } from '../../savers/saver';

type Columns = Pick<typeof keys.$inferSelect, 'savers' | 'holdoutPercent' | 'keepTextsDays'>;

const NEW_KEY: Columns = { savers: [], holdoutPercent: null, keepTextsDays: null };

/** A key's savers, hold-out and kept texts after a change: what is left out stays, null is what holds where nothing is said. */
export function savingColumns(change: { savers?: SaversInput; holdout?: HoldoutInput; keep_texts?: KeepTextsInput }, old: Columns = NEW_KEY): Columns {
  return {
    savers: change.savers === undefined ? old.savers : inOrder(change.savers ?? []),
    holdoutPercent: change.holdout === undefined ? old.holdoutPercent : (change.holdout?.percent ?? null),
    keepTextsDays: change.keep_texts === undefined ? old.keepTextsDays : (change.keep_texts?.days ?? null),
  };
}

/** Of a key's conversations, %. */
export const holdoutOf = (savers: readonly string[], percent: number | null): number => percent ?? (savers.length > 0 ? DEFAULT_HOLDOUT_PERCENT : 0);

const inOrder = (ids: readonly string[]): Columns['savers'] => SAVER_IDS.filter((id) => ids.includes(id));
