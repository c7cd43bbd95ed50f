import { join } from 'node:path';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';
import { sql } from 'drizzle-orm';
import { listenForConfigChanges } from './config-changes';
import { migrateDatabase } from './migrate';
import { openPool } from './pool';

/** A drizzle handle: the pool itself or one transaction. */
export type Queries = PgDatabase<PostgresJsQueryResultHKT>;
export type Tx = Parameters<Parameters<Queries['transaction']>[0]>[0];

export interface Bounds {
  /** Gives up after this long, ms. Default: the database's `timeoutMs`. */
  timeoutMs?: number;
}

/**
 * PostgreSQL as the application sees it: role ohm_app, bounded waits. Every method rejects with
 * Refusal('unavailable') when the database does not answer in time, and works again by itself afterwards.
 * Tenant tables are reached by `withWorkspace` only; without a workspace they show no rows.
 */
export interface Database {
  /** One or several statements, each on its own: tables of no tenant and the definer functions. */
  unscoped<T>(work: (queries: Queries) => Promise<T>, bounds?: Bounds): Promise<T>;
  /** The same in one transaction. */
  transaction<T>(work: (tx: Tx) => Promise<T>, bounds?: Bounds): Promise<T>;
  /** One statement with `$1`, `$2` and so on, for long texts: they are let go of as soon as it is done. */
  statement(text: string, parameters: readonly string[]): Promise<void>;
  /**
   * Calls back with the id of a workspace whose configuration changed, in any process; with null when
   * notifications may have been missed and anything may have changed. Returns the way to stop.
   */
  onConfigChange(listener: (workspaceId: string | null) => void): () => void;
  /** Calls the listeners of this process at once, ahead of the database's own announcement. */
  announce(workspaceId: string): void;
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  /** URL of the owner: it migrates and makes the product's roles. The application itself never logs in with it. */
  ownerUrl: string;
  /** OHM_SECRET. */
  secret: string;
  /** Connections of this process. */
  poolSize?: number;
  /** Bound on one piece of work, from queueing for a connection to its last row, ms. */
  timeoutMs?: number;
  /** Default: `drizzle/` in the working directory. */
  migrationsFolder?: string;
  /** False: the schema is known to be current. */
  migrate?: boolean;
}

/** Migrates, then opens the application's pool. Rejects when the role it logs in as could step around the policies. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { ownerUrl, secret, poolSize = 10, timeoutMs = 5_000 } = options;
  if (options.migrate !== false) {
    await migrateDatabase(ownerUrl, secret, options.migrationsFolder ?? join(process.cwd(), 'drizzle'));
  }
  const pool = openPool({ url: ownerUrl, secret, size: poolSize, timeoutMs });
  const changes = listenForConfigChanges(pool.dedicated());
  const close = async () => {
    await Promise.all([changes.close(), pool.close()]);
  };
  try {
    await pool.run(async (queries) => {
      await assertRoleIsBound(queries);
      await changes.listening;
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { unscoped: pool.run, transaction: pool.transaction, statement: pool.statement, onConfigChange: changes.subscribe, announce: changes.tell, close };
}

async function assertRoleIsBound(queries: Queries): Promise<void> {
  const [role] = await queries.execute<{ name: string; unbound: boolean; owned: string | null }>(sql`
    select current_user as name, rolsuper or rolbypassrls as unbound,
      (select min(tablename) from pg_tables where schemaname = 'public' and pg_has_role(current_user, tableowner, 'member')) as owned
    from pg_roles where rolname = current_user`);
  if (role?.name !== 'ohm_app') throw new Error(`the application logged in as ${role?.name ?? 'nobody'}, not as ohm_app`);
  if (role.unbound) throw new Error('ohm_app is a superuser or has BYPASSRLS: row-level security would not hold. ALTER ROLE ohm_app NOSUPERUSER NOBYPASSRLS');
  if (role.owned !== null) throw new Error(`ohm_app owns ${role.owned} (or is a member of its owner): row-level security would not hold`);
}
