import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../std';
import { openStore, type Store } from '../stores';
import { noRedis, startRedis, type TestRedis } from '../stores/test-redis';
import { type Asked, type Counters, createCounters } from './counters';

/** The same promises in one process and over a real Redis that two replicas share. */

let redis: TestRedis;
const stores: Store[] = [];
const opened: Counters[] = [];
beforeAll(async () => {
  if (noRedis === null) redis = await startRedis();
});
afterAll(async () => {
  for (const counters of opened) counters.close();
  for (const store of stores) await store.close();
  await redis?.stop();
});

async function memory(): Promise<Store> {
  const store = await openStore({ kind: 'memory', bytes: 0 }, { clock: systemClock });
  stores.push(store);
  return store;
}

async function overRedis(): Promise<Store> {
  const store = await openStore({ kind: 'redis', url: redis.url }, { clock: systemClock });
  stores.push(store);
  return store;
}

function counters(shared: Store, own: Store): Counters {
  const made = createCounters(shared, own);
  opened.push(made);
  return made;
}

let serial = 0;
const unique = () => `limits-${process.pid}-${++serial}`;
const requests = (key: string, limit: number, units = 1): Asked => ({ member: ++serial, places: [], buckets: [{ key, kind: 'requests', limit, windowMs: 60_000, units }] });
const place = (key: string, limit: number): Asked => ({ member: ++serial, places: [{ key, limit }], buckets: [] });
const admitted = async (answers: ReturnType<Counters['admit']>[]) => (await Promise.all(answers)).filter(({ refused }) => refused === null).length;

describe.each([
  ['in one process', async () => [await memory(), await memory()] as const],
  ['over Redis', async () => [await overRedis(), await memory()] as const],
])('counters %s', (name, open) => {
  const held = test.skipIf(name === 'over Redis' && noRedis !== null);

  held('let exactly the limit through when many ask at once, and tell what is left', async () => {
    const made = counters(...(await open()));
    const key = unique();
    expect(await admitted(Array.from({ length: 25 }, () => made.admit(requests(key, 10))))).toBe(10);
    const last = await made.admit(requests(key, 10));
    expect(last.refused).toMatchObject({ kind: 'requests', limit: 10 });
    expect(last.refused!.retryMs).toBeGreaterThan(5_000);
    expect(last.takes[0]).toMatchObject({ remaining: 0, allowed: false });
  });

  held('take from all buckets or from none', async () => {
    const made = counters(...(await open()));
    const [wide, narrow] = [unique(), unique()];
    const both = (): Asked => ({ member: ++serial, places: [], buckets: [...requests(wide, 10).buckets, ...requests(narrow, 1).buckets] });
    expect((await made.admit(both())).refused).toBeNull();
    expect((await made.admit(both())).refused).not.toBeNull();
    expect((await made.admit(requests(wide, 10))).takes[0]!.remaining).toBe(8);
  });

  held('are looked at without being taken from', async () => {
    const made = counters(...(await open()));
    const [key, seat] = [unique(), unique()];
    const asked: Asked = { member: ++serial, buckets: requests(key, 10).buckets, places: place(seat, 3).places };
    const look = async () => {
      const { takes, open: inFlight } = await made.look(asked);
      return [takes[0]!.remaining, inFlight];
    };
    expect(await look()).toEqual([10, [0]]);
    await made.admit(asked);
    expect([await look(), await look()]).toEqual([[9, [1]], [9, [1]]]);
    made.release(asked, 0);
    await expect.poll(look).toEqual([9, [0]]);
  });

  held('free a place when its call ends', async () => {
    const made = counters(...(await open()));
    const key = unique();
    const first = place(key, 1);
    expect((await made.admit(first)).refused).toBeNull();
    expect((await made.admit(place(key, 1))).refused).toMatchObject({ kind: 'concurrent', limit: 1 });
    made.release(first, 0);
    await expect.poll(async () => (await made.admit(place(key, 1))).refused).toBeNull();
  });

  held('give back the tokens that an estimate took too many', async () => {
    const made = counters(...(await open()));
    const key = unique();
    const asked: Asked = { member: ++serial, places: [], buckets: [{ key, kind: 'tokens', limit: 1_000, windowMs: 60_000, units: 900 }] };
    await made.admit(asked);
    made.release(asked, -880);
    await expect.poll(async () => (await made.admit({ ...asked, buckets: [{ ...asked.buckets[0]!, units: 1 }] })).takes[0]!.remaining).toBeGreaterThan(950);
  });
});

describe.skipIf(noRedis !== null)('two replicas', () => {
  test('share a limit over Redis', async () => {
    const [one, two] = [counters(await overRedis(), await memory()), counters(await overRedis(), await memory())];
    const key = unique();
    expect(await admitted(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? one : two).admit(requests(key, 7))))).toBe(7);
    const seats = unique();
    expect(await admitted(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? one : two).admit(place(seats, 3))))).toBe(3);
  });

  test('count each for itself while the store is away, and let nobody through unlimited', async () => {
    const away: Store = { ...(await memory()), kind: 'redis', up: false, run: () => Promise.reject(new Error('away')) };
    const made = counters(away, await memory());
    const key = unique();
    expect(await admitted(Array.from({ length: 20 }, () => made.admit(requests(key, 7))))).toBe(7);
    const failing = counters({ ...away, up: true }, await memory());
    expect(await admitted(Array.from({ length: 20 }, () => failing.admit(requests(key, 7))))).toBe(7);
  });
});
