import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guarded, type GuardedStore } from './guard';
import { redisStore } from './redis';
import type { Store } from './store';
import { linkTo, type TestLink } from './test-link';
import { noRedis, startRedis, type TestRedis } from './test-redis';
import { startUpstash } from './test-upstash';
import { upstashStore } from './upstash';

/** What a store that is slow, mute or gone costs, over real sockets. */

/** A bound of 20 ms, and what a very busy machine adds to a timer: far from the 2 s that the slow store takes. */
const BOUND_MS = 20;
const SLACK_MS = 480;

let redis: TestRedis;
let link: TestLink;
let restLink: TestLink;
let restToken: string;
const opened: (() => Promise<void>)[] = [];

beforeAll(async () => {
  if (noRedis !== null) return console.warn(noRedis);
  redis = await startRedis();
  link = await linkTo(redis.port);
  const upstash = await startUpstash(redis.url);
  restToken = upstash.token;
  restLink = await linkTo(Number(new URL(upstash.url).port));
  opened.push(restLink.close, upstash.stop, link.close, redis.stop);
});
afterAll(async () => {
  for (const close of opened) await close();
});

async function timed(ask: () => unknown): Promise<{ ms: number; failed: boolean }> {
  const from = performance.now();
  try {
    await ask();
    return { ms: performance.now() - from, failed: false };
  } catch {
    return { ms: performance.now() - from, failed: true };
  }
}

const DRIVERS: [string, () => Store | Promise<Store>, () => TestLink][] = [
  ['by TCP', () => redisStore(`redis://127.0.0.1:${link.port}`), () => link],
  ['by REST', () => upstashStore(`http://127.0.0.1:${restLink.port}`, restToken), () => restLink],
];

describe.skipIf(noRedis !== null).each(DRIVERS)('a store %s', (_, driver, linkOf) => {
  async function opened(): Promise<GuardedStore> {
    const store = guarded(await driver(), { probeMs: 20, maxProbeMs: 100 });
    await expect.poll(() => store.up, { timeout: 5_000, interval: 5 }).toBe(true);
    return store;
  }

  test.each([
    ['slow', (to: TestLink) => to.delay(2_000)],
    ['mute', (to: TestLink) => to.delay(Infinity)],
    ['cut', (to: TestLink) => to.cut()],
  ] as const)('that turns %s costs a question at most its bound, then nothing, and is found again', async (_name, spoil) => {
    const store = await opened();
    // A busy machine may need more than the bound even for a healthy store.
    await expect.poll(async () => (await timed(() => store.set('kept', 'text', 60_000))).failed, { timeout: 10_000, interval: 20 }).toBe(false);
    spoil(linkOf());
    const asked: { ms: number; failed: boolean }[] = [];
    while (store.up) asked.push(await timed(() => store.get('kept')));
    expect(asked.length).toBeLessThanOrEqual(4);
    for (const { ms, failed } of asked) expect([failed, ms < BOUND_MS + SLACK_MS], `${ms} ms`).toEqual([true, true]);
    const from = performance.now();
    for (let i = 0; i < 100; i++) expect((await timed(() => store.get('kept'))).failed).toBe(true);
    expect((performance.now() - from) / 100).toBeLessThan(BOUND_MS / 2); // nothing was waited for

    linkOf().delay(0);
    linkOf().mend();
    await expect.poll(() => store.up, { timeout: 10_000, interval: 10 }).toBe(true);
    await expect.poll(async () => Promise.resolve(store.get('kept')).catch(() => null), { timeout: 10_000, interval: 10 }).toBe('text');
    await store.close();
  });

  test('that was never there costs nothing from the start', async () => {
    linkOf().cut();
    const store = guarded(await driver(), { probeMs: 20, maxProbeMs: 100 });
    expect([store.up, (await timed(() => store.get('x'))).failed]).toEqual([false, true]);
    linkOf().mend();
    await expect.poll(() => store.up, { timeout: 10_000, interval: 10 }).toBe(true);
    await store.close();
  });
});

test('an error that the store replied with is an answer: it opens nothing', async () => {
  const reply = Object.assign(new Error('OOM command not allowed'), { name: 'ReplyError' });
  const store = guarded({ kind: 'redis', up: true, get: () => Promise.reject(reply), set: () => undefined, delete: () => undefined, run: () => [], ping: () => undefined, close: async () => undefined });
  await store.ready;
  for (let i = 0; i < 10; i++) await expect(store.get('x')).rejects.toBe(reply);
  expect(store.up).toBe(true);
});
