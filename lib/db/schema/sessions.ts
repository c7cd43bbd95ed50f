import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from './columns';
import { users } from './users';

/** One row a sign-in. The browser's cookie only names it, so ending the row ends the session everywhere. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    /** Minute accuracy. */
    lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
    /** Absolute end, whatever the activity. */
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
    /** For the person's own list of sessions: network prefix and browser name, cut to 200 characters. */
    addressPrefix: text('address_prefix'),
    userAgent: text('user_agent'),
  },
  (t) => [index('sessions_user_id_idx').on(t.userId), index('sessions_expires_at_idx').on(t.expiresAt)],
);
