import * as z from 'zod';
import { id, modelName, moment, NOT_PLAIN, PLAIN_TEXT, reference, timestamp } from './field';
import { cursor, limit } from './page';

/** A million dollars for a million tokens. */
const MOST = 1e15;

const rate = z
  .int({ error: 'must be a whole number of nano-USD', abort: true }) // one number, one fault
  .min(0, { error: 'must not be negative', abort: true })
  .max(MOST, { error: 'must be at most 1,000,000,000,000,000 (a dollar a token)', abort: true })
  .multipleOf(1_000, 'must be a multiple of 1,000: costs are counted in millionths of a millionth of a dollar a token');

export const priceSet = z
  .strictObject({
    connection: reference('connection'),
    model: modelName.meta({ description: 'As it is sent upstream.' }),
    effective_from: moment.optional().meta({ description: 'From when it holds, also a moment to come; left out: from now on. Costs that are booked stay as they are.', format: 'date-time' }),
    input_nano_usd_per_million_tokens: rate.meta({ description: 'Integer nano-USD (1e-9 USD): $0.15 a million tokens is 150000000.' }),
    output_nano_usd_per_million_tokens: rate,
    cached_input_nano_usd_per_million_tokens: rate.nullable().default(null).meta({ description: 'Null: cached tokens cost what others of the prompt do.' }),
    cache_write_nano_usd_per_million_tokens: rate.nullable().default(null).meta({ description: 'Null: tokens written into the provider’s cache cost what others of the prompt do.' }),
  })
  .meta({
    description: 'What a model costs at a connection, from a moment on, in place of the list price.',
    examples: [{ connection: 'main', model: 'gpt-4o-mini', effective_from: '2030-01-01T00:00:00Z', input_nano_usd_per_million_tokens: 150_000_000, output_nano_usd_per_million_tokens: 600_000_000, cached_input_nano_usd_per_million_tokens: 75_000_000 }],
  });

export const price = z
  .strictObject({
    id,
    connection: z.string().meta({ description: 'The connection’s present name.' }),
    model: z.string(),
    effective_from: timestamp,
    input_nano_usd_per_million_tokens: z.int(),
    output_nano_usd_per_million_tokens: z.int(),
    cached_input_nano_usd_per_million_tokens: z.int().nullable(),
    cache_write_nano_usd_per_million_tokens: z.int().nullable(),
    created_by: z.string(),
    created_at: timestamp,
  })
  .meta({ description: 'A price that the workspace states. Costs that rest on it say `workspace:<id>` in `price_version`.' });

const filterText = z.string().min(1).max(256).regex(PLAIN_TEXT, NOT_PLAIN).optional();

export const priceListQuery = z.strictObject({
  limit,
  cursor,
  connection: filterText.meta({ description: 'Name or id of a connection.' }),
  model: filterText.meta({ description: 'A model, exactly.' }),
});

export type PriceSet = z.output<typeof priceSet>;
export type PriceView = z.output<typeof price>;
export type PriceListQuery = z.output<typeof priceListQuery>;
