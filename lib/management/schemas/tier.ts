import * as z from 'zod';
import { modelName, reference, timeoutMs } from './field';
import { notYet } from './not-yet';

export const MAX_TIERS = 32;

const tier = z
  .strictObject({
    connection: reference('connection'),
    model: modelName,
    first_content_timeout_ms: timeoutMs(
      'Dispatch to the first content of a stream, ms. Null: 10 s where another tier follows and the model does not think, 300 s where it thinks, else 60 s.',
    ),
    idle_timeout_ms: timeoutMs('Silence after the first content, ms. Null: 30 s.'),
    response_timeout_ms: timeoutMs('Dispatch to the whole body of an answer that is not streamed, ms. Null: 120 s, 600 s where the model thinks.'),
    eco: notYet('An eco tier', []),
  })
  .meta({
    description: 'A connection, a model, and their clocks.',
    examples: [{ connection: 'main', model: 'gpt-4o-mini', first_content_timeout_ms: 8000, idle_timeout_ms: 30000, response_timeout_ms: 120000 }],
  });

/** An eco tier names candidates in place of a connection: the missing feature is named, not the members that it lacks. */
const tierOrEco = z.preprocess((value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const eco = (value as Record<string, unknown>)['eco'];
  if (eco === undefined || eco === null || 'connection' in value) return value;
  return { connection: 'eco', model: 'eco', eco };
}, tier);

/** At most 32 tiers; a route asks for at least one, a key may have none. */
export const tierList = z
  .array(tierOrEco, { error: 'must be a list of tiers' })
  .max(MAX_TIERS, `must have at most ${MAX_TIERS} tiers`)
  .meta({ description: 'Tried strictly in this order. A connection and model may stand in it once.' });

export const tierView = z.strictObject({
  connection: z.string().meta({ description: 'The connection’s present name.' }),
  model: z.string(),
  first_content_timeout_ms: z.int().nullable(),
  idle_timeout_ms: z.int().nullable(),
  response_timeout_ms: z.int().nullable(),
});

export type TierInput = z.output<typeof tier>;
export type TierView = z.output<typeof tierView>;
