import * as z from 'zod';
import { id, resourceName, revision, timestamp } from './field';
import { tierList, tierView } from './tier';

const tiers = tierList.min(1, 'must have at least one tier');

const commit = z
  .enum(['first_content', 'complete'], { error: 'must be "first_content" or "complete"' })
  .meta({ description: 'When the client gets its first byte: at the first content, or when the whole answer is there.' });

const deadlineMs = z
  .int('must be a whole number of milliseconds')
  .min(1000, 'must be at least 1,000 ms')
  .max(3_600_000, 'must be at most 3,600,000 ms (1 hour)')
  .meta({ description: 'Bound on everything up to the commit, ms.' });

export const routeCreate = z
  .strictObject({ name: resourceName, commit: commit.default('first_content'), deadline_ms: deadlineMs.default(900_000), tiers })
  .meta({
    description: 'A named, ordered list of tiers.',
    examples: [
      {
        name: 'chat',
        commit: 'first_content',
        tiers: [
          { connection: 'main', model: 'gpt-4o-mini', first_content_timeout_ms: 8000 },
          { connection: 'sandbox', model: 'text:20' },
        ],
      },
    ],
  });

export const routeUpdate = z
  .strictObject({ name: resourceName.optional(), commit: commit.optional(), deadline_ms: deadlineMs.optional(), tiers: tiers.optional() })
  .refine((body) => Object.keys(body).length > 0, 'must change something')
  .meta({ description: 'Members that are left out stay; `tiers` is replaced whole.', examples: [{ commit: 'complete' }] });

export const route = z
  .strictObject({
    id,
    name: z.string(),
    commit: z.enum(['first_content', 'complete']),
    deadline_ms: z.int(),
    tiers: z.array(tierView).meta({ description: 'In the order in which they are tried.' }),
    default_of_keys: z.array(z.string()).meta({ description: 'Names of the keys whose default route it is, sorted; at most 100.' }),
    revision,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ description: 'A named, ordered list of tiers.' });

export const routeVersion = z
  .strictObject({
    revision: z.int(),
    created_at: timestamp,
    created_by: z.string(),
    name: z.string(),
    commit: z.enum(['first_content', 'complete']),
    deadline_ms: z.int(),
    tiers: z.array(tierView),
  })
  .meta({ description: 'A route as it was from one edit to the next.' });

export const routeRestore = z
  .strictObject({ revision: z.int('must be a whole number').min(1, 'must be at least 1') })
  .meta({ description: 'Which version to bring back. It becomes a new revision.', examples: [{ revision: 3 }] });

export type RouteCreate = z.output<typeof routeCreate>;
export type RouteUpdate = z.output<typeof routeUpdate>;
export type RouteView = z.output<typeof route>;
export type RouteVersionView = z.output<typeof routeVersion>;
