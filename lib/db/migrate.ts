import { createHash, hkdfSync } from 'node:crypto';
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
    const [known] = await owner<{ yes: boolean }[]>`select to_regclass('public.installation') is not null as yes`;
    if (known?.yes) await checkSecret(owner, secret); // before anything is changed
    await ensureRoles(owner, ownerUrl, secret);
    await migrate(drizzle(owner), { migrationsFolder });
    await owner`insert into installation (secret_fingerprint) values (${fingerprint(secret)}) on conflict do nothing`;
    await checkSecret(owner, secret);
  } finally {
    await owner.end({ timeout: 5 }); // ends the session and with it the lock
  }
}

/**
 * A database is of use with one OHM_SECRET only: the credentials in it open with no other. Another one is refused
 * at boot, rather than found out call by call.
 */
async function checkSecret(owner: postgres.Sql, secret: string): Promise<void> {
  const [row] = await owner<{ secret_fingerprint: string }[]>`select secret_fingerprint from installation`;
  if (!row || row.secret_fingerprint === fingerprint(secret)) return;
  throw new Error(
    'OHM_SECRET is not the one that this database was set up with: the credentials in it cannot be decrypted. ' +
      'Start with the former value. If it is lost, delete the row of table installation, start, and enter every connection\'s key again.',
  );
}

function fingerprint(secret: string): string {
  return createHash('sha256').update(Buffer.from(hkdfSync('sha256', secret, 'ohm', 'installation', 32))).digest('hex');
}
