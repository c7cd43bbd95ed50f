import * as z from 'zod';
import { SAVER_IDS } from '../../savers/saver';
import { reference, timestamp } from './field';

export const MAX_KEEP_DAYS = 30;

const days = z
  .int('must be a whole number of days')
  .min(1, 'must be at least 1')
  .max(MAX_KEEP_DAYS, `must be at most ${MAX_KEEP_DAYS}`)
  .meta({ description: 'Then they are deleted.' });

export const keepTextsInput = z
  .strictObject({ days })
  .nullish()
  .meta({
    description:
      'Keeps the texts that savers changed, as they came and as they were sent, so that a call’s receipt shows the difference. Encrypted for the workspace and its call, for developers and above. Nothing else of a request is kept, and of an answer nothing here. Null: none is kept, and what was kept before is deleted at once.',
    examples: [{ days: 7 }],
  });

export const keepTextsView = z.strictObject({ days }).nullable().meta({ description: 'How long rewritten texts are kept; null: none is.' });

const text = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  message: z.int().min(1).nullable().meta({ description: 'Position of its message in the request, from 1; null where it stands in none.' }),
  savers: z.array(z.enum(SAVER_IDS)).meta({ description: 'Those that changed it, in the order in which they worked.' }),
  before: z.string().meta({ description: 'As the client sent it.' }),
  after: z.string().meta({ description: 'As the provider was sent it.' }),
});

export const keptTexts = z
  .strictObject({
    call_id: z.string(),
    kept_at: timestamp,
    expires_at: timestamp.meta({ description: 'Not readable from then on, and deleted within minutes.' }),
    texts: z.array(text),
    left_out: z.int().min(0).meta({ description: 'Changed texts that were too long to be kept.' }),
  })
  .meta({ description: 'What savers changed in one call.' });

export const textsPurge = z
  .strictObject({
    key: reference('key').optional(),
    workspace: z.literal(true, { error: 'must be true, or left out' }).optional().meta({ description: 'Everything that is kept for this workspace.' }),
  })
  .refine((body) => Object.values(body).filter((value) => value !== undefined).length === 1, 'must name exactly one of key and workspace')
  .meta({ description: 'Whose texts are to be deleted.', examples: [{ key: 'ci' }] });

export const textsPurged = z
  .strictObject({
    scope: z.enum(['key', 'workspace']),
    id: z.string().meta({ description: 'Of the key or the workspace.' }),
    calls: z.int().min(0).meta({ description: 'Calls whose texts were deleted.' }),
    purged_at: timestamp,
  })
  .meta({ description: 'What was deleted.' });

export type KeepTextsInput = z.output<typeof keepTextsInput>;
export type KeptTexts = z.output<typeof keptTexts>;
export type TextsPurge = z.output<typeof textsPurge>;
export type TextsPurged = z.output<typeof textsPurged>;
