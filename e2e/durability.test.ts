import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterEach, expect, test } from 'vitest';
import { startPostgres } from '../lib/launch';
import { killStorm } from './durability/kill-storm';
import { managementClient, openai, scriptedUpstream, startOhm } from './harness';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

test('killed ten times under streaming load: no answer that arrived whole is missing from the ledger, none is in it twice, and every sum holds', { timeout: 300_000 }, async () => {
  const report = await killStorm({ kills: 10, clients: 12, seed: 7 });
  console.log(`durability: ${JSON.stringify(report)}`);
  expect(report.problems).toEqual([]);
  expect(report.whole).toBeGreaterThan(50);
});

test('PostgreSQL stopped under load: open streams finish and settle later, new calls are told to come back, nothing is lost, and no restart is needed', { timeout: 120_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ohm-outage-'));
  open.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const pgDir = join(dataDir, 'database');
  let pg = await startPostgres({ dataDir: pgDir, log: () => undefined });
  open.push(() => pg.stop());
  const ohm = await startOhm({ dataDir, env: { DATABASE_URL: pg.url, OHM_SECRET: randomBytes(32).toString('base64') } });
  open.push(() => ohm.stop());
  const management = managementClient(ohm.url, (await ohm.bootstrap('outage')).managementKey);

  let finish!: () => void;
  const rest = new Promise<void>((resolve) => (finish = resolve));
  const provider = await scriptedUpstream([openai.sseHead(), openai.role(), openai.text('first '), { until: rest }, openai.text('last'), openai.finish(), openai.usage(9, 2), openai.DONE]);
  open.push(provider.close);
  await management.connection('upstream', provider.baseUrl);
  await management.route('chat', ['upstream/m']);
  const token = await management.key('chat');
  const ask = () =>
    fetch(`${ohm.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'chat', stream: true, messages: [{ role: 'user', content: 'hello' }] }),
    });

  const streams = await Promise.all(Array.from({ length: 20 }, ask));
  await pg.stop();
  // What the process knows of the key is a few seconds old at most; then nobody can vouch for it any more.
  await expect.poll(async () => (await ask()).status, { timeout: 15_000, interval: 500 }).toBe(503);
  const refused = await ask();
  expect([refused.status, refused.headers.has('retry-after'), ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([503, true, 'dependency_unavailable']);

  finish();
  const texts = await Promise.all(streams.map((response) => response.text()));
  expect(texts.every((text) => text.endsWith('data: [DONE]\n\n'))).toBe(true);

  const { port } = new URL(pg.url);
  pg = await startPostgres({ dataDir: pgDir, log: () => undefined });
  expect(new URL(pg.url).port).toBe(port);
  await expect.poll(async () => (await ask()).status, { timeout: 15_000, interval: 200 }).toBe(200);
  const sql = postgres(pg.url, { max: 1, onnotice: () => {} });
  open.push(() => sql.end());
  const ids = streams.map((response) => response.headers.get('x-ohm-request-id')!);
  await expect.poll(async () => (await sql`select id from calls where id = any(${ids}) and state = 'finished'`).length, { timeout: 15_000 }).toBe(20);
});
