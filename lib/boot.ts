import type { Env } from './std/env';
import type { Database } from './db';
import type { Gateway } from './gateway';
import type { Ledger } from './metering';
import type { Claims } from './claims';
import type { Tenancy } from './tenancy';
import type { Outbound } from './gateway/upstream';

/** Everything a process needs, wired once. The doors, the pages and the command line all start here. */
export interface Runtime {
  env: Env;
  db: Database;
  tenancy: Tenancy;
  gateway: Gateway;
  ledger: Ledger;
  outbound: Outbound;
  claims: Claims;
  /** Readiness goes 503 and new calls are refused from now on. */
  beginDrain(): void;
  draining(): boolean;
  close(): Promise<void>;
}
