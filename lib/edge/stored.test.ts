import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { anthropic, openai, type Script, scriptedUpstream } from '../../e2e/harness';
import { TEST_KEY, testEngine } from '../gateway/test-engine';
import { createLimitGate, createCounters, type Limits } from '../limits';
import type { CallRow } from '../metering';
import { type Entry, textOf } from '../metering/entry';
import { rowJson } from '../metering/row-json';
import { rowOf } from '../metering/row-text';
import { createReplay } from '../replay';
import { systemClock } from '../std';
import { linkTo, type TestLink } from '../stores/test-link';
import { noRedis, startRedis, type TestRedis } from '../stores/test-redis';
import { createKeyring } from '../tenancy/keyring';
import { issueToken } from '../tenancy/token';
import { createEdgeDesk } from './desk';
import { takeRows } from './take-rows';
import { closeAll, closeLater, patientRedis, testEdge, TEST_SECRET } from './test-edge';

/** An edge before a control plane's engine, over one real Redis. */

let redis: TestRedis;
let link: TestLink;
beforeAll(async () => {
  if (noRedis !== null) return console.warn(noRedis);
  redis = await startRedis();
  link = await linkTo(redis.port);
});
afterEach(closeAll);
afterAll(async () => {
  await link?.close();
  await redis?.stop();
});

interface Setting {
  script?: Script;
  wire?: 'openai' | 'anthropic';
  /** How long what the directory said may be used, ms. */
  freshMs?: number;
  /** Its journal cannot be written. */
  noJournal?: boolean;
}

async function setting({ script = openai.jsonOf('hello'), wire = 'openai', freshMs = 60_000, noJournal = false }: Setting = {}) {
  const upstream = await scriptedUpstream(script);
  closeLater(upstream.close);
  const store = await patientRedis(redis.port);
  closeLater(store.close);
  const { token } = issueToken('sk');
  let revoked = false;
  const changes = new Set<(workspaceId: string | null) => void>();
  const desk = createEdgeDesk({
    secret: TEST_SECRET,
    store,
    clock: systemClock,
    freshForMs: () => (revoked ? 0 : freshMs),
    onConfigChange: (listener) => {
      changes.add(listener);
      return () => changes.delete(listener);
    },
  });
  const counters = createCounters(store, store);
  closeLater(counters.close);
  const plane = await testEngine({
    directory: { find: (given) => (given === token && !revoked ? plane.caller() : null) },
    replay: createReplay({ store, clock: systemClock, workspaceKey: createKeyring(TEST_SECRET).workspaceKey }),
    limits: createLimitGate({ counters, budgets: { hold: async () => ({ verdict: 'unpriced' }) }, now: () => systemClock.now() }),
    edge: desk,
  });
  closeLater(plane.close);
  plane.route([{ url: upstream.origin, wire }]);
  plane.keepAnswers();
  // Each test has a place of its own in the inventory, and counters of its own.
  plane.caller().key.id = `key_${token.slice(-8)}`;
  plane.caller().workspace.id = `ws_${token.slice(-8)}`;

  const delivered = await rowDesk();
  const folder = mkdtempSync(join(tmpdir(), 'ohm-edge-'));
  closeLater(() => rmSync(folder, { recursive: true, force: true }));
  if (noJournal) writeFileSync(join(folder, 'edge'), 'a file where its folder would be');
  const edge = await testEdge({ primary: plane.url, fallback: delivered.url, redisUrl: `redis://127.0.0.1:${link.port}`, dataDir: folder }, await patientRedis(link.port));
  const ask = async (at: { url: string }, body: object = {}, headers: Record<string, string> = {}, path = '/v1/chat/completions') => {
    const response = await fetch(at.url + path, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers }, body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'hello' }], ...body }) });
    return { status: response.status, headers: response.headers, text: await response.text(), cache: response.headers.get('x-at-cache') };
  };
  return {
    upstream,
    store,
    plane,
    edge,
    token,
    delivered,
    ask,
    /** Calls that the control plane has had. */
    planeRows: () => plane.rows.length,
    revoke: (tell: boolean) => {
      revoked = true;
      if (tell) for (const listener of changes) listener(plane.caller().workspace.id);
    },
    /** Stores an answer by way of the control plane, and has the edge granted the key. */
    async prime(body: object = {}, headers: Record<string, string> = {}, path?: string) {
      await ask(edge, body, headers, path);
      // The grant is written behind the answer, and what the edge did not find it looks for again after a moment.
      await expect.poll(async () => { const before = plane.rows.length; const { cache } = await ask(edge, body, headers, path); return [cache, plane.rows.length - before]; }, { interval: 60, timeout: 3_000 }).toEqual(['HIT', 0]);
    },
  };
}

/** Takes rows as a control plane does, and nothing else. */
async function rowDesk() {
  const rows = new Map<string, CallRow>();
  const corrections: { id: string }[] = [];
  const take = takeRows({
    secret: TEST_SECRET,
    clock: systemClock,
    ledger: { take: async (entries: readonly Entry[]) => entries.forEach((entry) => (entry.kind === 'S' ? rows.set(entry.id, rowOf(textOf(entry))) : corrections.push(JSON.parse(textOf(entry)) as { id: string }))) },
  });
  const server = createServer(async (message, response) => {
    const body = Buffer.concat(await message.toArray());
    if (message.url !== '/api/edge/rows') return void response.writeHead(599).end();
    const answer = await take(new Request('http://x/', { method: 'POST', headers: message.headers as Record<string, string>, body: new Uint8Array(body) }));
    response.writeHead(answer.status).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, rows, corrections };
}

const NO_LIMITS: Limits = { requestsPerMinute: null, tokensPerMinute: null, concurrentCalls: null, dailyNanoUsd: null, monthlyNanoUsd: null, budgetMode: 'hard' };

describe.skipIf(noRedis !== null)('a stored answer', () => {
  test('is given as the control plane gives it: the same headers, the same body, nobody asked', async () => {
    const { ask, edge, plane, prime, planeRows, upstream } = await setting();
    await prime();
    const there = await ask(plane);
    const before = planeRows();
    const here = await ask(edge);
    expect(planeRows()).toBe(before);
    expect(upstream.contacts).toHaveLength(1);
    const fixed = (headers: Headers) => Object.fromEntries([...headers].filter(([name]) => !['date', 'x-ohm-request-id', 'connection', 'keep-alive'].includes(name)));
    expect(fixed(here.headers)).toEqual(fixed(there.headers));
    expect(fixed(here.headers)).toMatchObject({ 'x-at-cache': 'HIT', 'x-ohm-attempts': '0', 'x-ohm-tier': '1', 'x-ohm-provider': 'custom', 'content-type': 'application/json' });
    const plain = ({ text, headers }: typeof here) => text.replaceAll(headers.get('x-ohm-request-id')!, 'ID').replace(/"created":\d+/, '"created":0');
    expect(plain(here)).toBe(plain(there));
    expect(plain(here)).toContain('hello');
  });

  test('has the row that the control plane would have written, delivered to one', async () => {
    const { ask, edge, plane, prime, delivered } = await setting();
    await prime({}, { 'x-ohm-tag': 'night' });
    await ask(plane, {}, { 'x-ohm-tag': 'night' });
    const there = rowOf(rowJson(plane.rows.at(-1)!));
    const id = (await ask(edge, {}, { 'x-ohm-tag': 'night' })).headers.get('x-ohm-request-id')!;
    await expect.poll(() => delivered.rows.get(id), { timeout: 3_000 }).toBeDefined();
    const here = delivered.rows.get(id)!;
    const { created_at: _a, finished_at: _b, duration_ms: _c, first_content_ms: _d, ...same } = there;
    expect(here).toMatchObject({ ...same, id, replay: 'HIT', cost_nano_usd: 0, tag: 'night', flushed_bytes: expect.any(Number) });
    expect(Object.keys(here).sort()).toEqual(Object.keys(there).sort());
  });

  test.each<[string, object, Record<string, string>]>([
    ['a stream', { stream: true }, {}],
    ['a request that wants no stored answer', {}, { 'cache-control': 'no-store' }],
    ['a request that says bypass', {}, { 'x-ohm-cache': 'bypass' }],
    ['a request for the first tier alone', {}, { 'x-ohm-fallback': 'off' }],
    ['a request with an option that is none', {}, { 'x-ohm-cache': 'please' }],
    ['another question', { seed: 2 }, {}],
    ['another model', { model: 'test' }, {}],
    ['a body that is none', { messages: 'no' }, {}],
  ])('is left to the control plane for %s', async (_, body, headers) => {
    const { ask, edge, prime, planeRows } = await setting();
    await prime();
    const before = planeRows();
    await ask(edge, body, headers);
    expect(planeRows()).toBe(before + 1);
  });

  test('of the Messages API is a message, of embeddings the vectors', async () => {
    const messages = await setting({ script: anthropic.streamOf('hello'), wire: 'anthropic' });
    messages.upstream.play([{ head: 200, headers: { 'content-type': 'application/json' } }, { send: JSON.stringify({ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'hello' }], stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 3, output_tokens: 1 } }) }]);
    await messages.prime({ max_tokens: 5 }, {}, '/v1/messages');
    expect(JSON.parse((await messages.ask(messages.edge, { max_tokens: 5 }, {}, '/v1/messages')).text)).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'hello' }], stop_reason: 'end_turn' });
    const vectors = { object: 'list', model: 'm', data: [{ object: 'embedding', index: 0, embedding: [0.5, -1] }], usage: { prompt_tokens: 2, total_tokens: 2 } };
    const embeddings = await setting({ script: openai.json(200, vectors) });
    await embeddings.prime({ input: 'hello' }, {}, '/v1/embeddings');
    expect(JSON.parse((await embeddings.ask(embeddings.edge, { input: 'hello' }, {}, '/v1/embeddings')).text)).toEqual(vectors);
  });

  test('that was altered in the store is a miss, and so is a grant', async () => {
    const { ask, edge, prime, store, upstream } = await setting();
    await prime();
    const { Redis } = await import('ioredis');
    const direct = new Redis(redis.url, { protocol: 2 });
    closeLater(() => direct.disconnect());
    for (const key of await direct.keys('ohm:replay:*')) await direct.set(key, `${(await direct.get(key))!.slice(0, -8)}AAAAAAA=`);
    expect([(await ask(edge)).cache, upstream.contacts.length]).toEqual(['MISS', 2]);
    for (const key of await direct.keys('ohm:grant:*')) await direct.set(key, 'AQAA', 'PX', 4_000);
    expect((await ask(edge)).status).toBe(200);
    expect(store.up).toBe(true);
  });
});

describe.skipIf(noRedis !== null)('a revoked key', () => {
  test('is refused at the edge at once where the control plane hears of it', async () => {
    const { ask, edge, prime, revoke } = await setting();
    await prime();
    const at = performance.now();
    revoke(true);
    await expect.poll(async () => (await ask(edge)).status, { timeout: 5_000, interval: 20 }).toBe(401);
    expect(performance.now() - at).toBeLessThan(1_500);
  });

  test('is refused when what the control plane knew of it is over, where nobody tells', async () => {
    const { ask, edge, prime, revoke } = await setting({ freshMs: 2_500 });
    await prime();
    const at = performance.now();
    revoke(false);
    await expect.poll(async () => (await ask(edge)).status, { timeout: 5_000, interval: 20 }).toBe(401);
    expect(performance.now() - at).toBeLessThan(2_500 + 500 + 200);
  });

  test('grants are no one\'s who has no key: nothing is asked of Redis for junk', async () => {
    const { edge, planeRows } = await setting();
    const before = planeRows();
    expect((await fetch(`${edge.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${TEST_KEY}` }, body: '{}' })).status).toBe(401);
    expect(planeRows()).toBe(before);
  });
});

describe.skipIf(noRedis !== null)('rates', () => {
  test('are counted with those of the control planes, and told in the same headers', async () => {
    const { ask, edge, plane, prime, planeRows } = await setting();
    plane.caller().key.limits = { ...NO_LIMITS, requestsPerMinute: 30 };
    await prime();
    const left = async (at: { url: string }) => Number((await ask(at)).headers.get('x-ratelimit-remaining-requests'));
    const first = await left(plane);
    const rows = planeRows();
    expect([await left(edge), await left(edge), planeRows() - rows, await left(plane)]).toEqual([first - 1, first - 2, 0, first - 3]);
    for (let calls = first - 3; calls > 0; calls--) expect((await ask(calls % 2 === 0 ? plane : edge)).status).toBe(200);
    const refused = await ask(edge);
    expect([refused.status, refused.headers.get('x-ratelimit-remaining-requests'), (await ask(plane)).status]).toEqual([429, '0', 429]);
    expect(plane.rows.at(-2)).toMatchObject({ state: 'rejected', error_code: 'rate_limit_exceeded', id: refused.headers.get('x-ohm-request-id') });
  });
});

describe.skipIf(noRedis !== null)('the control plane has every call', () => {
  test('while the journal cannot be written', async () => {
    const { ask, edge, planeRows } = await setting({ noJournal: true });
    for (let calls = 1; calls <= 4; calls++) {
      expect((await ask(edge)).status).toBe(200);
      expect(planeRows()).toBe(calls);
      await new Promise((done) => setTimeout(done, 120)); // the grant is there by the second
    }
  });

  test('while Redis is away, and the edge has them again when it is back', async () => {
    const { ask, edge, prime, planeRows } = await setting();
    await prime();
    link.cut();
    await expect.poll(async () => { const before = planeRows(); await ask(edge); return planeRows() - before; }, { timeout: 3_000 }).toBe(1);
    link.mend();
    await prime();
  });
});
