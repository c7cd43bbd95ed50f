import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openai, scriptedUpstream } from '../../e2e/harness';
import { createReplay } from '../replay';
import { systemClock } from '../std';
import { openStore, type Store } from '../stores';
import { guarded } from '../stores/guard';
import { linkTo, type TestLink } from '../stores/test-link';
import { noRedis, startRedis, type TestRedis } from '../stores/test-redis';
import { startUpstash, type TestUpstash } from '../stores/test-upstash';
import { upstashStore } from '../stores/upstash';
import { testEngine, type TestEngine } from './test-engine';
import { ask, closeAll, closeLater, outcomes } from './test-replay';

/** Two processes' engines over one real Redis. */

let redis: TestRedis;
let upstash: TestUpstash;
let link: TestLink;
beforeAll(async () => {
  if (noRedis !== null) return console.warn(noRedis);
  redis = await startRedis();
  upstash = await startUpstash(redis.url);
  link = await linkTo(redis.port);
});
afterEach(closeAll);
afterAll(async () => {
  await link?.close();
  await upstash?.stop();
  await redis?.stop();
});

const byTcp = () => openStore({ kind: 'redis', url: redis.url }, { clock: systemClock });
/** Asked with patience: both ends of the REST interface run in this process, beside everything else. */
async function byRest(): Promise<Store> {
  const store = guarded(upstashStore(upstash.url, upstash.token), { boundMs: 5_000 });
  await store.ready;
  return store;
}

async function replica(store: Store, upstream: string): Promise<TestEngine> {
  const engine = await testEngine({ replay: createReplay({ store, clock: systemClock, workspaceKey: (id, purpose) => Buffer.from(`${id}${purpose}`.padEnd(32, '.')) }) });
  closeLater(store.close);
  closeLater(engine.close);
  engine.route([{ url: upstream }]);
  engine.keepAnswers();
  return engine;
}

async function upstreamOf(...words: string[]) {
  const upstream = await scriptedUpstream(openai.streamOf(...words));
  closeLater(upstream.close);
  return upstream;
}

describe.skipIf(noRedis !== null)('two replicas', () => {
  test.each([
    ['by TCP', byTcp],
    ['by REST', byRest],
  ])('share what one of them has kept, %s, and forget it together', async (name, store) => {
    const upstream = await upstreamOf('one');
    const [first, second] = [await replica(await store(), upstream.origin), await replica(await store(), upstream.origin)];
    const question = { body: { seed: name.length } };
    expect([(await ask(first, question)).cache, (await ask(second, question)).cache, (await ask(first, question)).cache]).toEqual(['MISS', 'HIT', 'HIT']);
    expect(upstream.contacts).toHaveLength(1);
    for (const { caller } of [first, second]) caller().workspace.replay.generation++; // a purge, once both have heard of it
    expect([(await ask(second, question)).cache, (await ask(first, question)).cache]).toEqual(['MISS', 'HIT']);
  });

  test('answer without Redis as well: slow, then gone, then back', async () => {
    const upstream = await upstreamOf('one');
    const engine = await replica(await openStore({ kind: 'redis', url: `redis://127.0.0.1:${link.port}` }, { clock: systemClock }), upstream.origin);
    expect(await outcomes(engine, { body: { seed: 100 } }, { body: { seed: 100 } })).toEqual(['MISS', 'HIT']);
    link.delay(Infinity);
    for (let at = 0; at < 6; at++) {
      const from = performance.now();
      expect(await ask(engine, { body: { seed: 100 } })).toMatchObject({ status: 200, cache: 'MISS' });
      // A call without a store takes a few ms; 20 for the look-up, and what a busy machine adds.
      expect(performance.now() - from).toBeLessThan(120);
    }
    link.cut();
    expect(await outcomes(engine, { body: { seed: 100 } })).toEqual(['MISS']);
    link.delay(0);
    link.mend();
    await expect.poll(async () => (await ask(engine, { body: { seed: 100 } })).cache, { timeout: 10_000, interval: 50 }).toBe('HIT');
  });
});
