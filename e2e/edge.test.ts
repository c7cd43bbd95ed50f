import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type EmbeddedPostgres } from '../lib/launch';
import { STORE_BOUND_MS } from '../lib/stores';
import { noRedis, startRedis, type TestRedis } from '../lib/stores/test-redis';
import { type Contact, managementClient, openai, type ManagementClient, type RunningEdge, type RunningOhm, scriptedUpstream, type ScriptedUpstream, startEdge, startOhm, type Answer } from './harness';

/** An edge before two control planes of one installation: one PostgreSQL, one Redis, all as they are built. */

let folder: string;
let postgres: EmbeddedPostgres;
let redis: TestRedis;
let primary: RunningOhm;
let fallback: RunningOhm;
let edge: RunningEdge;
let upstream: ScriptedUpstream;
let api: ManagementClient;
let edgeEnv: Record<string, string>;

/** A stream of words at a pace, or a whole answer. */
const answering = ({ body }: Contact): Answer => {
  const { stream, seed } = JSON.parse(body) as { stream?: boolean; seed?: number };
  if (stream !== true) return [{ waitMs: 20 }, ...openai.jsonOf(`answer ${seed}`)];
  return [openai.sseHead(), openai.role(), ...Array.from({ length: 12 }, (_, at) => [{ waitMs: 25 }, openai.text(`word${at} `)] as Answer).flat(), openai.finish(), openai.usage(9, 12), openai.DONE, 'end'];
};

describe.skipIf(noRedis !== null)('the edge', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    redis = await startRedis();
    upstream = await scriptedUpstream(answering);
    folder = mkdtempSync(join(tmpdir(), 'ohm-edge-'));
    postgres = await startPostgres({ dataDir: folder, log: () => undefined });
    const env = { REDIS_URL: redis.url, DATABASE_URL: postgres.url, OHM_SECRET: randomBytes(32).toString('base64url'), OHM_TRUSTED_PROXIES: '1' };
    primary = await startOhm({ env });
    fallback = await startOhm({ env });
    api = managementClient(fallback.url, (await fallback.bootstrap()).managementKey);
    await api.connection('up', upstream.baseUrl);
    await api.route('chat', ['up/model']);
    edgeEnv = { OHM_EDGE_PRIMARY: primary.url, OHM_EDGE_FALLBACK: fallback.url, OHM_SECRET: env.OHM_SECRET, REDIS_URL: redis.url };
    edge = await startEdge({ env: edgeEnv });
  }, 120_000);
  afterAll(async () => {
    await edge?.stop();
    await primary?.stop();
    await fallback?.stop();
    await Promise.all([upstream?.close(), redis?.stop(), postgres?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (at: { url: string }, key: string, body: object = {}, signal?: AbortSignal) =>
    fetch(`${at.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'hi' }], ...body }),
      ...(signal ? { signal } : {}),
    });
  const idOf = (response: Response) => response.headers.get('x-ohm-request-id')!;

  test('is ready, and tells of its planes, its Redis and its journal by name', async () => {
    await expect.poll(async () => (await (await fetch(`${edge.url}/ready`)).json()) as object).toEqual({
      ready: true,
      draining: false,
      dependencies: [
        { name: 'primary', ok: true, detail: null },
        { name: 'fallback', ok: true, detail: null },
        { name: 'redis', ok: true, detail: null },
        { name: 'journal', ok: true, detail: '0 rows not yet delivered' },
      ],
    });
    // What is not a call goes through it as well.
    expect(await (await fetch(`${edge.url}/v1/public/honesty`)).json()).toHaveProperty('claims');
    expect((await fetch(`${edge.url}/`)).headers.get('content-type')).toMatch(/^text\/html/);
  });

  test('answers from Redis while both planes stand still, with one row a call, and lets a revoked key go within five seconds', async () => {
    const key = await api.request<{ id: string; key: string }>('POST', '/keys', { name: 'replayed', default_route: 'chat' });
    const body = { seed: 1 };
    expect((await ask(edge, key.key, body)).headers.get('x-at-cache')).toBe('MISS');
    await (await ask(edge, key.key, body)).text();
    await delay(300); // the grant is read again after a moment
    const before = upstream.contacts.length;
    process.kill(primary.pid, 'SIGSTOP');
    process.kill(fallback.pid, 'SIGSTOP');
    const ids: string[] = [];
    try {
      for (let at = 0; at < 10; at++) {
        const answer = await ask(edge, key.key, body, AbortSignal.timeout(3_000));
        expect([answer.status, answer.headers.get('x-at-cache'), answer.headers.get('x-ohm-attempts'), answer.headers.get('x-ohm-route')]).toEqual([200, 'HIT', '0', 'chat']);
        expect(await answer.text()).toContain('answer 1');
        ids.push(idOf(answer));
      }
    } finally {
      process.kill(primary.pid, 'SIGCONT');
      process.kill(fallback.pid, 'SIGCONT');
    }
    expect(upstream.contacts.length).toBe(before);
    for (const id of ids) expect(await api.call(id)).toMatchObject({ id, state: 'finished', replay: 'HIT', cost_nano_usd: 0, tier: 1, attempts: [], usage: { prompt_tokens: 9, total_tokens: 12 } });

    const at = performance.now();
    await api.request('DELETE', `/keys/${key.id}`);
    await expect.poll(async () => (await ask(edge, key.key, body)).status, { timeout: 6_000, interval: 25 }).toBe(401);
    expect(performance.now() - at).toBeLessThan(5_000);
  });

  test('survives kill -9 with every row that it had answered for', async () => {
    const key = await api.key('chat', { replay: { enabled: true } });
    const body = { seed: 2 };
    await (await ask(edge, key, body)).text();
    await (await ask(edge, key, body)).text();
    await delay(300);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(edge, key, body)));
    const ids = answers.map(idOf);
    await edge.kill9(); // long before a batch of rows would leave
    edge = await edge.restart();
    for (const id of ids) expect(await api.call(id)).toMatchObject({ state: 'finished', replay: 'HIT' });
  });

  /**
   * Calls of a fresh key whose limit is 12 a minute, of which two make its stored answer known to the edge. `counted`:
   * Redis was asked by every one of them. It is not where an answer took as long as a question to it may, or where the
   * breaker was open: such a process counts by itself, and says so in no header.
   */
  async function ratedCalls() {
    const key = await api.key('chat', { replay: { enabled: true }, limits: { requests_per_minute: 12 } });
    const body = { seed: 3 };
    const slowest = { ms: 0 };
    const timed = async (at: { url: string }) => {
      const from = performance.now();
      const answer = await ask(at, key, body);
      slowest.ms = Math.max(slowest.ms, performance.now() - from);
      return answer;
    };
    const up = async () => {
      const told = await Promise.all([edge, primary, fallback].map(async ({ url }) => (await fetch(`${url}/ready`)).text()));
      return told.every((text) => !text.includes('away'));
    };
    const upBefore = await up();
    for (let at = 0; at < 2; at++) await (await ask(edge, key, body)).text();
    await delay(300);
    const left: [string | null, number][] = [];
    for (const at of [edge, primary, edge, fallback, edge]) {
      const { headers } = await timed(at);
      left.push([headers.get('x-at-cache'), Number(headers.get('x-ratelimit-remaining-requests'))]);
    }
    const rest = await Promise.all(Array.from({ length: 12 }, (_, at) => timed([edge, primary, fallback][at % 3]!)));
    const statuses = rest.map(({ status }) => status).sort((a, b) => a - b);
    return { left, statuses, counted: upBefore && slowest.ms < STORE_BOUND_MS && (await up()) };
  }

  test('counts rates together with the planes', async () => {
    const right = { left: [9, 8, 7, 6, 5].map((rest) => ['HIT', rest]), statuses: [...Array<number>(5).fill(200), ...Array<number>(7).fill(429)] };
    let seen = await ratedCalls();
    // Another try only where the machine kept a process from Redis, never where all of them asked it and differ.
    for (let tries = 1; tries < 20 && !seen.counted && JSON.stringify([seen.left, seen.statuses]) !== JSON.stringify([right.left, right.statuses]); tries++) seen = await ratedCalls();
    expect({ left: seen.left, statuses: seen.statuses }).toEqual(right);
  });

  test('does not repeat a walk that every tier has failed', async () => {
    const failing = await scriptedUpstream(openai.error(500));
    await api.connection('failing', failing.baseUrl);
    await api.route('failing', ['failing/model']);
    const answer = await ask(edge, await api.key('failing'));
    expect([answer.status, answer.headers.get('x-ohm-attempts')]).toEqual([502, '2']); // one visit: its attempt and the one retry
    expect(failing.contacts).toHaveLength(2);
    await failing.close();
  });

  test('passes a hang-up on to the provider', async () => {
    const silent = await scriptedUpstream([openai.sseHead(), openai.text('first'), 'stall']);
    await api.connection('silent', silent.baseUrl);
    await api.route('silent', ['silent/model']);
    const leave = new AbortController();
    const answer = await ask(edge, await api.key('silent'), { stream: true }, leave.signal);
    await answer.body!.getReader().read();
    const at = performance.now();
    leave.abort();
    await silent.contacts[0]!.left;
    expect(performance.now() - at).toBeLessThan(1_000);
    expect(await api.call(idOf(answer))).toMatchObject({ state: 'aborted' });
    await silent.close();
  });

  test('a control plane killed under load: no request fails that had not yet received a byte, cut streams say so, one row a call', async () => {
    const key = await api.request<{ id: string; key: string }>('POST', '/keys', { name: 'loaded', default_route: 'chat', replay: { enabled: false } });
    const outcomes: { id: string; how: 'whole' | 'cut' | 'refused'; stream: boolean; why?: string }[] = [];
    let running = true;
    let seed = 100;
    const client = async (stream: boolean) => {
      while (running) {
        const answer = await ask(edge, key.key, { stream, seed: seed++ });
        const id = idOf(answer);
        if (answer.status !== 200) {
          outcomes.push({ id, how: 'refused', stream, why: `${answer.status} ${await answer.text()}` });
          continue;
        }
        try {
          const text = await answer.text();
          const whole = stream ? text.endsWith('data: [DONE]\n\n') : text.includes('answer');
          outcomes.push({ id, how: whole ? 'whole' : 'cut', stream, ...(whole ? {} : { why: text.slice(-300) }) });
        } catch (error) {
          outcomes.push({ id, how: 'cut', stream, why: String(error) });
        }
      }
    };
    const clients = [...Array.from({ length: 12 }, () => client(true)), ...Array.from({ length: 12 }, () => client(false))];
    await delay(1_500);
    await primary.kill9();
    const atKill = outcomes.length;
    await delay(2_000);
    primary = await primary.restart();
    await delay(1_000);
    running = false;
    await Promise.all(clients);

    console.log(`edge: ${outcomes.length} calls (${atKill} before the kill), ${outcomes.filter(({ how }) => how === 'cut').length} streams cut`);
    expect(outcomes.filter(({ how }) => how === 'refused')).toEqual([]);
    expect(outcomes.filter(({ how, stream }) => how === 'cut' && !stream)).toEqual([]);
    const cut = outcomes.filter(({ how }) => how === 'cut');
    expect(cut.length).toBeGreaterThan(0);
    expect(cut.length).toBeLessThanOrEqual(12);
    expect(cut.filter(({ why }) => !/stream_truncated|terminated|closed/.test(why!))).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(atKill + 50);

    const rows = await expectRows(key.id, outcomes.length);
    expect(rows.size).toBe(outcomes.length); // as many rows as calls, and each call has one
    for (const { id, how } of outcomes) expect([id, how === 'whole' ? rows.get(id) : /^(lost|truncated)$/.test(rows.get(id)!)]).toEqual([id, how === 'whole' ? 'finished' : true]);
  });

  /** The states of all calls of a key, once there are so many. */
  async function expectRows(keyId: string, count: number): Promise<Map<string, string>> {
    const read = async () => {
      const rows = new Map<string, string>();
      for (let cursor = ''; ; ) {
        const page: { data: { id: string; state: string }[]; next_cursor: string | null } = await api.request('GET', `/calls?key=${keyId}&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        for (const { id, state } of page.data) {
          expect(rows.has(id)).toBe(false);
          rows.set(id, state);
        }
        if (page.next_cursor === null) return rows;
        cursor = page.next_cursor;
      }
    };
    await expect.poll(async () => (await read()).size, { timeout: 20_000, interval: 500 }).toBe(count);
    return await read();
  }

  test('a cut stream is an error for the official client', async () => {
    const half = await scriptedUpstream([openai.sseHead(), openai.role(), openai.text('half '), 'stall']);
    await api.connection('half', half.baseUrl);
    await api.route('half', ['half/model']);
    const client = new OpenAI({ baseURL: `${edge.url}/v1`, apiKey: await api.key('half'), maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: 'auto', stream: true, messages: [{ role: 'user', content: 'hi' }] });
    let text = '';
    await expect(
      (async () => {
        for await (const chunk of stream) {
          text += chunk.choices[0]?.delta.content ?? '';
          if (text === 'half ') await primary.kill9();
        }
      })(),
    ).rejects.toMatchObject({ code: 'stream_truncated' });
    primary = await primary.restart();
    await half.close();
  });

  test('drains on SIGTERM: not ready first, streams finish, and it ends in order', async () => {
    const own = await startEdge({ env: edgeEnv });
    const answer = await ask(own, await api.key('chat'), { stream: true });
    own.signal('SIGTERM');
    await expect.poll(async () => (await fetch(`${own.url}/ready`)).status).toBe(503);
    expect(await answer.text()).toMatch(/word11[^]*\[DONE\]/);
    expect(await own.exited).toBe(0);
    await own.stop();
  });

  test('a second signal ends it at once', async () => {
    const silent = await scriptedUpstream([openai.sseHead(), openai.text('first'), 'stall']);
    await api.connection('still', silent.baseUrl);
    await api.route('still', ['still/model']);
    const own = await startEdge({ env: edgeEnv });
    await ask(own, await api.key('still'), { stream: true });
    own.signal('SIGTERM');
    await expect.poll(async () => (await fetch(`${own.url}/ready`)).status).toBe(503);
    await delay(250); // closer together they count as one
    own.signal('SIGTERM');
    expect(await own.exited).toBe(143);
    await own.stop();
    await silent.close();
  });
});

test('a bad variable stops the start with its name', async () => {
  await expect(startEdge({ env: { OHM_EDGE_PRIMARY: 'nowhere', OHM_SECRET: 'short' } })).rejects.toThrow(/ohm: OHM_EDGE_PRIMARY must be[^]*ohm: OHM_SECRET must have/);
});
