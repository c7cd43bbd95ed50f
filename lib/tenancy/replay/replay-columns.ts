import type { keys } from '../../db/schema';
import type { KeyView, ReplayInput } from '../../management/schemas';

type Columns = Pick<typeof keys.$inferSelect, 'replayEnabled' | 'replayTtlS' | 'replayScope' | 'replayGeneration'>;

/** What a new key has where nothing is said. */
const NEW_KEY: Columns = { replayEnabled: true, replayTtlS: 3_600, replayScope: 'key', replayGeneration: 0 };

/** A key's settings of exact replay after a change. Whoever turns it off wants nothing of before served, also later. */
export function replayColumns(change: ReplayInput, old: Columns = NEW_KEY): Columns {
  const enabled = change?.enabled ?? old.replayEnabled;
  return {
    replayEnabled: enabled,
    replayTtlS: change?.ttl_s ?? old.replayTtlS,
    replayScope: change?.scope ?? old.replayScope,
    replayGeneration: old.replayGeneration + (old.replayEnabled && !enabled ? 1 : 0),
  };
}

export const replayViewOf = ({ replayEnabled, replayTtlS, replayScope }: Columns): KeyView['replay'] => ({ enabled: replayEnabled, ttl_s: replayTtlS, scope: replayScope });

/** Did it share its answers before, and does it not any more? */
export const sharesNoMore = (old: Columns, next: Columns): boolean =>
  old.replayScope === 'workspace' && (next.replayScope !== 'workspace' || (old.replayEnabled && !next.replayEnabled));
