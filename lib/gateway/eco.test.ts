import { afterEach, describe, expect, test } from 'vitest';
import { openai, refusingOrigin, scriptedUpstream, type Script, type ScriptedUpstream } from '../../e2e/harness';
import { createPrices } from '../metering';
import { ECO_ANSWER_TOKENS } from './eco-tier';
import { TEST_KEY, testEngine, type TestEngine, type TestTier } from './test-engine';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function upstream(script: Script): Promise<ScriptedUpstream> {
  const server = await scriptedUpstream(script);
  open.push(server.close);
  return server;
}

async function engine(): Promise<TestEngine> {
  const ohm = await testEngine({ prices: createPrices(), random: () => 0 });
  open.push(ohm.close);
  return ohm;
}

const ask = (ohm: TestEngine, body: object = {}, headers: Record<string, string> = {}) =>
  fetch(`${ohm.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'auto', stream: true, messages: [{ role: 'user', content: 'x'.repeat(400) }], ...body }),
  });
const served = (response: Response) => ['x-ohm-tier', 'x-ohm-model', 'x-ohm-attempts'].map((name) => response.headers.get(name));
/** As the catalog's prices rank them for any mix: nano, mini, 5. */
const at = (server: { origin: string }, model: string): TestTier => ({ url: server.origin, model, provider: 'openai' });

describe('an eco tier', () => {
  test('asks the cheapest for the request’s own tokens, whatever the order of the list, and says who served', async () => {
    const [dear, cheap] = [await upstream(openai.streamOf('dear')), await upstream(openai.streamOf('cheap'))];
    const ohm = await engine();
    ohm.route([{ eco: [at(dear, 'gpt-5'), at(cheap, 'gpt-5-nano'), at(dear, 'gpt-5-mini')] }]);
    const response = await ask(ohm, { max_completion_tokens: 50 });
    expect(await response.text()).toContain('cheap');
    expect([response.status, served(response)]).toEqual([200, ['1', 'gpt-5-nano', '1']]);
    expect(dear.contacts).toHaveLength(0);
    expect(ohm.rows[0]).toMatchObject({
      tier: 1,
      model: 'gpt-5-nano',
      eco: [
        {
          tier: 1, prompt_tokens: 100, completion_tokens: 50, completion_source: 'request', not_listed: 0,
          candidates: [
            { connection: 'tier1-2', model: 'gpt-5-nano', cost_nano_usd: 100 * 50 + 50 * 400, left_out: null },
            { connection: 'tier1-3', model: 'gpt-5-mini', cost_nano_usd: 100 * 250 + 50 * 2_000, left_out: null },
            { connection: 'tier1-1', model: 'gpt-5', cost_nano_usd: 100 * 1_250 + 50 * 10_000, left_out: null },
          ],
          chosen: { connection: 'tier1-2', model: 'gpt-5-nano' },
        },
      ],
    });
    expect(ohm.rows[0]!.eco![0]!.candidates[0]!.price_version).toMatch(/genai-prices/);
  });

  test('compares for a stated length where the request names none, and per choice where it asks for several', async () => {
    const server = await upstream(openai.streamOf('x'));
    const ohm = await engine();
    ohm.route([{ eco: [at(server, 'gpt-5-nano')] }]);
    await (await ask(ohm, { n: 3 })).text();
    expect(ohm.rows[0]!.eco![0]).toMatchObject({ completion_tokens: 3 * ECO_ANSWER_TOKENS, completion_source: 'default' });
  });

  test('asks the next cheapest when the cheapest fails, each once, and only then the next tier', async () => {
    const broken = await upstream(openai.error(404, 'gone'));
    const [second, last] = [await upstream(openai.streamOf('second')), await upstream(openai.streamOf('last'))];
    const ohm = await engine();
    ohm.route([{ eco: [at(second, 'gpt-5'), at(broken, 'gpt-5-nano'), at(broken, 'gpt-5-mini')] }, at(last, 'gpt-4o')]);
    const response = await ask(ohm);
    expect(await response.text()).toContain('second');
    expect(served(response)).toEqual(['1', 'gpt-5', '3']);
    expect(ohm.rows[0]!.attempts.map(({ tier, model, state }) => [tier, model, state])).toEqual([[1, 'gpt-5-nano', 'failed'], [1, 'gpt-5-mini', 'failed'], [1, 'gpt-5', 'finished']]);
    second.play(openai.error(404, 'gone'));
    const after = await ask(ohm);
    expect(await after.text()).toContain('last');
    expect(served(after)).toEqual(['2', 'gpt-4o', '2']);
    // What failed before is cooling down, and is passed over by price no longer.
    expect(ohm.rows[1]!.attempts.map(({ model, state, skip_reason }) => [model, state, skip_reason])).toEqual([
      ['gpt-5-nano', 'skipped', 'degraded'], ['gpt-5-mini', 'skipped', 'degraded'], ['gpt-5', 'failed', null], ['gpt-4o', 'finished', null],
    ]);
    expect(ohm.rows[1]!.eco![0]!.chosen).toEqual({ connection: 'tier1-1', model: 'gpt-5' });
  });

  test('chooses by price, never by speed', async () => {
    const slow = await upstream([openai.sseHead(), { waitMs: 150 }, openai.text('slow'), openai.finish(), openai.DONE, 'end']);
    const fast = await upstream(openai.streamOf('fast'));
    const ohm = await engine();
    ohm.route([{ eco: [at(fast, 'gpt-5'), at(slow, 'gpt-5-nano')] }]);
    for (let i = 0; i < 3; i++) expect(await (await ask(ohm)).text()).toContain('slow');
    expect(fast.contacts).toHaveLength(0);
  });

  test('leaves out whoever cannot serve and whoever has no price, and says why', async () => {
    const server = await upstream(openai.streamOf('x'));
    const ohm = await engine();
    ohm.route([{ eco: [at(server, 'unheard-of'), at(server, 'gpt-4o-mini'), at(server, 'gpt-5')] }]);
    const body = { reasoning_effort: 'low', messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] }] };
    const response = await ask(ohm, body);
    await response.text();
    expect(served(response)).toEqual(['1', 'gpt-5', '1']);
    expect(ohm.rows[0]!.eco![0]!.candidates.map(({ model, left_out, cost_nano_usd: cost }) => [model, left_out, cost === null])).toEqual([['gpt-5', null, false], ['unheard-of', 'unpriced', true], ['gpt-4o-mini', 'reasoning', false]]);
  });

  test('without an able candidate is skipped, and by itself is a 400 that names the member', async () => {
    const server = await upstream(openai.streamOf('next'));
    const ohm = await engine();
    ohm.route([{ eco: [at(server, 'gpt-4o-mini')] }, at(server, 'gpt-5')]);
    const response = await ask(ohm, { reasoning_effort: 'low' });
    expect(await response.text()).toContain('next');
    expect(ohm.rows[0]!.attempts[0]).toMatchObject({ tier: 1, state: 'skipped', skip_reason: 'cannot_represent' });
    expect(ohm.rows[0]!.eco![0]!.chosen).toBeNull();
    ohm.route([{ eco: [at(server, 'gpt-4o-mini')] }]);
    const refused = await ask(ohm, { reasoning_effort: 'low' });
    expect([refused.status, ((await refused.json()) as { error: { param: string } }).error.param]).toEqual([400, 'reasoning_effort']);
    ohm.route([{ eco: [at(server, 'unheard-of')] }]);
    const unpriced = await ask(ohm);
    expect([unpriced.status, ((await unpriced.json()) as { error: { message: string } }).error.message]).toEqual([400, expect.stringContaining('known price')]);
  });

  test('that cannot serve is no reason to pass the other tiers by, and is told from one that is cooling down', async () => {
    const server = await upstream(openai.error(404, 'gone'));
    const ohm = await engine();
    const tiers: TestTier[] = [{ eco: [at(server, 'gpt-4o-mini')] }, at(server, 'gpt-5')];
    ohm.route(tiers);
    for (let i = 0; i < 2; i++) await (await ask(ohm)).text(); // both are degraded now
    expect(ohm.rows[1]!.attempts.map(({ model, state }) => [model, state])).toEqual([['gpt-4o-mini', 'failed'], ['gpt-5', 'failed']]);
    server.play(openai.streamOf('well again'));
    const response = await ask(ohm, { reasoning_effort: 'low' });
    expect(await response.text()).toContain('well again');
    expect(ohm.rows[2]!.attempts.map(({ model, skip_reason }) => [model, skip_reason])).toEqual([['gpt-4o-mini', 'cannot_represent'], ['gpt-5', null]]);
  });

  test('asks no other model when the client wants no fallback', async () => {
    const server = await upstream(openai.streamOf('x'));
    const ohm = await engine();
    ohm.route([{ eco: [at(server, 'gpt-5'), { url: await refusingOrigin(), model: 'gpt-5-nano', provider: 'openai' }] }]);
    const response = await ask(ohm, {}, { 'x-ohm-fallback': 'off' });
    expect([response.status, server.contacts.length]).toEqual([502, 0]);
    expect(ohm.rows[0]!.attempts.map(({ model }) => model)).toEqual(['gpt-5-nano', 'gpt-5-nano']);
  });

  test('leaves no mark on calls of routes without one', async () => {
    const server = await upstream(openai.streamOf('x'));
    const ohm = await engine();
    ohm.route([at(server, 'gpt-5')]);
    await (await ask(ohm)).text();
    expect(ohm.rows[0]!.eco).toBeNull();
  });
});

test('the model name eco takes the cheapest of what the key can reach, and is listed', async () => {
  const server = await upstream(openai.streamOf('x'));
  const ohm = await engine();
  ohm.route([at(server, 'gpt-4o'), at(server, 'unheard-of')]);
  const response = await ask(ohm, { model: 'eco', max_tokens: 10 });
  await response.text();
  expect([response.headers.get('x-ohm-route'), response.headers.get('x-ohm-model')]).toEqual(['eco', 'gpt-5-nano']);
  expect(ohm.rows[0]!.eco![0]!.candidates.map(({ model }) => model)).toEqual(expect.arrayContaining(['gpt-5-nano', 'gpt-4o', 'gpt-6-astra']));
  const list = (await (await fetch(`${ohm.url}/v1/models`, { headers: { authorization: `Bearer ${TEST_KEY}` } })).json()) as { data: { id: string }[] };
  expect(list.data.map(({ id }) => id)).toContain('eco');
});
