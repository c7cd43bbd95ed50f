import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './columns';

/** Failure counters for sign-in and sign-up, one row an account or network prefix. Old rows are swept. */
export const loginAttempts = pgTable(
  'login_attempts',
  {
    /** Kind and a keyed hash of the e-mail or the network prefix: the table names nobody. */
    bucket: text('bucket').primaryKey(),
    failures: integer('failures').notNull().default(0),
    /** No attempt is looked at before this moment. */
    blockedUntil: moment('blocked_until'),
    lastFailureAt: moment('last_failure_at').notNull(),
  },
  (t) => [index('login_attempts_last_failure_at_idx').on(t.lastFailureAt)],
);
