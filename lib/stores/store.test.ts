import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../std';
import { openStore, type Store } from '.';
import { addMany, addWithin } from './test-counters';
import { guarded } from './guard';
import { memoryStore } from './memory';
import { redisStore } from './redis';
import { noRedis, startRedis, type TestRedis } from './test-redis';
import { upstashStore } from './upstash';
import { startUpstash, type TestUpstash } from './test-upstash';

/** One contract, three backends; the two shared ones over a real redis-server. */

const opened: { stop(): Promise<void> }[] = [];
let redis: TestRedis;
let upstash: TestUpstash;

const BACKENDS: [string, () => Promise<Store>][] = [
  ['in this process', () => openStore({ kind: 'memory', bytes: 1 << 20 }, { clock: systemClock })],
  ['Redis by TCP', async () => patient(await redisStore(redis.url))],
  ['Redis by REST', () => patient(upstashStore(upstash.url, upstash.token))],
];

/** Asked more gently than a call would ask: fifty requests at once may take this machine a while. */
async function patient(store: Store): Promise<Store> {
  const asked = guarded(store, { boundMs: 5_000 });
  await asked.ready;
  return asked;
}

beforeAll(async () => {
  if (noRedis !== null) return console.warn(noRedis);
  redis = await startRedis();
  upstash = await startUpstash(redis.url);
  opened.push(upstash, redis);
});
afterAll(async () => {
  for (const each of opened) await each.stop();
});

let names = 0;
const unique = () => `key-${process.pid}-${++names}`;
const until = (condition: () => unknown) => expect.poll(condition, { timeout: 3_000, interval: 5 });

describe.each(BACKENDS)('a store %s', (name, open) => {
  const shared = name !== 'in this process';
  let store: Store;
  beforeAll(async () => {
    if (shared && noRedis !== null) return;
    store = await open();
  });
  afterAll(() => store?.close());
  const held = test.skipIf(shared && noRedis !== null);

  held('is up and keeps a text as it was', async () => {
    expect(store.up).toBe(true);
    for (const text of ['', 'OK', 'null', '12', '{"a":1}', 'é😀\u0000\n', 'x'.repeat(200_000)]) {
      const key = unique();
      await store.set(key, text, 60_000);
      expect(await store.get(key)).toBe(text);
    }
  });

  held('has nothing under an unknown key, and what was set last under a known one', async () => {
    const key = unique();
    expect(await store.get(key)).toBeNull();
    await store.set(key, 'one', 60_000);
    await store.set(key, 'two', 60_000);
    expect(await store.get(key)).toBe('two');
    await store.delete([key, unique()]);
    await store.delete([]);
    expect(await store.get(key)).toBeNull();
  });

  held('answers everyone who asks in one turn, for the same key and for others', async () => {
    const [known, other, unknown] = [unique(), unique(), unique()];
    await store.set(known, 'mine', 60_000);
    await store.set(other, 'yours', 60_000);
    expect(await Promise.all([known, unknown, known, other, unknown, known].map((key) => store.get(key)))).toEqual(['mine', null, 'mine', 'yours', null, 'mine']);
  });

  held('forgets a text when its time is over', async () => {
    const key = unique();
    await store.set(key, 'soon gone', 30);
    await until(async () => await store.get(key)).toBeNull();
  });

  held('moves several counters at once, from 0 and never below it', async () => {
    const [a, b] = [unique(), unique()];
    expect(await addMany(store, [{ key: a, by: 3, ttlMs: 60_000 }, { key: b, by: 9_000_000_000_000_000, ttlMs: 60_000 }])).toEqual([3, 9_000_000_000_000_000]);
    expect(await addMany(store, [{ key: a, by: -1, ttlMs: 60_000 }, { key: b, by: -8_999_999_999_999_999, ttlMs: 60_000 }])).toEqual([2, 1]);
    expect(await addMany(store, [{ key: a, by: -5, ttlMs: 60_000 }])).toEqual([0]);
  });

  held('ends a counter so long after its first step, whatever came later', async () => {
    const key = unique();
    await addMany(store, [{ key, by: 1, ttlMs: 80 }]);
    await until(async () => (await addMany(store, [{ key, by: 1, ttlMs: 80 }]))[0]).toBe(1);
  });

  held('takes from every bounded counter or from none', async () => {
    const [a, b] = [unique(), unique()];
    const take = (byA: number, byB: number) => addWithin(store, [{ key: a, by: byA, max: 10, ttlMs: 60_000 }, { key: b, by: byB, max: 5, ttlMs: 60_000 }]);
    expect(await take(4, 5)).toEqual({ admitted: true, refused: null, values: [4, 5] });
    expect(await take(1, 1)).toEqual({ admitted: false, refused: 1, values: [4, 5] });
    expect(await take(7, 0)).toEqual({ admitted: false, refused: 0, values: [4, 5] });
    expect(await take(6, 0)).toEqual({ admitted: true, refused: null, values: [10, 5] });
    expect(await take(-10, -5)).toEqual({ admitted: true, refused: null, values: [0, 0] });
  });

  held('admits exactly as many as there is room for, when they all come at once', async () => {
    const key = unique();
    const admissions = await Promise.all(Array.from({ length: 50 }, () => addWithin(store, [{ key, by: 1, max: 7, ttlMs: 60_000 }])));
    expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(7);
  });
});

test('the in-process store keeps what was used last, within its bytes, and lets no text push a counter out', () => {
  const store = memoryStore(systemClock, 4_000);
  addMany(store, [{ key: 'counter', by: 5, ttlMs: 60_000 }]);
  store.set('first', 'x'.repeat(1_000), 60_000);
  store.set('second', 'x'.repeat(1_000), 60_000);
  store.set('third', 'x'.repeat(1_000), 60_000);
  store.get('first');
  store.set('fourth', 'x'.repeat(1_000), 60_000);
  expect(['first', 'second', 'third', 'fourth'].map((key) => store.get(key) !== null)).toEqual([true, false, true, true]);
  store.set('too large for it', 'x'.repeat(5_000), 60_000);
  expect(store.get('too large for it')).toBeNull();
  expect(store.get('fourth')).not.toBeNull();
  expect(addMany(store, [{ key: 'counter', by: 1, ttlMs: 60_000 }])).toEqual([6]);
});
