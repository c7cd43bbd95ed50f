import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { ensureRoles } from './roles';

/** Any fixed number: every process that migrates this database waits for the same lock. */
const MIGRATION_LOCK = 7_241_009;

/**
 * Brings roles and schema up to date as the owner. One process at a time; the others wait up to a minute and
 * then find nothing to do. A migration that fails is rolled back whole.
 */
export async function migrateDatabase(ownerUrl: string, secret: string, migrationsFolder: string): Promise<void> {
  const owner = postgres(ownerUrl, {
    max: 1,
    connect_timeout: 10,
    max_lifetime: null,
    onnotice: () => {}, // "already exists, skipping"
    connection: { application_name: 'ohm migrate', lock_timeout: 60_000 },
  });
  try {
    await owner`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await ensureRoles(owner, ownerUrl, secret);
    await migrate(drizzle(owner), { migrationsFolder });
  } finally {
    await owner.end({ timeout: 5 }); // ends the session and with it the lock
  }
}
