import { connect, createServer, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openDatabase, type Database } from './database';
import { createTestDatabase, type TestDatabase } from './test-database';

let t: TestDatabase;
let line: Awaited<ReturnType<typeof createLine>>;
let db: Database;
beforeAll(async () => {
  t = await createTestDatabase();
  line = await createLine(Number(new URL(inject('ownerUrl')).port));
  const url = new URL(t.ownerUrl);
  url.port = String(line.port);
  db = await openDatabase({ ownerUrl: url.href, secret: t.secret, poolSize: 3, timeoutMs: 600, migrate: false });
});
afterAll(async () => {
  line.state('open');
  await db.close();
  await line.close();
});

const ask = () => db.unscoped((q) => q.execute(sql`select 1 as one`));
const outcomes = async (n: number) => {
  const startedAt = performance.now();
  const results = await Promise.allSettled(Array.from({ length: n }, ask));
  return { ms: performance.now() - startedAt, refused: results.filter((r) => r.status === 'rejected'), answered: results.filter((r) => r.status === 'fulfilled').length };
};
const recovers = () => expect.poll(() => ask().then(() => 'answers', () => 'refuses'), { timeout: 5_000, interval: 20 }).toBe('answers');

test('a database that refuses connections is "unavailable" within the bound, for everyone who asks, and back by itself', async () => {
  line.state('refuse');
  const { ms, refused } = await outcomes(30);
  expect(refused).toHaveLength(30);
  for (const result of refused) expect(result).toMatchObject({ reason: { name: 'Refusal', code: 'unavailable', retryAfterS: 2 } });
  expect(ms).toBeLessThan(5_000);
  line.state('open');
  await recovers();
});

test('a database that has gone mute is "unavailable" within the bound, and back by itself once it speaks again', async () => {
  await ask();
  line.state('mute');
  for (let round = 0; round < 3; round++) {
    const { ms, refused } = await outcomes(20);
    expect(refused).toHaveLength(20);
    expect(ms).toBeLessThan(5_000);
  }
  line.state('open');
  await recovers();
});

test('a statement that takes too long ends as "unavailable"; the others are not harmed, and nothing of it stays', async () => {
  const slow = db.transaction(async (tx) => {
    await tx.execute(sql`insert into login_attempts (bucket, last_failure_at) values ('slow', now())`);
    await tx.execute(sql`select pg_sleep(30)`);
  });
  const { answered } = await outcomes(20);
  expect(answered).toBe(20);
  await expect(slow).rejects.toMatchObject({ code: 'unavailable' });
  expect(await t.owner`select from login_attempts where bucket = 'slow'`).toHaveLength(0);
});

test('who was told that nothing was changed is right: a transaction that outlives the bound is rolled back', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const late = db.transaction(async (tx) => {
    await tx.execute(sql`insert into login_attempts (bucket, last_failure_at) values ('late', now())`);
    await held;
  });
  await expect(late).rejects.toMatchObject({ code: 'unavailable' });
  release();
  await recovers();
  await expect.poll(() => t.owner`select count(*)::int as n from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`).toMatchObject([{ n: 0 }]);
  expect(await t.owner`select from login_attempts where bucket = 'late'`).toHaveLength(0);
});

test('a pool that is full lets others wait their turn', async () => {
  const holders = Array.from({ length: 3 }, () => db.unscoped((q) => q.execute(sql`select pg_sleep(0.4)`)));
  const { answered } = await outcomes(10);
  expect(answered).toBe(10);
  await Promise.all(holders);
});

test('connections that the server ends cost at most the questions under way', async () => {
  await Promise.all([ask(), ask(), ask()]);
  // Waits for their ends: one that was still dying would take a later question with it.
  await t.owner`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'ohm' and datname = current_database()`;
  await recovers();
  const { answered } = await outcomes(20);
  expect(answered).toBe(20);
});

test('a violated constraint is told with its name and without the values', async () => {
  const insert = () => db.unscoped((q) => q.execute(sql`insert into users (id, email, password_hash) values ('user_x', 'x@example.com', ${'hash-canary'})`));
  await insert();
  const error: Error = await insert().then(() => new Error('accepted'), (reason: Error) => reason);
  expect(error).toMatchObject({ code: '23505', constraint_name: 'users_pkey' });
  expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain('hash-canary');
});

/** A network line to PostgreSQL that can be cut (`refuse`) or go dead without a word (`mute`). */
async function createLine(target: number) {
  let state: 'open' | 'refuse' | 'mute' = 'open';
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {}).on('close', () => sockets.delete(client));
    if (state === 'refuse') return client.resetAndDestroy();
    if (state === 'mute') return;
    const upstream = connect(target, '127.0.0.1');
    sockets.add(upstream);
    upstream.on('error', () => {}).on('close', () => (sockets.delete(upstream), client.destroy()));
    client.on('close', () => upstream.destroy());
    client.on('data', (bytes) => state === 'open' && upstream.write(bytes));
    upstream.on('data', (bytes) => state === 'open' && client.write(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    state(next: typeof state) {
      state = next;
      if (next === 'refuse') for (const socket of sockets) socket.resetAndDestroy();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
