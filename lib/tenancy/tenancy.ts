import type { Database } from '../db';
import { systemClock, type Clock } from '../std';
import { createKeyDirectory, type CachedKeyDirectory } from './key-directory';
import { createKeyring, type Keyring } from './keyring';
import { deriveKey } from './secret';

/** What every tenancy verb is given first. */
export interface Tenancy {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  /** Callers by `ohm_sk_…` token, for the gateway. */
  directory: CachedKeyDirectory;
  /** Keys the hashes in `login_attempts`, so that the table names nobody. */
  attemptKey: Buffer;
  /** Writes what is pending and stops its timers. The database stays open: it is its opener's. */
  close(): Promise<void>;
}

export interface TenancyOptions {
  db: Database;
  /** OHM_SECRET. */
  secret: string;
  clock?: Clock;
}

export function createTenancy({ db, secret, clock = systemClock }: TenancyOptions): Tenancy {
  const keyring = createKeyring(secret);
  const directory = createKeyDirectory({ db, keyring, clock });
  return { db, keyring, clock, directory, attemptKey: deriveKey(secret, 'login-attempts'), close: () => directory.close() };
}
