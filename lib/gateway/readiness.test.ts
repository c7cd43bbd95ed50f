import { afterEach, describe, expect, test } from 'vitest';
import { openai, refusingOrigin, scriptedUpstream, type Script, type ScriptedUpstream } from '../../e2e/harness';
import { createHealth } from '../health';
import { createLimitGate, type Limits } from '../limits';
import type { Hold, HoldInput } from '../limits/budgets';
import { processCounters } from '../limits/test-counters';
import { createPrices } from '../metering';
import { systemClock } from '../std';
import { DependencyUnavailable, type Prices } from './ports';
import { type Readiness, readinessOf, type RouteReadiness } from './readiness';
import { TEST_KEY, testEngine, type TestEngine } from './test-engine';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function upstream(script: Script): Promise<ScriptedUpstream> {
  const server = await scriptedUpstream(script);
  open.push(server.close);
  return server;
}

async function engine(overrides: Parameters<typeof testEngine>[0] = {}): Promise<TestEngine> {
  const ohm = await testEngine(overrides);
  open.push(ohm.close);
  return ohm;
}

const readiness = async (ohm: TestEngine, route: string | null = null): Promise<Readiness> => {
  const found = await readinessOf(ohm.engine, ohm.caller(), route);
  if ('rejected' in found) throw new Error(found.error.message);
  return found;
};
const only = async (ohm: TestEngine): Promise<RouteReadiness> => (await readiness(ohm, 'test')).routes[0]!;
const whyEach = (route: RouteReadiness) => route.tiers.map(({ hindrance }) => hindrance?.why ?? 'ready');
const call = async (ohm: TestEngine, more: object = {}) => {
  const response = await fetch(`${ohm.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'test', stream: true, messages: [{ role: 'user', content: 'Hello' }], ...more }),
  });
  return { status: response.status, tier: response.headers.get('x-ohm-tier'), text: await response.text() };
};
/** What the walk did with each tier of the last call. */
const walked = (ohm: TestEngine) => ohm.rows.at(-1)!.attempts.map(({ tier, skip_reason: skipped }) => `${tier} ${skipped ?? 'asked'}`);

describe('readiness', () => {
  test('what is said of each tier is what the next call does', async () => {
    const [broken, rejecting, well] = [await upstream(openai.error(404, 'gone')), await upstream(openai.error(401, 'who are you')), await upstream(openai.streamOf('well'))];
    const ohm = await engine();
    ohm.route([{ url: broken.origin }, { url: rejecting.origin }, { url: well.origin }]);
    expect(whyEach(await only(ohm))).toEqual(['ready', 'ready', 'ready']);
    expect((await call(ohm)).tier).toBe('3');
    const { tiers } = await only(ohm);
    expect(tiers.map(({ hindrance }) => hindrance?.why)).toEqual(['cooling_down', 'credential_rejected', undefined]);
    expect(tiers[0]!.hindrance!.forMs).toBeGreaterThan(0);
    expect(tiers[0]!.hindrance!.forMs).toBeLessThanOrEqual(2_000);
    expect(tiers[1]!.hindrance!.forMs).toBeGreaterThan(290_000);
    await call(ohm);
    expect(walked(ohm)).toEqual(['1 degraded', '2 degraded', '3 asked']);
  });

  test('finding out asks nobody, writes no row and leaves the one probe to a call', async () => {
    let now = 0;
    const clock = { now: () => now, monotonic: () => now };
    const server = await upstream(openai.streamOf('well'));
    const ohm = await engine({ health: createHealth(clock, () => 1) });
    ohm.route([{ url: server.origin }]);
    const { connection, model } = ohm.caller().workspace.routes.get('test')!.tiers[0]!;
    const failed = { class: 'server_error', message: 'x', upstreamStatus: 500, retryAfterMs: null, upstreamError: null } as Parameters<typeof ohm.engine.health.failed>[2];
    ohm.engine.health.failed(connection, model, failed, 1_000);
    expect((await only(ohm)).tiers[0]!.hindrance).toEqual({ why: 'cooling_down', message: null, forMs: 2_000 });
    now = 2_000;
    expect(whyEach(await only(ohm))).toEqual(['ready']);
    expect(whyEach(await only(ohm))).toEqual(['ready']);
    expect(ohm.engine.health.admit(connection, model, 1_000)).toBe(true);
    expect((await only(ohm)).tiers[0]!.hindrance).toEqual({ why: 'probed', message: null, forMs: null });
    expect([server.contacts.length, ohm.rows.length, ohm.admitted.length]).toEqual([0, 0, 0]);
  });

  test('a provider that was silent is passed over by tiers that wait no longer, and by no others', async () => {
    const [silent, well] = [await upstream([{ head: 200, headers: { 'content-type': 'text/event-stream' } }, 'stall']), await upstream(openai.streamOf('well'))];
    const ohm = await engine();
    ohm.route([{ url: silent.origin, model: 'm', firstContentTimeoutMs: 150 }, { url: silent.origin, model: 'm', firstContentTimeoutMs: 60_000 }, { url: well.origin }]);
    ohm.addRoute('short', [{ url: silent.origin, model: 'm', firstContentTimeoutMs: 150 }, { url: well.origin }]);
    expect((await call(ohm, { model: 'short' })).tier).toBe('2');
    expect(whyEach(await only(ohm))).toEqual(['cooling_down', 'ready', 'ready']);
  });

  test('an eco tier has its candidates in the order in which they would be asked, and those that are left out', async () => {
    const [broken, well] = [await upstream(openai.error(404, 'gone')), await upstream(openai.streamOf('well'))];
    const ohm = await engine({ prices: createPrices() });
    const at = (server: { origin: string }, model: string) => ({ url: server.origin, model, provider: 'openai' });
    ohm.route([{ eco: [at(well, 'gpt-5'), at(well, 'nobody-knows-its-price'), at(broken, 'gpt-5-nano')] }]);
    await call(ohm);
    const [tier] = (await only(ohm)).tiers;
    expect(tier!.hindrance).toBeNull();
    expect(tier!.eco!.candidates.map((each) => [each.tier.model, each.hindrance?.why ?? null, each.leftOut])).toEqual([
      ['gpt-5-nano', 'cooling_down', null],
      ['gpt-5', null, null],
      ['nobody-knows-its-price', null, 'unpriced'],
    ]);
    ohm.route([{ eco: [at(well, 'nobody-knows-its-price')] }]);
    expect((await only(ohm)).tiers[0]!.hindrance).toMatchObject({ why: 'no_candidate', message: expect.stringContaining('price') });
    expect(await call(ohm)).toMatchObject({ status: 400 });
  });
});

const NONE: Limits = { requestsPerMinute: null, tokensPerMinute: null, concurrentCalls: null, dailyNanoUsd: 1, monthlyNanoUsd: null, budgetMode: 'hard' };
/** Dear costs 3 nano-USD a token, cheap 1, any other nobody knows. */
const PRICES: Prices = { cost: (_, model, { total_tokens: n }) => ({ dear: { nanoUsd: 3 * n!, version: 't' }, cheap: { nanoUsd: n!, version: 't' } })[model] ?? null, thinks: () => false, maxOutputTokens: () => 100 };

/** As the database does: the dearest of what is left. */
const roomFor = (left: number) => async ({ costs }: HoldInput): Promise<Hold> => {
  const fitting = costs.filter((cost) => cost !== null && cost <= left) as number[];
  if (fitting.length > 0 && left > 0) return { verdict: 'held', nanoUsd: Math.max(...fitting) };
  return costs.every((cost) => cost === null) ? { verdict: 'unpriced' } : { verdict: 'exceeded', kind: 'key', period: 'day', resetsAtMs: 0 };
};

describe('where a budget applies', () => {
  async function limited(hold: (input: HoldInput, options?: { undone: boolean }) => Promise<Hold>, mode: Limits['budgetMode'] = 'hard'): Promise<TestEngine> {
    const well = await upstream(openai.streamOf('well'));
    const ohm = await engine({ prices: PRICES, limits: createLimitGate({ counters: processCounters(), budgets: { hold }, now: () => systemClock.now() }) });
    ohm.limit({ ...NONE, budgetMode: mode });
    ohm.route([{ url: well.origin, model: 'dear' }, { url: well.origin, model: 'cheap' }, { url: well.origin, model: 'free?' }]);
    ohm.addRoute('other', [{ url: well.origin, model: 'dear' }]);
    return ohm;
  }

  test.each<[string, number, string[], string[]]>([
    ['covers all that have a price', 10_000, ['ready', 'ready', 'unpriced'], ['1 asked']],
    ['covers the cheap one', 200, ['budget', 'ready', 'unpriced'], ['1 budget', '2 asked']],
  ])('it %s', async (_, left, expected, done) => {
    const ohm = await limited(roomFor(left));
    expect(whyEach(await only(ohm))).toEqual(expected);
    await call(ohm);
    expect(walked(ohm)).toEqual(done);
  });

  test('none is ready when it is used up, as a call is refused', async () => {
    const ohm = await limited(roomFor(0));
    expect(whyEach(await only(ohm))).toEqual(['budget', 'budget', 'unpriced']);
    expect((await call(ohm)).status).toBe(402);
  });

  test('one question is asked for all routes, and it sets nothing aside', async () => {
    const asked: unknown[] = [];
    const ohm = await limited((input, options) => (asked.push(options), roomFor(200)(input)));
    const { routes } = await readiness(ohm);
    expect(routes.filter(({ label }) => label !== 'eco').map((route) => [route.label, ...whyEach(route)])).toEqual([['test', 'budget', 'ready', 'unpriced'], ['other', 'budget']]);
    expect(asked).toEqual([{ undone: true }]);
  });

  test('one that only warns keeps nobody from being asked', async () => {
    const ohm = await limited(() => Promise.reject(new Error('not to be asked')), 'warn');
    expect(whyEach(await only(ohm))).toEqual(['ready', 'ready', 'ready']);
  });

  test('one that cannot be asked is no answer: 503, as for a call', async () => {
    const ohm = await limited(() => Promise.reject(new DependencyUnavailable('away')));
    expect(await readinessOf(ohm.engine, ohm.caller(), null)).toMatchObject({ rejected: true, status: 503 });
    expect((await call(ohm)).status).toBe(503);
  });
});

describe('whose routes', () => {
  test('the default is told once, as such; a route that the key cannot use is refused in the gateway’s words', async () => {
    const ohm = await engine();
    const [nowhere] = [await refusingOrigin()];
    ohm.route([{ url: nowhere }]);
    ohm.addRoute('other', [{ url: nowhere }]);
    const found = await readiness(ohm);
    expect([found.defaultRoute, found.routes.map(({ label, isDefault }) => [label, isDefault])]).toEqual(['test', [['test', true], ['other', false]]]);
    expect(await readinessOf(ohm.engine, ohm.caller(), 'somebody-elses')).toMatchObject({ status: 404, error: { code: 'model_not_found', message: expect.stringContaining('`other`') } });
  });

  test('a strict key has one, whatever the workspace has', async () => {
    const ohm = await engine();
    ohm.route([{ url: await refusingOrigin() }]);
    ohm.addRoute('other', [{ url: await refusingOrigin() }]);
    Object.assign(ohm.caller().key, { strictRoute: true, tiers: [ohm.caller().workspace.routes.get('other')!.tiers[0]!] });
    expect((await readiness(ohm)).routes.map(({ label, isDefault }) => [label, isDefault])).toEqual([['private', true]]);
  });

  test('a process that is shutting down says so, as to a call', async () => {
    const ohm = await engine({ draining: () => true });
    expect(await readinessOf(ohm.engine, ohm.caller(), null)).toMatchObject({ status: 503, error: { code: 'gateway_draining' } });
  });
});
