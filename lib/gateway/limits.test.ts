import { afterEach, describe, expect, test } from 'vitest';
import { openai, scriptedUpstream, type Script, type ScriptedUpstream } from '../../e2e/harness';
import { createLimitGate, type Limits } from '../limits';
import { processCounters } from '../limits/test-counters';
import type { Hold, HoldInput } from '../limits/budgets';
import { costOf, type Rate } from '../metering/rates';
import { systemClock } from '../std';
import { DependencyUnavailable } from './ports';
import { TEST_KEY, testEngine, type TestEngine } from './test-engine';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const NONE: Limits = { requestsPerMinute: null, tokensPerMinute: null, concurrentCalls: null, dailyNanoUsd: null, monthlyNanoUsd: null, budgetMode: 'hard' };

async function limited(limits: Partial<Limits>, hold: (input: HoldInput) => Promise<Hold> = async () => ({ verdict: 'unpriced' })): Promise<TestEngine> {
  const engine = await testEngine({
    limits: createLimitGate({ counters: processCounters(), budgets: { hold }, now: () => systemClock.now() }),
    // Dear costs 3 nano-USD a token, cheap 1, any other nobody knows.
    prices: {
      cost: (_provider, model, { total_tokens }) => ({ dear: { nanoUsd: 3 * total_tokens!, version: 't' }, cheap: { nanoUsd: total_tokens!, version: 't' } })[model] ?? null,
      thinks: () => false,
      maxOutputTokens: () => 100,
    },
  });
  open.push(engine.close);
  engine.limit({ ...NONE, ...limits });
  return engine;
}

async function upstream(script: Script): Promise<ScriptedUpstream> {
  const server = await scriptedUpstream(script);
  open.push(server.close);
  return server;
}

const ask = (engine: TestEngine, body: object = {}, signal?: AbortSignal) =>
  fetch(`${engine.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: '12345678' }], ...body }),
    ...(signal ? { signal } : {}),
  });

const rate = (base: number): Rate => ({ base, steps: [] });
const known = (nanoUsd: number | null) => (nanoUsd === null ? null : { nanoUsd, version: 't' });

const completionOf = (tokens: number) => ({
  id: 'a', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: tokens - 1, total_tokens: tokens },
});

/** The ledger charges nothing until the test says so. */
function slowCharge({ engine }: TestEngine) {
  let asked!: (what: { id: string; boundMs: number }) => void;
  let done!: () => void;
  let times = 0;
  const charged = new Promise<void>((resolve) => (done = resolve));
  const first = new Promise<{ id: string; boundMs: number }>((resolve) => (asked = resolve));
  engine.ledger.charged = (id, boundMs) => {
    times++;
    asked({ id, boundMs });
    return charged;
  };
  return { asked: first, done, times: () => times };
}

const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

describe('rates', () => {
  test('so many requests pass, and the next is 429 with what is left, when to come back, and a row of its own', async () => {
    const engine = await limited({ requestsPerMinute: 2 });
    const server = await upstream(openai.jsonOf('hello'));
    engine.route([{ url: server.origin }]);
    const first = await ask(engine);
    expect([first.status, first.headers.get('ratelimit-policy'), first.headers.get('ratelimit'), first.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '"requests";q=2;w=60', '"requests";r=1;t=30', '1']);
    await ask(engine);
    const third = await ask(engine);
    expect([third.status, await codeOf(third), third.headers.get('x-ratelimit-remaining-requests'), third.headers.get('x-should-retry')]).toEqual([429, 'rate_limit_exceeded', '0', null]);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(25);
    expect(server.contacts).toHaveLength(2);
    expect(engine.rows.map(({ state, status, error_code }) => [state, status, error_code])).toEqual([['finished', 200, null], ['finished', 200, null], ['rejected', 429, 'rate_limit_exceeded']]);
  });

  test('tokens are taken by estimate and corrected to what was used', async () => {
    const engine = await limited({ tokensPerMinute: 1_000 });
    engine.route([{ url: (await upstream(openai.jsonOf('hello'))).origin }]); // says 12 tokens
    const big = { max_tokens: 900 };
    const first = await ask(engine, big);
    expect(first.headers.get('x-ratelimit-remaining-tokens')).toBe('98');
    await first.text();
    const second = await ask(engine, big);
    expect(second.status).toBe(200);
    await second.text();
    expect((await ask(engine, { max_tokens: 990 })).status).toBe(429);
  });

  test('a prompt that is longer than all tokens of a minute is told so, once and for all, and takes nothing', async () => {
    const engine = await limited({ requestsPerMinute: 2, tokensPerMinute: 100 });
    const server = await upstream(openai.jsonOf('hello'));
    engine.route([{ url: server.origin }]);
    for (const path of ['chat/completions', 'messages']) {
      const body = { model: 'auto', max_tokens: 1, messages: [{ role: 'user', content: 'x'.repeat(404) }] };
      const answer = await fetch(`${engine.url}/v1/${path}`, { method: 'POST', headers: { authorization: `Bearer ${TEST_KEY}` }, body: JSON.stringify(body) });
      expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('x-should-retry'), answer.headers.get('ratelimit')]).toEqual([429, null, 'false', '"requests";r=2;t=0, "tokens";r=100;t=0']);
      expect(await answer.text()).toMatch(/more than 100 tokens.*never fits/);
    }
    expect(server.contacts).toHaveLength(0);
    expect(engine.rows.map(({ state, status, error_code }) => [state, status, error_code])).toEqual([['rejected', 429, 'rate_limit_exceeded'], ['rejected', 429, 'rate_limit_exceeded']]);
    expect((await ask(engine, { max_tokens: 5_000 })).status).toBe(200); // a long answer may come out short
  });

  test.each<[string, string, object]>([
    ['tools', 'chat/completions', { tools: [{ type: 'function', function: { name: 'f', description: 'x'.repeat(4_000) } }] }],
    ['a call’s arguments', 'chat/completions', { messages: [{ role: 'user', content: 'q' }, { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify({ a: 'x'.repeat(4_000) }) } }] }] }],
    ['a schema', 'chat/completions', { response_format: { type: 'json_schema', json_schema: { name: 's', schema: { description: 'x'.repeat(4_000) } } } }],
    ['tools of the Messages API', 'messages', { tools: [{ name: 'f', input_schema: { description: 'x'.repeat(4_000) } }] }],
    ['instructions', 'responses', { input: 'q', store: false, instructions: 'x'.repeat(4_000) }],
    ['an input', 'embeddings', { input: ['q', 'x'.repeat(4_000)] }],
  ])('and budgets count %s', async (_what, path, rest) => {
    const engine = await limited({ tokensPerMinute: 1_000 });
    const server = await upstream(openai.jsonOf('hello'));
    engine.route([{ url: server.origin }]);
    const body = { model: 'auto', max_tokens: 1, messages: [{ role: 'user', content: 'q' }], ...rest };
    const answer = await fetch(`${engine.url}/v1/${path}`, { method: 'POST', headers: { authorization: `Bearer ${TEST_KEY}` }, body: JSON.stringify(body) });
    expect([answer.status, await answer.text()]).toEqual([429, expect.stringContaining('more than 1000 tokens')]);
    expect(server.contacts).toHaveLength(0);
  });

  test('calls at the same time are counted until they end, also when the client leaves', async () => {
    const engine = await limited({ concurrentCalls: 1 });
    const server = await upstream([[openai.sseHead(), openai.role(), openai.text('x'), 'stall'], openai.jsonOf('hello')]);
    engine.route([{ url: server.origin }]);
    const leave = new AbortController();
    const first = await ask(engine, { stream: true }, leave.signal);
    expect(first.status).toBe(200);
    const second = await ask(engine);
    expect([second.status, await codeOf(second)]).toEqual([429, 'rate_limit_exceeded']);
    leave.abort();
    await engine.settled(2);
    expect((await ask(engine)).status).toBe(200);
  });

  test('an answer that is served again is a request like any other, and uses no tokens', async () => {
    const engine = await limited({ requestsPerMinute: 2, tokensPerMinute: 100, dailyNanoUsd: 1_000 }, async () => ({ verdict: 'held', nanoUsd: 1_000 }));
    const server = await upstream(openai.jsonOf('hello'));
    engine.route([{ url: server.origin, model: 'cheap' }]);
    engine.keepAnswers();
    await ask(engine);
    const second = await ask(engine);
    expect([second.status, second.headers.get('x-at-cache'), second.headers.get('x-ratelimit-remaining-requests'), second.headers.get('x-ratelimit-remaining-tokens')]).toEqual([200, 'HIT', '0', '88']);
    const third = await ask(engine);
    expect([third.status, await codeOf(third), server.contacts.length]).toEqual([429, 'rate_limit_exceeded', 1]);
    expect([third.headers.get('x-at-cache'), engine.rows[2]!.replay]).toEqual([null, null]); // it was stored, and was not served
  });

  test('a caller without limits hears of none', async () => {
    const engine = await testEngine();
    open.push(engine.close);
    engine.route([{ url: (await upstream(openai.jsonOf('hello'))).origin }]);
    expect([...(await ask(engine)).headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
  });
});

describe('budgets', () => {
  const budget = { dailyNanoUsd: 1_000 };

  test('a tier that the rest of the budget cannot cover is skipped, and the next one serves', async () => {
    const asked: HoldInput[] = [];
    const engine = await limited(budget, async (input) => (asked.push(input), { verdict: 'held', nanoUsd: 110 }));
    const [dear, cheap] = [await upstream(openai.jsonOf('dear')), await upstream(openai.jsonOf('cheap'))];
    engine.route([{ url: dear.origin, model: 'dear' }, { url: cheap.origin, model: 'cheap' }]);
    const answer = await ask(engine);
    expect([answer.status, answer.headers.get('x-ohm-model'), dear.contacts.length]).toEqual([200, 'cheap', 0]);
    expect(asked[0]).toMatchObject({ costs: [306, 102], scopes: [{ kind: 'key', period: 'day', limitNanoUsd: 1_000 }] });
    expect(engine.rows[0]!.attempts.map(({ state, skip_reason }) => [state, skip_reason])).toEqual([['skipped', 'budget'], ['finished', null]]);
  });

  test('the failure of all tiers that it covers says that another one was not asked for its sake', async () => {
    const engine = await limited(budget, async () => ({ verdict: 'held', nanoUsd: 110 }));
    const failing = await upstream(openai.error(503, 'down'));
    engine.route([{ url: failing.origin, model: 'dear' }, { url: failing.origin, model: 'cheap' }]);
    const answer = await ask(engine);
    expect([answer.status, ((await answer.json()) as { error: { message: string } }).error.message]).toEqual([503, expect.stringContaining('what is left of the budget')]);
  });

  test('that covers only a tier that cannot represent the request is 402, and names neither the field nor the deadline', async () => {
    const engine = await limited(budget, async () => ({ verdict: 'held', nanoUsd: 110 }));
    const [dear, cheap] = [await upstream(openai.jsonOf('dear')), await upstream(openai.jsonOf('cheap'))];
    engine.route([{ url: dear.origin, model: 'dear' }, { url: cheap.origin, model: 'cheap', wire: 'anthropic' }]);
    const answer = await ask(engine, { logprobs: true });
    expect([answer.status, await codeOf(answer), answer.headers.get('x-should-retry')]).toEqual([402, 'budget_exceeded', 'false']);
    expect(engine.rows[0]!.attempts.map(({ skip_reason }) => skip_reason)).toEqual(['budget', 'cannot_represent']);
    expect([dear.contacts.length, cheap.contacts.length]).toEqual([0, 0]);
  });

  test.each([
    [{ verdict: 'exceeded', kind: 'key', period: 'day', resetsAtMs: Date.now() + 5_000 } as const, 402, 'budget_exceeded'],
    [{ verdict: 'unpriced' } as const, 402, 'unpriced_model'],
  ])('%j is %i %s, final, and asks nobody', async (verdict, status, code) => {
    const engine = await limited(budget, async () => verdict);
    const server = await upstream(openai.jsonOf('hello'));
    engine.route([{ url: server.origin, model: 'dear' }]);
    const answer = await ask(engine);
    expect([answer.status, await codeOf(answer), answer.headers.get('x-should-retry'), server.contacts.length]).toEqual([status, code, 'false', 0]);
    expect(engine.rows.map(({ state, error_code }) => [state, error_code])).toEqual([['rejected', code]]);
  });

  test('that cannot be asked lets nothing through: 503, and try again', async () => {
    const engine = await limited(budget, async () => {
      throw new DependencyUnavailable('no database');
    });
    const server = await upstream(openai.jsonOf('hello'));
    engine.route([{ url: server.origin, model: 'dear' }]);
    const answer = await ask(engine);
    expect([answer.status, answer.headers.has('retry-after'), server.contacts.length]).toEqual([503, true, 0]);
  });

  test.each<[object, number]>([
    [{}, 102],
    [{ n: 5 }, 502],
    [{ n: 5, max_tokens: 10 }, 52],
    [{ max_completion_tokens: 1, max_tokens: 50 }, 52],
    [{ max_tokens: 0.5, n: 1.5 }, 4],
    [{ max_tokens: 1e308, n: 1e308 }, 10_000_000_002],
  ])('sets aside what %j may cost at most', async (body, cost) => {
    const asked: HoldInput[] = [];
    const engine = await limited(budget, async (input) => (asked.push(input), { verdict: 'held', nanoUsd: cost }));
    engine.route([{ url: (await upstream(openai.jsonOf('hello'))).origin, model: 'cheap' }]);
    expect((await ask(engine, body)).status).toBe(200);
    expect(asked[0]!.costs).toEqual([cost]);
  });

  test.each<[string, boolean, Script, number]>([
    ['an answer of JSON is awaited', false, ['stall'], 0],
    ['a stream says nothing yet', true, [openai.sseHead(), openai.role(), 'stall'], 0],
    ['a whole answer is waited for', true, [openai.sseHead(), openai.role(), openai.text('x'.repeat(400)), 'stall'], 100],
  ])('a client that hangs up while %s is charged the labelled estimate of what was sent and had been said', async (_when, stream, script, said) => {
    const engine = await limited(budget, async () => ({ verdict: 'held', nanoUsd: 1_000 }));
    const server = await upstream(script);
    engine.route([{ url: server.origin, model: 'dear' }], { commit: 'complete' });
    const leave = new AbortController();
    const asked = ask(engine, { stream }, leave.signal);
    asked.catch(() => undefined);
    await server.contacted(1);
    await expect.poll(() => said === 0 || engine.engine.held.total > 400).toBe(true);
    leave.abort();
    const [row] = await engine.settled(1);
    expect(row).toMatchObject({
      state: 'aborted', flushed_bytes: 0, tier: null, model: null, attempts: [{ tier: 1, model: 'dear', state: 'aborted' }],
      usage: { prompt_tokens: 2, completion_tokens: said }, usage_source: 'estimate', usage_estimated: ['prompt_tokens', 'completion_tokens', 'total_tokens'],
      cost_nano_usd: 3 * (2 + said), price_version: 't',
    });
  });

  test('a client that hangs up while nobody is asked is charged nothing', async () => {
    const engine = await limited(budget, async () => ({ verdict: 'held', nanoUsd: 1_000 }));
    const server = await upstream([openai.error(429, 'slow', { type: 'requests', headers: { 'retry-after': '2' } }), openai.streamOf('x')]);
    engine.route([{ url: server.origin, model: 'dear' }]);
    const leave = new AbortController();
    ask(engine, {}, leave.signal).catch(() => undefined);
    await server.contacted(1);
    await new Promise((resolve) => setTimeout(resolve, 50)); // the refusal is in, and the wait has begun
    leave.abort();
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'aborted', attempts: [{ state: 'failed' }], cost_nano_usd: null });
  });

  test.each<[string, object, number]>([
    ['more cached than there are', { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, prompt_tokens_details: { cached_tokens: 101 } }, 111],
    ['so few tokens that it is less than was set aside', { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, prompt_tokens_details: { cached_tokens: 2 } }, 60],
    ['more tokens than can be paid for', { prompt_tokens: 1e9, completion_tokens: 9, total_tokens: 1e9 + 9 }, Number.MAX_SAFE_INTEGER],
  ])('are charged for figures that give no cost (%s) what it may have been at most', async (_which, usage, charged) => {
    const rates = { input: rate(1_000), output: rate(1_000), cacheRead: rate(500), cacheWrite: rate(1_500), reasoning: null, request: 0 }; // 1 nano-USD a token
    const engine = await testEngine({
      limits: createLimitGate({ counters: processCounters(), budgets: { hold: async () => ({ verdict: 'held', nanoUsd: 60 }) }, now: () => systemClock.now() }),
      prices: { cost: (_connection, _model, used) => known(used.prompt_tokens! > 1e8 ? null : costOf(rates, used)), thinks: () => false, maxOutputTokens: () => null },
    });
    open.push(engine.close);
    engine.limit({ ...NONE, ...budget });
    const body = { id: 'a', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }], usage };
    engine.route([{ url: (await upstream(openai.json(200, body))).origin, model: 'cheap' }]);
    expect((await ask(engine, { max_tokens: 50 })).status).toBe(200);
    expect(engine.rows[0]).toMatchObject({ state: 'finished', usage: { prompt_tokens: (usage as { prompt_tokens: number }).prompt_tokens }, usage_source: 'provider', cost_nano_usd: null, price_version: null, budget_nano_usd: charged });
    expect(engine.charged).toEqual(charged > 60 ? [engine.rows[0]!.id] : []);
  });

  test.each<[string, boolean, Script, string]>([
    ['JSON', false, openai.jsonOf('hello'), '"hello"'],
    ['a stream', true, openai.streamOf('hello'), '[DONE]'],
  ])('hold back the end of an answer that cost more than was set aside until that is charged, and of no other (%s)', async (_which, stream, script, end) => {
    const engine = await limited(budget, async () => ({ verdict: 'held', nanoUsd: 9 }));
    const [over, within] = [await upstream(script), await upstream(openai.json(200, completionOf(3)))];
    const charge = slowCharge(engine);
    engine.route([{ url: over.origin, model: 'dear' }]);
    let ended = false;
    const answer = ask(engine, { max_tokens: 1, stream }).then((response) => response.text()).finally(() => (ended = true));
    expect(await charge.asked).toEqual({ id: engine.rows[0]!.id, boundMs: 1_000 });
    engine.route([{ url: within.origin, model: 'dear' }]);
    expect((await (await ask(engine, { max_tokens: 1 })).json()) as object).toMatchObject({ usage: { total_tokens: 3 } }); // 9 nano-USD
    expect([ended, charge.times()]).toEqual([false, 1]);
    charge.done();
    expect(await answer).toContain(end);
  });

  test('are corrected like any row when the client hangs up while its charge is waited for', async () => {
    const engine = await limited(budget, async () => ({ verdict: 'held', nanoUsd: 9 }));
    engine.route([{ url: (await upstream(openai.jsonOf('hello'))).origin, model: 'dear' }]);
    const charge = slowCharge(engine);
    const leave = new AbortController();
    ask(engine, { max_tokens: 1 }, leave.signal).catch(() => undefined);
    const { id } = await charge.asked;
    leave.abort();
    await new Promise((resolve) => setTimeout(resolve, 50)); // the server hears of it
    charge.done();
    await expect.poll(() => engine.corrections).toEqual([{ id, state: 'aborted', flushed_bytes: 0 }]);
  });

  test('that only warns is not asked', async () => {
    const engine = await limited({ ...budget, budgetMode: 'warn' }, async () => {
      throw new Error('was asked');
    });
    engine.route([{ url: (await upstream(openai.jsonOf('hello'))).origin, model: 'other' }]);
    expect((await ask(engine)).status).toBe(200);
  });
});
