import * as z from 'zod';
import { modelName } from './field';
import { attempt } from './call';
import { MAX_TIERS } from './tier';

export const TEST_STEPS = ['dns', 'connect', 'tls', 'auth', 'model_list', 'first_content'] as const;

export const connectionTest = z
  .strictObject({ model: modelName.nullable().default(null).meta({ description: 'Asked for one short answer. Null: the first model that the provider lists.' }) })
  .meta({ description: 'What to ask the provider for.', examples: [{ model: 'gpt-4o-mini' }] });

const step = z.strictObject({
  step: z.enum(TEST_STEPS).meta({ description: 'The second of five is `connect` where the base URL is http:// or no connection came about, else `tls`.' }),
  outcome: z.enum(['ok', 'warning', 'failed', 'skipped']),
  ms: z.number().nullable().meta({ description: 'Null when skipped.' }),
  message: z.string().meta({ description: 'What was seen, and what to do about it.' }),
});

export const connectionReport = z
  .strictObject({
    ok: z.boolean().meta({ description: 'An answer came whole. False, too, where nothing failed and no answer was asked for: that proves nothing.' }),
    model: z.string().nullable().meta({ description: 'The model that was asked.' }),
    steps: z.array(step),
  })
  .meta({ description: 'A connection seen through the path that calls take, step by step.' });

export const routeTest = z
  .strictObject({
    fail_tier: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(MAX_TIERS, `must be at most ${MAX_TIERS}`)
      .nullable()
      .default(null)
      .meta({ description: '1-based: this tier is treated as failing, nobody is asked for it.' }),
    prompt: z
      .string({ error: 'must be a string' })
      .min(1, 'must not be empty')
      .max(2000, 'must have at most 2,000 characters')
      .regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u, 'must not hold control characters other than tabs and line breaks')
      .default('Say hello.')
      .meta({ description: 'The one user message that is sent.' }),
  })
  .meta({ description: 'One real call down the route.', examples: [{ fail_tier: 1 }] });

export const routeReport = z
  .strictObject({
    ok: z.boolean().meta({ description: 'A tier answered whole.' }),
    state: z.enum(['finished', 'truncated', 'rejected', 'aborted', 'lost']),
    tier: z.int().nullable().meta({ description: 'The tier that answered.' }),
    text: z.string().meta({ description: 'The answer’s first 2,000 characters.' }),
    error_code: z.string().nullable().meta({ description: 'What a client would have been told; null when it was answered whole.' }),
    attempts: z.array(attempt),
  })
  .meta({ description: 'What one call down the route did.' });

export type ConnectionTest = z.output<typeof connectionTest>;
export type ConnectionReport = z.output<typeof connectionReport>;
export type TestStep = z.output<typeof step>;
export type RouteTest = z.output<typeof routeTest>;
export type RouteReport = z.output<typeof routeReport>;
