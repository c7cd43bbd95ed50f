import * as z from 'zod';
import { ROLES } from '../../tenancy/actor';
import { limits, limitsInput } from './limits';
import { label, modelName, NOT_PLAIN, PLAIN_TEXT, revision, timestamp } from './field';
import { cursor, limit } from './page';

export const WORKSPACE_NAME_MAX_LENGTH = 60;

export const auditEntry = z
  .strictObject({
    seq: z.int().meta({ description: 'Numbered without gaps from 1.' }),
    at: timestamp,
    actor_kind: z.enum(['user', 'management_key', 'system']),
    actor_id: z.string(),
    action: z.string(),
    target: z.string(),
    before: z.unknown().meta({ description: 'The thing as this API showed it; null when it did not exist.' }),
    after: z.unknown(),
    hash: z.string().meta({ description: 'SHA-256 over this row and the hash before it.' }),
    previous_hash: z.string(),
  })
  .meta({ description: 'One change. Rows are never edited or removed.' });

/** What entries a page of the log holds. */
export const auditQuery = z.strictObject({
  limit,
  cursor,
  action: z.string().max(100).regex(PLAIN_TEXT, NOT_PLAIN).optional().meta({ description: 'Of this action, or of all actions on one kind of thing.', examples: ['key.rotated', 'key'] }),
  target: z.string().max(100).regex(PLAIN_TEXT, NOT_PLAIN).optional().meta({ description: 'On the thing with this id.' }),
});

export const auditCheck = z
  .strictObject({
    entries: z.int().min(0).meta({ description: 'Entries read, from the first on, until the end or the first that does not fit.' }),
    first_bad_seq: z.int().nullable().meta({ description: 'The first number at which the log is not what was written: altered, removed or put in. Null: it is whole.' }),
  })
  .meta({ description: 'The log, read from its beginning and compared with its hashes.' });

export const me = z
  .strictObject({
    kind: z.enum(['user', 'management_key', 'system']),
    id: z.string(),
    role: z.enum(ROLES),
    workspace: z.strictObject({ id: z.string(), slug: z.string(), name: z.string() }),
  })
  .meta({ description: 'Who is asking, in which workspace, as what.' });

export const workspace = z
  .strictObject({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    limits,
    fallback_model: z.string().nullable().meta({ description: 'What a model name that cannot be resolved is taken for; null: such a name is 404 `model_not_found`.' }),
    revision,
  })
  .meta({ description: 'The workspace and its settings.' });

export const workspaceUpdate = z
  .strictObject({
    name: label.max(WORKSPACE_NAME_MAX_LENGTH, `must have at most ${WORKSPACE_NAME_MAX_LENGTH} characters`).optional().meta({ description: 'Shown to people. The address (`slug`) stays as it is.', examples: ['Acme'] }),
    limits: limitsInput.nullish().meta({ description: 'Rates and budgets of all keys together, replaced as a whole; null or empty for none.' }),
    fallback_model: modelName.nullable().optional().meta({
      description:
        'A route’s name, `auto`, `eco`, or for keys that allow direct models `<connection>/<model>` or a catalog model; a name that means nothing here is refused. Used when the name in `model` cannot be resolved, and disclosed by `X-Ohm-Resolved: fallback_model`: resolve-time routing, not stream failover. Keys with `strict_route` are not touched by it. Null: none.',
      examples: ['chat'],
    }),
  })
  .meta({ description: 'Settings to change; what is left out stays.', examples: [{ fallback_model: 'chat' }] });

export type WorkspaceView = z.output<typeof workspace>;
export type WorkspaceUpdate = z.output<typeof workspaceUpdate>;
export type AuditQuery = z.output<typeof auditQuery>;
export type AuditCheck = z.output<typeof auditCheck>;
export type AuditEntryView = z.output<typeof auditEntry>;
export type Me = z.output<typeof me>;
