import { sql } from 'drizzle-orm';
import { check, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { ROLES } from '../../tenancy/actor';
import { createdAt, moment, revision, workspaceId } from './columns';
import { workspaces } from './workspaces';

/** Keys of the management API. They open no call, and a gateway key opens no management request. */
export const managementKeys = pgTable(
  'management_keys',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** SHA-256 of the token, lower-case hex. */
    tokenHash: text('token_hash').notNull().unique(),
    last4: text('last4').notNull(),
    role: text('role', { enum: ROLES }).notNull().default('admin'),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    /** Minute accuracy. */
    lastUsedAt: moment('last_used_at'),
    /** `<actor kind>:<actor id>`. */
    createdBy: text('created_by').notNull(),
    revision: revision(),
    createdAt: createdAt(),
  },
  (t) => [
    // A revoked key keeps its row and gives its name free.
    uniqueIndex('management_keys_workspace_id_name_key').on(t.workspaceId, t.name).where(sql`${t.revokedAt} is null`),
    check('management_keys_role_check', sql`${t.role} in ('viewer', 'developer', 'admin', 'owner')`),
  ],
);
