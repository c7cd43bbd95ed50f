import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from './columns';

/** One row: which OHM_SECRET this database belongs to. The owner's alone; the app has no grant. */
export const installation = pgTable(
  'installation',
  {
    only: boolean('only').primaryKey().default(true),
    /** SHA-256 of a key that follows from OHM_SECRET: tells secrets apart, gives nothing away. */
    secretFingerprint: text('secret_fingerprint').notNull(),
    createdAt: createdAt(),
  },
  (t) => [check('installation_only_check', sql`${t.only}`)],
);
