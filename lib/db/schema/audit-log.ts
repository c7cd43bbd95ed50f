import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { json, moment, workspaceId } from './columns';
import { workspaces } from './workspaces';

/**
 * Who changed what. Insert-only (the app has neither UPDATE nor DELETE), numbered without gaps from 1
 * in each workspace, each row hashed together with the hash before it.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    // No cascade: a workspace with history is not deleted by accident.
    workspaceId: workspaceId().references(() => workspaces.id),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    at: moment('at').notNull(),
    actorKind: text('actor_kind', { enum: ['user', 'management_key', 'system'] }).notNull(),
    actorId: text('actor_id').notNull(),
    /** `<thing>.<what happened>`, e.g. `key.revoked`. */
    action: text('action').notNull(),
    /** Id of the thing. */
    target: text('target').notNull(),
    /** The thing as the API shows it (so without secrets), before and after; null: did not exist. */
    before: json<unknown>('before'),
    after: json<unknown>('after'),
    /** SHA-256, lower-case hex; the row's own content and `previous_hash` go in. Empty for the first row. */
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (t) => [primaryKey({ name: 'audit_log_pkey', columns: [t.workspaceId, t.seq] })],
);
