import { pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from './columns';
import { users } from './users';

/** One row a person who may set a new password by a link. A newer link takes the place of the older. Old rows are swept. */
export const passwordResets = pgTable('password_resets', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** SHA-256 of the link's token: the token itself is stored nowhere. */
  tokenHash: text('token_hash').notNull().unique(),
  /** When the password that it replaces was set: the link is void once there is another. */
  passwordChangedAt: moment('password_changed_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
  createdAt: createdAt(),
});
