import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type EmbeddedPostgres } from '../lib/launch';
import { noRedis, startRedis, type TestRedis } from '../lib/stores/test-redis';
import { managementClient, openai, type ManagementClient, type RunningOhm, scriptedUpstream, type ScriptedUpstream, startOhm } from './harness';

/** Two processes of one installation: one PostgreSQL, one Redis. */
describe.skipIf(noRedis !== null)('two replicas', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let redis: TestRedis;
  let first: RunningOhm;
  let second: RunningOhm;
  let upstream: ScriptedUpstream;
  let api: ManagementClient;
  let key: { id: string; key: string };

  beforeAll(async () => {
    redis = await startRedis();
    upstream = await scriptedUpstream(openai.streamOf('one ', 'two'));
    folder = mkdtempSync(join(tmpdir(), 'ohm-replicas-'));
    postgres = await startPostgres({ dataDir: folder, log: () => undefined });
    const env = { REDIS_URL: redis.url, DATABASE_URL: postgres.url, OHM_SECRET: randomBytes(32).toString('base64url') };
    first = await startOhm({ env });
    second = await startOhm({ env });
    api = managementClient(first.url, (await first.bootstrap()).managementKey);
    await api.connection('up', upstream.baseUrl);
    await api.route('chat', ['up/model']);
    key = await api.request('POST', '/keys', { name: 'shared', default_route: 'chat' });
  });
  afterAll(async () => {
    await second?.stop();
    await first?.stop();
    await Promise.all([upstream?.close(), redis?.stop(), postgres?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (ohm: RunningOhm, seed: number) =>
    fetch(`${ohm.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'auto', stream: true, seed, messages: [{ role: 'user', content: 'hi' }] }) });
  const outcome = async (ohm: RunningOhm, seed: number) => {
    const response = await ask(ohm, seed);
    return [response.status, response.headers.get('x-at-cache'), (await response.text()).endsWith('data: [DONE]\n\n')];
  };

  test('share an answer, and a purge, and a revocation', async () => {
    expect(await outcome(first, 1)).toEqual([200, 'MISS', true]);
    expect(await outcome(second, 1)).toEqual([200, 'HIT', true]);
    expect(upstream.contacts).toHaveLength(1);
    await api.request('POST', '/replay/purge', { key: 'shared' });
    await expect.poll(() => outcome(second, 1), { timeout: 5_000 }).toEqual([200, 'MISS', true]);
    expect((await outcome(first, 1))[1]).toBe('HIT');
    await api.request('DELETE', `/keys/${key.id}`);
    await expect.poll(async () => (await ask(second, 1)).status, { timeout: 5_000 }).toBe(401);
    expect((await ask(first, 1)).status).toBe(401);
    key = await api.request('POST', '/keys', { name: 'shared', default_route: 'chat' });
    expect(await outcome(second, 1)).toEqual([200, 'MISS', true]);
  });

  test('refuse Redis as an upstream’s address', async () => {
    await expect(api.connection('redis', `http://127.0.0.1:${redis.port}`)).rejects.toThrow(/own/);
  });

  test('answer on when Redis is killed, say so, and stay ready', async () => {
    expect((await outcome(first, 2))[1]).toBe('MISS');
    await redis.stop();
    for (let at = 0; at < 5; at++) expect(await outcome(first, 2)).toEqual([200, 'MISS', true]);
    await expect.poll(async () => ((await (await fetch(`${first.url}/ready`)).json()) as { ready: boolean; dependencies: { name: string; detail: string | null }[] }), { timeout: 5_000 }).toMatchObject({
      ready: true,
      dependencies: expect.arrayContaining([{ name: 'store', ok: true, detail: 'redis, away: nothing is replayed' }]),
    });
  });
});
