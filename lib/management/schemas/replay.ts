import * as z from 'zod';
import { reference, timestamp } from './field';

const SCOPES = ['key', 'workspace'] as const;
export const MAX_TTL_S = 30 * 24 * 3600;

const members = {
  enabled: z.boolean({ error: 'must be true or false' }).meta({ description: 'Finished answers are kept, encrypted for the workspace, and served again to an equal request. Questions are never kept with them.' }),
  ttl_s: z
    .int('must be a whole number of seconds')
    .min(1, 'must be at least 1')
    .max(MAX_TTL_S, 'must be at most 2,592,000 s (30 days)')
    .meta({ description: 'How long an answer is kept, s.' }),
  scope: z.enum(SCOPES, { error: 'must be "key" or "workspace"' }).meta({ description: '`key`: answers of this key alone. `workspace`: shared with every other key so set.' }),
};

export const replayInput = z
  .strictObject({ enabled: members.enabled.optional(), ttl_s: members.ttl_s.optional(), scope: members.scope.optional() })
  .nullish()
  .meta({ description: 'Exact replay. A new key keeps its answers for an hour, for itself; members that are left out stay as they are.', examples: [{ enabled: true, ttl_s: 3600 }] });

export const replayView = z.strictObject(members).meta({ description: 'Exact replay of this key.' });

export const replayPurge = z
  .strictObject({
    key: reference('key').optional(),
    route: reference('route').optional(),
    workspace: z.literal(true, { error: 'must be true, or left out' }).optional().meta({ description: 'Everything that is kept for this workspace.' }),
  })
  .refine((body) => Object.values(body).filter((value) => value !== undefined).length === 1, 'must name exactly one of key, route and workspace')
  .meta({ description: 'Whose answers are to be forgotten.', examples: [{ route: 'chat' }] });

export const replayPurged = z
  .strictObject({
    scope: z.enum(['key', 'route', 'workspace']),
    id: z.string().meta({ description: 'Of the key, the route or the workspace.' }),
    purged_at: timestamp,
  })
  .meta({ description: 'What was put out of reach.' });

export type ReplayInput = z.output<typeof replayInput>;
export type ReplayPurge = z.output<typeof replayPurge>;
export type ReplayPurged = z.output<typeof replayPurged>;
