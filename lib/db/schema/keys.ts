import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, index, integer, pgTable, primaryKey, text, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import type { LimitsJson } from '../../limits';
import type { SaverId } from '../../savers/saver';
import { createdAt, json, moment, revision, updatedAt, workspaceId } from './columns';
import { connections } from './connections';
import { routes } from './routes';
import { tierColumns } from './route-tiers';
import { workspaces } from './workspaces';

/** What callers of the gateway present. The token itself is never stored. */
export const keys = pgTable(
  'keys',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** SHA-256 of the token, lower-case hex. */
    tokenHash: text('token_hash').notNull().unique(),
    /** Last four characters, to recognise it by. */
    last4: text('last4').notNull(),
    /** The token before the last rotation, honoured until `previousValidUntil`; null: none. */
    previousTokenHash: text('previous_token_hash').unique(),
    previousValidUntil: moment('previous_valid_until'),
    /** Route that `auto` means; null: none. */
    defaultRouteId: text('default_route_id'),
    /** `<connection>/<model>` may be named. */
    directModels: boolean('direct_models').notNull().default(false),
    /** Every model name walks the key's tiers, or its default route when it has none. */
    strictRoute: boolean('strict_route').notNull().default(false),
    /** Rates and budgets, as the management API takes them; null: none. */
    limits: json<LimitsJson | null>('limits'),
    /** Finished answers of this key are kept and served again to an equal request. */
    replayEnabled: boolean('replay_enabled').notNull().default(true),
    /** How long they are kept, s. */
    replayTtlS: integer('replay_ttl_s').notNull().default(3600),
    /** Who may be served them: this key alone, or every key of the workspace with this setting. */
    replayScope: text('replay_scope', { enum: ['key', 'workspace'] }).notNull().default('key'),
    /** Part of the name of everything kept: the next one puts it all out of reach. */
    replayGeneration: integer('replay_generation').notNull().default(0),
    /** Savers that rewrite this key's messages, in the order in which they work. */
    savers: json<SaverId[]>('savers').notNull().default([]),
    /** Conversations that stay as they came, %; null: what holds where nothing is said. */
    holdoutPercent: integer('holdout_percent'),
    /** How long rewritten texts are kept for receipts, days; null: none is. */
    keepTextsDays: integer('keep_texts_days'),
    expiresAt: moment('expires_at'),
    disabledAt: moment('disabled_at'),
    /** Final, unlike disabled. */
    revokedAt: moment('revoked_at'),
    /** Minute accuracy, written in batches. */
    lastUsedAt: moment('last_used_at'),
    /** `<actor kind>:<actor id>`. */
    createdBy: text('created_by').notNull(),
    revision: revision(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // A revoked key keeps its row for the ledger's sake and gives its name free.
    uniqueIndex('keys_workspace_id_name_key').on(t.workspaceId, t.name).where(sql`${t.revokedAt} is null`),
    unique('keys_workspace_id_id_key').on(t.workspaceId, t.id),
    check('keys_replay_ttl_s_check', sql`${t.replayTtlS} between 1 and 2592000`),
    check('keys_replay_scope_check', sql`${t.replayScope} in ('key', 'workspace')`),
    check('keys_holdout_percent_check', sql`${t.holdoutPercent} between 0 and 50`),
    check('keys_keep_texts_days_check', sql`${t.keepTextsDays} between 1 and 30`),
    index('keys_default_route_id_idx').on(t.defaultRouteId),
    foreignKey({
      name: 'keys_default_route_fkey',
      columns: [t.workspaceId, t.defaultRouteId],
      foreignColumns: [routes.workspaceId, routes.id],
    }),
  ],
);

/** A private route that a key carries itself. */
export const keyTiers = pgTable(
  'key_tiers',
  { keyId: text('key_id').notNull(), ...tierColumns() },
  (t) => [
    primaryKey({ name: 'key_tiers_pkey', columns: [t.keyId, t.position, t.candidate] }),
    index('key_tiers_connection_id_idx').on(t.connectionId),
    foreignKey({
      name: 'key_tiers_key_fkey',
      columns: [t.workspaceId, t.keyId],
      foreignColumns: [keys.workspaceId, keys.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'key_tiers_connection_fkey',
      columns: [t.workspaceId, t.connectionId],
      foreignColumns: [connections.workspaceId, connections.id],
    }),
  ],
);
