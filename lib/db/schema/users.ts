import { pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from './columns';

/** People. They belong to no workspace: membership is in `members`. */
export const users = pgTable('users', {
  id: text('id').primaryKey(),
  /** Trimmed and lower case; unique. */
  email: text('email').notNull().unique(),
  /** argon2id, PHC string. Never selected outside lib/tenancy/users. */
  passwordHash: text('password_hash').notNull(),
  passwordChangedAt: moment('password_changed_at').notNull().defaultNow(),
  createdAt: createdAt(),
});
