import { sql } from 'drizzle-orm';
import { check, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { ROLES } from '../../tenancy/actor';
import { createdAt, moment, revision, workspaceId } from './columns';
import { workspaces } from './workspaces';

/**
 * Invitations that nobody has accepted and nobody has revoked: with either the row goes, and the audit log says what
 * became of it. One that has expired keeps its row, so that it is seen and can be sent again.
 */
export const invites = pgTable(
  'invites',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    /** As users.email: trimmed and lower case. */
    email: text('email').notNull(),
    role: text('role', { enum: ROLES }).notNull(),
    /** SHA-256 of the link's token, lower-case hex. */
    tokenHash: text('token_hash').notNull().unique(),
    /** `<actor kind>:<actor id>`: whoever sent it last. */
    invitedBy: text('invited_by').notNull(),
    expiresAt: moment('expires_at').notNull(),
    revision: revision(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('invites_workspace_id_email_key').on(t.workspaceId, t.email),
    check('invites_role_check', sql`${t.role} in ('viewer', 'developer', 'admin', 'owner')`),
  ],
);
