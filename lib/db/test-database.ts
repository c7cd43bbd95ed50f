import { randomBytes } from 'node:crypto';
import { afterAll, inject } from 'vitest';
import postgres from 'postgres';
import { openDatabase, type Database, type OpenDatabaseOptions } from './database';

/** Roles are the cluster's, so every test database on it shares one secret. */
export const TEST_SECRET = 'a-secret-for-tests-only-0123456789abcdef';

export interface TestDatabase {
  db: Database;
  ownerUrl: string;
  secret: string;
  /** The owner's connection: a superuser, whom no policy binds. */
  owner: postgres.Sql;
  /** Another handle on the same database, as a second process would have. Closed by the same hook. */
  open(options?: Partial<OpenDatabaseOptions>): Promise<Database>;
}

/** A migrated database of its own for one test file, dropped when the file is done. Call it inside `beforeAll`. */
export async function createTestDatabase(options: Partial<OpenDatabaseOptions> = {}): Promise<TestDatabase> {
  const name = `ohm_test_${randomBytes(6).toString('hex')}`;
  const serverUrl = inject('ownerUrl');
  await onServer(serverUrl, (server) => server.unsafe(`create database ${name}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const ownerUrl = url.href;

  const opened: Database[] = [];
  const open = async (more: Partial<OpenDatabaseOptions> = {}) => {
    const db = await openDatabase({ ownerUrl, secret: TEST_SECRET, poolSize: 4, ...options, ...more });
    opened.push(db);
    return db;
  };
  const db = await open();
  const owner = postgres(ownerUrl, { max: 2, onnotice: () => {} });
  cleanups.push(async () => {
    await Promise.all([...opened.map((each) => each.close()), owner.end({ timeout: 1 })]);
    await onServer(serverUrl, (server) => server.unsafe(`drop database if exists ${name} with (force)`));
  });
  return { db, ownerUrl, secret: TEST_SECRET, owner, open };
}

const cleanups: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function onServer(url: string, work: (server: postgres.Sql) => Promise<unknown>): Promise<void> {
  const server = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await work(server);
  } finally {
    await server.end({ timeout: 1 });
  }
}
