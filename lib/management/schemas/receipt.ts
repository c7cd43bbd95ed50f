import * as z from 'zod';
import { SAVER_IDS } from '../../savers/saver';

export const UNDONE = ['threw', 'timeout', 'larger', 'structure', 'provider_refused'] as const;

const count = z.int().min(0);

/** What one saver did to one call: the receipt. */
export const saverReceipt = z
  .strictObject({
    saver: z.enum(SAVER_IDS),
    texts: count.meta({ description: 'Texts that it changed.' }),
    bytes_before: count.meta({ description: 'UTF-8 bytes of these texts.' }),
    bytes_after: count,
    tokens_before: z.int().nullable().meta({ description: 'Tokens of these texts by the tokenizer of the call; null where they were not counted.' }),
    tokens_after: z.int().nullable(),
    undone: z.enum(UNDONE).nullable().meta({ description: 'Why some or all of its work was undone: it failed, took too long, would have made a text no shorter or changed its structure, or the provider refused what was sent.' }),
  })
  .meta({ description: 'What one saver did, in counts. The texts themselves are kept only where the key says so: see `keep_texts`.' });

export const tokenizer = z
  .strictObject({ encoding: z.string(), exact: z.boolean().meta({ description: 'False: the model’s own tokenizer is not public, and this one stands in for it.' }) })
  .meta({ description: 'What tokens were counted with.' });

export type SaverReceipt = z.output<typeof saverReceipt>;
