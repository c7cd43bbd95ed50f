import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type EmbeddedPostgres } from '../launch/postgres';
import { openDatabase } from './database';
import { TEST_SECRET } from './test-database';

/** Roles are the cluster's: what happens on a cluster that has none yet needs one of its own. */
let server: EmbeddedPostgres;
let superuser: postgres.Sql;
const dataDir = mkdtempSync(join(tmpdir(), 'ohm-owner-'));
beforeAll(async () => {
  server = await startPostgres({ dataDir, log: () => {}, settings: { fsync: 'off' } });
  superuser = postgres(server.url, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await superuser.end();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function database(owner: string, attributes: string): Promise<string> {
  await superuser.unsafe(`create role ${owner} login password 'pw' ${attributes}`);
  await superuser.unsafe(`create database ${owner} owner ${owner}`);
  const url = new URL(server.url);
  return Object.assign(url, { username: owner, password: 'pw', pathname: `/${owner}` }).href;
}

const works = async (ownerUrl: string, secret = TEST_SECRET) => {
  const db = await openDatabase({ ownerUrl, secret });
  const [row] = await db.unscoped((q) => q.execute<{ name: string }>(sql`select current_user as name from (select ohm_memberships('nobody')) as m right join (select 1) as one on true`));
  await db.close();
  return row?.name;
};

describe('migration works as', () => {
  test('an owner that is no superuser: CREATEROLE on a cluster without the roles, six processes at once', async () => {
    const ownerUrl = await database('ordinary', 'createrole createdb');
    expect(await Promise.all(Array.from({ length: 6 }, () => works(ownerUrl)))).toEqual(Array(6).fill('ohm_app'));
    const [definer] = await superuser`select rolsuper, rolbypassrls, rolcanlogin from pg_roles where rolname = 'ohm_definer'`;
    expect(definer).toEqual({ rolsuper: false, rolbypassrls: false, rolcanlogin: false });
  });

  test('that owner again, after somebody gave the role another password', async () => {
    await superuser`alter role ohm_app password 'other'`;
    const url = Object.assign(new URL(server.url), { username: 'ordinary', password: 'pw', pathname: '/ordinary' }).href;
    expect(await works(url)).toBe('ohm_app');
  });

  test('nobody with another OHM_SECRET than the database was set up with; nothing is changed', async () => {
    const url = Object.assign(new URL(server.url), { username: 'ordinary', password: 'pw', pathname: '/ordinary' }).href;
    await expect(works(url, 'another-secret-entirely-0123456789')).rejects.toThrow(/OHM_SECRET is not the one/);
    expect(await works(url)).toBe('ohm_app');
  });

  test('an owner without CREATEROLE, where an administrator has made the roles', async () => {
    const ownerUrl = await database('plain', '');
    await superuser`grant ohm_definer to plain`;
    expect(await works(ownerUrl)).toBe('ohm_app');
  });

  test('the superuser of another database on the same cluster', async () => {
    expect(await works(server.url)).toBe('ohm_app');
  });

  test('nobody who may not: the message says what is missing', async () => {
    const ownerUrl = await database('powerless', '');
    await expect(works(ownerUrl)).rejects.toThrow(/ohm_definer/);
  });
});

test('a role that the policies would not bind is refused at boot', async () => {
  const ownerUrl = server.url;
  await superuser`alter role ohm_app bypassrls`;
  await expect(works(ownerUrl)).rejects.toThrow(/BYPASSRLS/);
  await superuser`alter role ohm_app nobypassrls`;
  expect(await works(ownerUrl)).toBe('ohm_app');
});
