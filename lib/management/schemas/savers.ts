import * as z from 'zod';
import { SAVER_IDS } from '../../savers/saver';

/** Of conversations, where savers are on and nothing else was said. */
export const DEFAULT_HOLDOUT_PERCENT = 5;
export const MAX_HOLDOUT_PERCENT = 50;

const saverId = z.enum(SAVER_IDS, { error: `must be one of ${SAVER_IDS.join(', ')}` });

const percent = z
  .int('must be a whole number of percent')
  .min(0, 'must be at least 0')
  .max(MAX_HOLDOUT_PERCENT, `must be at most ${MAX_HOLDOUT_PERCENT}`)
  .meta({ description: 'Of conversations that are sent as they came, for comparison.' });

export const saversInput = z
  .array(saverId)
  .refine((ids) => new Set(ids).size === ids.length, 'names a saver twice')
  .nullish()
  .meta({ description: 'Savers that rewrite messages before they are sent, in any order: they work in their own. Empty or null: none.', examples: [['blank-lines', 'json-compact']] });

export const holdoutInput = z
  .strictObject({ percent })
  .nullish()
  .meta({ description: `Conversations that stay as they came, chosen at random, so that savings can be measured. Null: ${DEFAULT_HOLDOUT_PERCENT} percent where savers are on.`, examples: [{ percent: DEFAULT_HOLDOUT_PERCENT }] });

export const saversView = z.array(saverId).meta({ description: 'In the order in which they work.' });
export const holdoutView = z.strictObject({ percent }).meta({ description: 'What holds now: 0 where no saver is on and nothing else was said.' });

export type SaversInput = z.output<typeof saversInput>;
export type HoldoutInput = z.output<typeof holdoutInput>;
