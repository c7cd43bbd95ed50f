import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, revision, updatedAt, workspaceId } from './columns';
import { workspaces } from './workspaces';

/** A workspace's credential for one provider. */
export const connections = pgTable(
  'connections',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** `sandbox`: the product's own loopback provider, reached by its kind and never by URL. */
    kind: text('kind', { enum: ['http', 'sandbox'] }).notNull(),
    /** Preset id, e.g. `openai`, `custom`, `sandbox`. */
    provider: text('provider').notNull(),
    wire: text('wire', { enum: ['openai', 'anthropic', 'gemini', 'openai-responses'] })
      .notNull()
      .default('openai'),
    /** Root to which the wire adds its path, without a trailing slash; empty for the sandbox. */
    baseUrl: text('base_url').notNull(),
    /** The credential as lib/tenancy/keyring sealed it (AAD: workspace, this id, `keyVersion`); null: none. */
    apiKeySealed: text('api_key_sealed'),
    /** Last four characters, to recognise it by; null when it is too short to show any. */
    apiKeyLast4: text('api_key_last4'),
    /** Counts replacements of the credential. Part of what the seal authenticates. */
    keyVersion: integer('key_version').notNull().default(1),
    revision: revision(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('connections_workspace_id_name_key').on(t.workspaceId, t.name),
    unique('connections_workspace_id_id_key').on(t.workspaceId, t.id),
    check('connections_kind_check', sql`${t.kind} in ('http', 'sandbox')`),
    check('connections_wire_check', sql`${t.wire} in ('openai', 'anthropic', 'gemini', 'openai-responses')`),
  ],
);
