import type { Database } from '../db';
import type { GuardRules } from '../outbound';
import { systemClock, type Clock } from '../std';
import type { SendMail } from './invites/mail';
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
  /** What an upstream's address may be, now: base URLs are checked when they are saved, too. */
  guardRules: () => GuardRules;
  /** Keys the hashes in `login_attempts`, so that the table names nobody. */
  attemptKey: Buffer;
  /** The operator's mail server, for invitations and resets; null: there is none. */
  mail: SendMail | null;
  /** Writes what is pending and stops its timers. The database stays open: it is its opener's. */
  close(): Promise<void>;
}

export interface TenancyOptions {
  db: Database;
  /** OHM_SECRET. */
  secret: string;
  clock?: Clock;
  /** The same that the outbound client goes by. Default: public https only. */
  guardRules?: () => GuardRules;
  /** Default: no mail server. */
  mail?: SendMail | null;
}

export function createTenancy({ db, secret, clock = systemClock, guardRules = publicOnly, mail = null }: TenancyOptions): Tenancy {
  const keyring = createKeyring(secret);
  const directory = createKeyDirectory({ db, keyring, clock });
  const attemptKey = deriveKey(secret, 'login-attempts');
  return { db, keyring, clock, directory, guardRules, attemptKey, mail, close: () => directory.close() };
}

const publicOnly = (): GuardRules => ({ allow: [], ownPorts: [] });
