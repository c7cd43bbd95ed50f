import { SAVER_CARDS } from '@/app/_savers/saver-cards';
import { DEFAULT_HOLDOUT_PERCENT, type KeyView, MAX_HOLDOUT_PERCENT, MAX_KEEP_DAYS } from '@/lib/management/schemas';
import { previewSaversAction } from '../savers-preview-action';
import type { SaversDefaults } from './savers-fields';

/** What the savers' fields of a key start from; a new key has no saver on. */
export function saversDefaults(slug: string, key: Pick<KeyView, 'savers' | 'holdout' | 'keep_texts'> | null): SaversDefaults {
  const chosen = key?.savers ?? [];
  const said = key === null || key.holdout.percent === (chosen.length > 0 ? DEFAULT_HOLDOUT_PERCENT : 0) ? null : key.holdout.percent;
  return { cards: SAVER_CARDS, chosen, holdout: said, usual: DEFAULT_HOLDOUT_PERCENT, most: MAX_HOLDOUT_PERCENT, keepDays: key?.keep_texts?.days ?? null, mostDays: MAX_KEEP_DAYS, preview: previewSaversAction.bind(null, slug) };
}
