import * as z from 'zod';
import { modelName, reference, timeoutMs } from './field';

export const MAX_TIERS = 32;
/** Of one eco tier. */
export const MAX_CANDIDATES = 32;

const clocks = {
  first_content_timeout_ms: timeoutMs(
    'Dispatch to the first content of a stream, ms. Null: 10 s where another tier follows and the model does not think, 300 s where it thinks, else 60 s.',
  ),
  idle_timeout_ms: timeoutMs('Silence after the first content, ms. Null: 30 s.'),
  response_timeout_ms: timeoutMs('Dispatch to the whole body of an answer that is not streamed, ms. Null: 120 s, 600 s where the model thinks.'),
};

const candidate = z.strictObject({ connection: reference('connection'), model: modelName });

const tier = z
  .strictObject({
    connection: reference('connection').optional(),
    model: modelName.optional(),
    ...clocks,
    eco: z
      .array(candidate, { error: 'must be a list of candidates' })
      .max(MAX_CANDIDATES, `must have at most ${MAX_CANDIDATES} candidates`)
      .nullish()
      .meta({
        description:
          'Candidates of an eco tier, in place of `connection` and `model`: the cheapest healthy one that can serve the request is asked, by the price of its own tokens; equals in this order. If it fails the next cheapest is, each once. One without a known price is left out.',
      }),
  })
  .superRefine(({ connection, model, eco }, context) => {
    const wrong = (member: string, message: string) => context.addIssue({ code: 'custom', path: [member], message });
    if (eco && eco.length > 0) {
      if (connection !== undefined) wrong('connection', 'must be left out of an eco tier: its candidates have connections of their own');
      if (model !== undefined) wrong('model', 'must be left out of an eco tier: its candidates have models of their own');
      return;
    }
    if (connection === undefined) wrong('connection', 'is required');
    if (model === undefined) wrong('model', 'is required');
  })
  .transform(({ connection, model, eco, ...times }): TierInput => (eco && eco.length > 0 ? { eco, ...times } : { connection: connection!, model: model!, ...times }))
  .meta({
    description: 'A connection, a model, and their clocks; or an eco set of candidates.',
    examples: [
      { connection: 'main', model: 'gpt-4o-mini', first_content_timeout_ms: 8000, idle_timeout_ms: 30000, response_timeout_ms: 120000 },
      { eco: [{ connection: 'main', model: 'gpt-5-mini' }, { connection: 'other', model: 'gpt-5-nano' }] },
    ],
  });

/** At most 32 tiers; a route asks for at least one, a key may have none. */
export const tierList = z
  .array(tier, { error: 'must be a list of tiers' })
  .max(MAX_TIERS, `must have at most ${MAX_TIERS} tiers`)
  .meta({ description: 'Tried strictly in this order. A connection and model may stand in it once.' });

const shownClocks = {
  first_content_timeout_ms: z.int().nullable(),
  idle_timeout_ms: z.int().nullable(),
  response_timeout_ms: z.int().nullable(),
};

export const tierView = z.union([
  z.strictObject({ connection: z.string().meta({ description: 'The connection’s present name.' }), model: z.string(), ...shownClocks }),
  z.strictObject({ eco: z.array(z.strictObject({ connection: z.string(), model: z.string() })), ...shownClocks }),
]);

interface Times {
  first_content_timeout_ms: number | null;
  idle_timeout_ms: number | null;
  response_timeout_ms: number | null;
}

export interface TierCandidate {
  connection: string;
  model: string;
}

export type TierInput = (TierCandidate & Times & { eco?: undefined }) | (Times & { eco: TierCandidate[] });
export type TierView = z.output<typeof tierView>;

/** The pairs of connection and model that a tier may ask: one, or as many as it has candidates. */
export const candidatesOf = (tier: TierInput | TierView): TierCandidate[] => ('eco' in tier && tier.eco !== undefined ? tier.eco : [tier as TierCandidate]);
