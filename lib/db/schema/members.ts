import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ROLES } from '../../tenancy/actor';
import { createdAt, revision, workspaceId } from './columns';
import { users } from './users';
import { workspaces } from './workspaces';

/** Who may act in a workspace, and as what. A workspace with members always has an owner. */
export const members = pgTable(
  'members',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ROLES }).notNull(),
    revision: revision(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: 'members_pkey', columns: [t.workspaceId, t.userId] }),
    index('members_user_id_idx').on(t.userId),
    check('members_role_check', sql`${t.role} in ('viewer', 'developer', 'admin', 'owner')`),
  ],
);
