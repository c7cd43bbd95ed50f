import * as z from 'zod';
import { isZone } from '../../std';
import { keyReference, routeReference } from './call';
import { modelName, moment, reference, tag, timestamp } from './field';

const GROUPS = ['key', 'model', 'route', 'connection', 'tag'] as const;
const STEPS = ['day', 'hour'] as const;

/** An IANA name. Offsets are none: they know nothing of the days on which clocks change. */
export const zone = z
  .string()
  .max(64, 'must have at most 64 characters')
  .refine(isZone, 'must be the name of a time zone, e.g. Europe/Berlin')
  .meta({ description: 'IANA name of the time zone whose days are meant. An offset is none.', examples: ['Europe/Berlin'] });

const groupBy = z
  .string()
  .max(40, 'must have at most 40 characters')
  .transform((text, context) => {
    const names = text.split(',').map((name) => name.trim());
    const groups = GROUPS.filter((name) => names.includes(name));
    const steps = STEPS.filter((name) => names.includes(name));
    const unknown = names.find((name) => !([...GROUPS, ...STEPS] as string[]).includes(name));
    if (unknown !== undefined || names.length > groups.length + steps.length) {
      context.addIssue({ code: 'custom', message: `must name ${[...GROUPS, ...STEPS].join(', ')}, each once and separated by commas` });
      return z.NEVER;
    }
    if (groups.length > 1 || steps.length > 1) {
      context.addIssue({ code: 'custom', message: 'may name one of key, model, route, connection and tag, and one of day and hour' });
      return z.NEVER;
    }
    return { group: groups[0] ?? null, step: steps[0] ?? null, names };
  })
  .meta({
    description: 'One of `key`, `model`, `route`, `connection`, `tag`, and one of `day`, `hour`, separated by a comma. Left out: one row for everything. Days are those of `zone`, hours those of UTC.',
    examples: ['model,day'],
    type: 'string',
  });

export const usageQuery = z.strictObject({
  from: moment.optional().meta({ description: 'Calls created at this moment or later. Left out: the beginning of the day 30 days before `to`.' }),
  to: moment.optional().meta({ description: 'Calls created before this moment. Left out: now.' }),
  zone: zone.default('UTC'),
  group_by: groupBy.optional(),
  key: keyReference.optional(),
  route: routeReference.optional(),
  model: modelName.optional().meta({ description: 'The model that answered.' }),
  connection: reference('connection').optional().meta({ description: 'Id or name of the connection that answered.' }),
  tag: tag.optional(),
});

const count = z.int().min(0);
const tokens = (what: string) => z.int().nullable().meta({ description: `${what} Null when no call’s usage told it: not 0.` });
const share = (what: string) => z.number().min(0).max(1).nullable().meta({ description: what });
const totals = z.strictObject({ calls: count, prompt_tokens: count, completion_tokens: count });

const figures = {
  calls: count,
  by_state: z.strictObject({ finished: count, truncated: count, rejected: count, aborted: count, lost: count }),
  streams: count,
  failovers: count.meta({ description: 'Calls that a tier answered after another one had failed.' }),
  truncations: count,
  replay: z.strictObject({ hit: count, miss: count, bypass: count }),
  tokens: z.strictObject({
    prompt: tokens('Cached and cache-write tokens included.'),
    cached: tokens('Read from the provider’s prompt cache.'),
    cache_write: tokens('Written to it.'),
    completion: tokens('Reasoning included.'),
    reasoning: tokens('Reasoning.'),
  }),
  provider: totals.meta({ description: 'Calls whose tokens the provider counted.' }),
  estimate: totals.meta({ description: 'Calls of whose usage any part is an estimate.' }),
  estimated_share: share('Of the calls that used tokens: with an estimate. Null when none used any.'),
  cost_nano_usd: z.int().nullable().meta({ description: 'Over the priced calls; null when not one has a price.' }),
  priced_calls: count,
  unpriced_calls: count.meta({ description: 'They used tokens at an unknown price, and are missing from the cost.' }),
  unpriced_share: share('unpriced / (priced + unpriced); null when there is neither.'),
  failed_attempts: z
    .strictObject({ metered: count, prompt_tokens: z.int().nullable(), completion_tokens: z.int().nullable() })
    .meta({ description: 'Usage that failed attempts reported. In none of the sums beside it.' }),
};

const group = z
  .strictObject({
    value: z.string().nullable().meta({ description: 'Id of the key or connection, name of the model or route, the tag. Null: calls that had none.' }),
    name: z.string().nullable().meta({ description: 'What the key or connection is called now; null when it is gone.' }),
    provider: z.string().nullable().meta({ description: 'Of a model.' }),
    groups: z.int().min(1).meta({ description: 'How many groups this row sums: the 100 with the most calls stand alone, the rest in one.' }),
  })
  .meta({ description: 'What the row’s calls have in common.' });

export const usageReport = z
  .strictObject({
    from: timestamp,
    to: timestamp,
    zone: z.string().meta({ description: 'Whose days these are.' }),
    group_by: z.array(z.enum([...GROUPS, ...STEPS])),
    data: z.array(
      z.strictObject({
        start: timestamp,
        end: timestamp.meta({ description: 'Not included.' }),
        day: z.string().meta({ description: 'The calendar day of `start` in the zone.', examples: ['2030-01-31'] }),
        group: group.nullable(),
        ...figures,
      }),
    ).meta({ description: 'By time, then by calls. What had no call has no row.' }),
    total: z.strictObject(figures),
  })
  .meta({ description: 'What calls came to over a time: sums over ledger rows.' });

export type UsageApiQuery = z.output<typeof usageQuery>;
export type UsageView = z.output<typeof usageReport>;
