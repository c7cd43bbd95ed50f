import { connect } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { openai, refusingOrigin, scriptedUpstream, type Script, type ScriptedUpstream } from '../../e2e/harness';
import type { CallRow } from '../metering';
import { bearsContent } from '../wire';
import { BOUNDS } from './attempt/bounds';
import { createHeldBytes } from './held-bytes';
import { TEST_KEY, testEngine, type TestEngine, type TestTier } from './test-engine';
import type { Engine } from './engine';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function engineWith(overrides: Partial<Engine> = {}, clientStallMs?: number): Promise<TestEngine> {
  const engine = await testEngine(overrides, clientStallMs);
  open.push(engine.close);
  return engine;
}

async function upstream(script: Script): Promise<ScriptedUpstream> {
  const server = await scriptedUpstream(script);
  open.push(server.close);
  return server;
}

interface Asked {
  stream?: boolean;
  headers?: Record<string, string>;
  body?: object;
  signal?: AbortSignal;
}

function ask(engine: TestEngine, { stream = true, headers = {}, body = {}, signal }: Asked = {}): Promise<Response> {
  return fetch(`${engine.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'auto', stream, messages: [{ role: 'user', content: 'hello' }], ...body }),
    ...(signal ? { signal } : {}),
  });
}

const shown = () => [openai.sseHead(), openai.role(), openai.text('one'), openai.text(' two')];
const tier = (server: ScriptedUpstream, rest: Partial<TestTier> = {}): TestTier => ({ url: server.origin, ...rest });

describe('the commit', () => {
  test('the client gets no status and no byte before the first content', async () => {
    const engine = await engineWith();
    let go!: () => void;
    const first = await upstream([openai.sseHead(), openai.role(), { until: new Promise<void>((resolve) => (go = resolve)) }, openai.text('x'), openai.finish(), openai.DONE]);
    engine.route([tier(first)]);
    const response = ask(engine);
    await first.contacted(1);
    const early = await Promise.race([response, new Promise((resolve) => setTimeout(() => resolve('nothing'), 100))]);
    expect(early).toBe('nothing');
    go();
    expect((await response).headers.get('x-ohm-stream-failover')).toBe('pre-first-byte');
    expect(await (await response).text()).toContain('[DONE]');
  });

  test('an answer that is whole in its first content is sent once it is known how it ends: an error behind it goes to the next tier', async () => {
    const whole = openai.frame('{"id":"a","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"abc"},"finish_reason":"stop"}]}');
    const error = openai.frame('{"error":{"message":"broke","type":"server_error"}}');
    const engine = await engineWith();
    const failing = await upstream([openai.sseHead(), whole, { waitMs: 30 }, error]);
    engine.route([tier(failing), tier(await upstream([...shown(), openai.finish(), openai.DONE]))]);
    const answer = await ask(engine);
    expect([answer.status, answer.headers.get('x-ohm-tier')]).toEqual([200, '2']);
    expect(await answer.text()).not.toMatch(/abc|error/);
    expect(await engine.settled(1)).toMatchObject([{ state: 'finished', tier: 2, attempts: [{ state: 'failed', bytes: 0 }, { state: 'finished' }] }]);

    engine.route([tier(failing)]);
    expect((await ask(engine)).status).toBe(502);
    engine.route([tier(await upstream([openai.sseHead(), whole, openai.DONE]))]);
    expect(await (await ask(engine)).text()).toMatch(/abc[^]*stop[^]*\[DONE\]/);
    engine.route([tier(await upstream([openai.sseHead(), whole, { waitMs: 10 }, openai.text('def'), { waitMs: 10 }, 'reset']))]);
    expect(await (await ask(engine)).text()).toMatch(/abc[^]*def[^]*stream_truncated/);
  });

  test('what a truncated answer held back is not in the estimate', async () => {
    const engine = await engineWith();
    engine.route([tier(await upstream([openai.sseHead(), openai.text('abcd'), { waitMs: 20 }, openai.frame(`{"id":"a","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"${'x'.repeat(4000)}"},"finish_reason":"stop"}]}`), { waitMs: 20 }, openai.frame('{"error":{"message":"broke","type":"server_error"}}')]))]);
    expect(await (await ask(engine)).text()).toMatch(/abcd[^x]*stream_truncated/);
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'truncated', usage_source: 'estimate', usage: { completion_tokens: 1 } });
  });

  test('an unknown member of a frame and the spelling of its numbers survive', async () => {
    const engine = await engineWith();
    const odd = '{"id":"a","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"x","vendor":1.50},"finish_reason":null}],"extra":[1e3]}';
    engine.route([tier(await upstream([openai.sseHead(), openai.frame(odd), openai.finish(), openai.DONE]))]);
    expect(await (await ask(engine)).text()).toContain(`data: ${odd}\n\n`);
  });

  test('no comment, id or retry line of the upstream is relayed', async () => {
    const engine = await engineWith();
    engine.route([tier(await upstream([openai.sseHead(), { send: ': hi\n\nretry: 10\n\nid: 7\n' }, openai.text('x'), { send: ': keep-alive\n\n' }, openai.finish(), openai.DONE]))]);
    const lines = (await (await ask(engine)).text()).split('\n').filter((line) => line !== '');
    expect(lines.every((line) => line.startsWith('data: '))).toBe(true);
  });

  test('a tier that commits on its role frame would answer from a dying upstream: the content table is what prevents it', async () => {
    const dying: Script = [openai.sseHead(), openai.role(), { waitMs: 20 }, 'reset'];
    for (const [table, expected] of [[bearsContent, 'good'], [{ ...bearsContent, choice: true }, 'stream_truncated']] as const) {
      const engine = await engineWith({ contentTable: table as typeof bearsContent });
      engine.route([tier(await upstream(dying)), tier(await upstream(openai.streamOf('good')))]);
      expect(await (await ask(engine)).text()).toContain(expected);
    }
  });
});

describe('commit policy complete', () => {
  test('fails over after content, and nothing truncated reaches the client', async () => {
    const engine = await engineWith();
    const [first, second] = [await upstream([...shown(), { waitMs: 20 }, 'reset']), await upstream(openai.streamOf('whole'))];
    engine.route([tier(first), tier(second)], { commit: 'complete' });
    const response = await ask(engine);
    const text = await response.text();
    expect(response.headers.get('x-ohm-commit')).toBe('complete');
    expect(text).not.toContain('one');
    expect(text).toContain('whole');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect([first.contacts.length, second.contacts.length]).toEqual([1, 1]);
  });

  test('the request header overrides the route, both ways', async () => {
    const engine = await engineWith();
    const first = await upstream(openai.streamOf('x'));
    engine.route([tier(first)]);
    expect((await ask(engine, { headers: { 'x-ohm-commit': 'complete' } })).headers.get('x-ohm-commit')).toBe('complete');
    engine.route([tier(first)], { commit: 'complete' });
    expect((await ask(engine, { headers: { 'x-ohm-commit': 'first_content' } })).headers.get('x-ohm-commit')).toBe('first_content');
    const wrong = await ask(engine, { headers: { 'x-ohm-commit': 'maybe' } });
    expect([wrong.status, ((await wrong.json()) as { error: { param: string } }).error.param]).toEqual([400, 'X-Ohm-Commit']);
  });

  test('an answer that outgrows the bound commits, and the header says so', async () => {
    const engine = await engineWith({ bounds: { ...BOUNDS, completeBytes: 2_000 } });
    engine.route([tier(await upstream(openai.streamOf(...Array.from({ length: 40 }, (_, i) => `word${i}`))))], { commit: 'complete' });
    const response = await ask(engine);
    expect(response.headers.get('x-ohm-commit')).toBe('first_content');
    expect((await response.text()).endsWith('data: [DONE]\n\n')).toBe(true);
    expect((await engine.settled(1))[0]!.commit).toBe('first_content');
  });

  test('silence between held events is bounded by the idle clock', async () => {
    const engine = await engineWith();
    engine.route([tier(await upstream([...shown(), 'stall']), { idleTimeoutMs: 150 }), tier(await upstream(openai.streamOf('rescue')))], { commit: 'complete' });
    expect(await (await ask(engine)).text()).toContain('rescue');
    expect((await engine.settled(1))[0]!.attempts[0]).toMatchObject({ state: 'failed', class: 'stalled' });
  });
});

describe('after the last finish_reason', () => {
  const answered = [...shown(), openai.finish()];
  for (const [name, ending] of [
    ['[DONE]', [openai.DONE, 'end']],
    ['an end without [DONE]', ['end']],
    ['a reset', [{ waitMs: 20 }, 'reset']],
  ] as [string, Script][]) {
    test(`${name} makes a whole answer with exactly one [DONE]`, async () => {
      const engine = await engineWith();
      engine.route([tier(await upstream([...answered, ...(ending as [])]))]);
      const text = await (await ask(engine)).text();
      expect(text.match(/\[DONE\]/g)).toHaveLength(1);
      expect((await engine.settled(1))[0]).toMatchObject({ state: 'finished', finish_reason: 'stop' });
    });
  }

  test('two seconds of silence make a whole answer', async () => {
    const engine = await engineWith({ bounds: { ...BOUNDS, closingMs: 100 } });
    const server = await upstream([...answered, 'stall']);
    engine.route([tier(server)]);
    expect((await (await ask(engine)).text()).endsWith('data: [DONE]\n\n')).toBe(true);
    await server.contacts[0]!.left;
  });

  test('an error object makes it truncated, and the finish frame is never shown', async () => {
    const engine = await engineWith();
    engine.route([tier(await upstream([...answered, openai.errorFrame('late', { code: 500 }), 'end']))]);
    const text = await (await ask(engine)).text();
    expect(text).not.toContain('"finish_reason":"stop"');
    expect(text).toContain('stream_truncated');
    expect(text).not.toContain('[DONE]');
  });

  test('with one of two choices unfinished the answer is truncated', async () => {
    const engine = await engineWith();
    const second = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 1, delta: { content: 'other' }, finish_reason: null }] };
    engine.route([tier(await upstream([...shown(), openai.frame(second), openai.finish(), openai.DONE, 'end']))]);
    expect(await (await ask(engine)).text()).toContain('stream_truncated');
  });

  test('a legitimately empty answer is an answer', async () => {
    const engine = await engineWith();
    const next = await upstream(openai.streamOf('not asked'));
    engine.route([tier(await upstream([openai.sseHead(), openai.role(), openai.finish('length'), openai.DONE])), tier(next)]);
    expect(await (await ask(engine)).text()).toContain('"finish_reason":"length"');
    expect(next.contacts).toHaveLength(0);
  });
});

describe('usage in the stream', () => {
  const usageOf = (text: string) => text.split('\n\n').flatMap((line) => (line.includes('"usage":{') ? [JSON.parse(line.slice(6)) as { choices: unknown[]; usage: Record<string, unknown> }] : []));
  const emptyDelta = [{ index: 0, delta: {}, finish_reason: null }];

  test('is always asked for upstream; the client gets it in the shape it asked for', async () => {
    const engine = await engineWith();
    const server = await upstream(openai.streamOf('x'));
    engine.route([tier(server)]);
    const silent = usageOf(await (await ask(engine)).text());
    const asked = usageOf(await (await ask(engine, { body: { stream_options: { include_usage: true } } })).text());
    const declined = usageOf(await (await ask(engine, { body: { stream_options: { include_usage: false } } })).text());
    expect(silent).toMatchObject([{ choices: emptyDelta, usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 } }]);
    expect(asked).toMatchObject([{ choices: [], usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 } }]);
    expect(declined).toEqual([]);
    for (const contact of server.contacts) expect(JSON.parse(contact.body)).toMatchObject({ stream_options: { include_usage: true } });
  });

  test('is a labelled estimate where the provider gave none', async () => {
    const engine = await engineWith();
    engine.route([tier(await upstream([...shown(), openai.finish(), openai.DONE]))]);
    const [chunk] = usageOf(await (await ask(engine)).text());
    expect(chunk!.usage).toMatchObject({ source: 'estimate', completion_tokens: 2, estimated: ['prompt_tokens', 'completion_tokens', 'total_tokens'] });
    expect((await engine.settled(1))[0]).toMatchObject({ usage_source: 'estimate', usage_estimated: ['prompt_tokens', 'completion_tokens', 'total_tokens'] });
  });

  test('a provider that rejects the injected stream_options is asked once more without them', async () => {
    const engine = await engineWith();
    const server = await upstream([openai.error(400, 'Unknown parameter: stream_options', { type: 'invalid_request_error' }), openai.streamOf('x')]);
    engine.route([tier(server)]);
    expect((await ask(engine)).status).toBe(200);
    expect(server.contacts.map(({ body }) => 'stream_options' in (JSON.parse(body) as object))).toEqual([true, false]);
  });

  test('a client that sent stream_options itself gets that 400', async () => {
    const engine = await engineWith();
    const server = await upstream([openai.error(400, 'Unknown parameter: stream_options', { type: 'invalid_request_error' }), openai.streamOf('x')]);
    engine.route([tier(server)]);
    expect((await ask(engine, { body: { stream_options: { include_usage: true } } })).status).toBe(400);
    expect(server.contacts).toHaveLength(1);
  });
});

describe('a client that leaves', () => {
  for (const [moment, script, stream] of [
    ['before the headers', ['stall'], true],
    ['during the preamble', [openai.sseHead(), openai.role(), 'stall'], true],
    ['during the answer', [...shown(), 'stall'], true],
    ['while a JSON answer is awaited', ['stall'], false],
    ['during a JSON body', [{ head: 200, headers: { 'content-type': 'application/json' } }, { send: '{"id":' }, 'stall'], false],
  ] as [string, Script, boolean][]) {
    test(`${moment}: the upstream is closed at once, no other tier is asked, one row says so`, async () => {
      const engine = await engineWith();
      const [server, next] = [await upstream(script), await upstream(openai.streamOf('x'))];
      engine.route([tier(server), tier(next)]);
      const abort = new AbortController();
      const response = ask(engine, { stream, signal: abort.signal });
      response.catch(() => undefined);
      await server.contacted(1);
      if (moment === 'during the answer') await (await response).body!.getReader().read();
      else await new Promise((resolve) => setTimeout(resolve, 30));
      const leftAt = performance.now();
      abort.abort();
      await server.contacts[0]!.left;
      expect(performance.now() - leftAt).toBeLessThan(1_000);
      const [row] = await engine.settled(1);
      expect(row).toMatchObject({ state: 'aborted', attempts: [{ state: 'aborted', class: null }], usage_source: 'estimate' });
      expect(next.contacts).toHaveLength(0);
      expect(engine.rows).toHaveLength(1);
    });
  }

  test('during the wait before the one retry: the tier is not asked again', async () => {
    const engine = await engineWith();
    const server = await upstream([openai.error(429, 'slow', { type: 'requests', headers: { 'retry-after': '2' } }), openai.streamOf('x')]);
    engine.route([tier(server)]);
    const abort = new AbortController();
    const response = ask(engine, { signal: abort.signal });
    response.catch(() => undefined);
    await server.contacted(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    abort.abort();
    expect((await engine.settled(1))[0]!.state).toBe('aborted');
    expect(server.contacts).toHaveLength(1);
  });

  test.each([
    ['stream', true, openai.streamOf('x'), expect.any(Number)],
    ['large whole answer', false, openai.jsonOf('x'.repeat(1024 * 1024)), 0],
  ])('while the row of a %s is being written: the end was never handed over, and a correction says so', async (_, stream, script, flushed) => {
    let settling!: (row: CallRow) => void;
    let written!: () => void;
    const row = new Promise<CallRow>((resolve) => (settling = resolve));
    const corrections: object[] = [];
    const engine = await engineWith({
      ledger: {
        admit: () => undefined,
        settle: (each) => {
          settling(each);
          return new Promise((resolve) => (written = resolve));
        },
        charged: () => undefined,
        correct: (id, change) => void corrections.push({ id, ...change }),
        measured: () => undefined,
      },
    });
    engine.route([tier(await upstream(script))]);
    const abort = new AbortController();
    ask(engine, { stream, signal: abort.signal }).catch(() => undefined);
    const { id, state } = await row;
    expect(state).toBe('finished');
    abort.abort();
    await new Promise((resolve) => setTimeout(resolve, 50)); // the server hears of it
    written();
    await expect.poll(() => corrections).toEqual([{ id, state: 'aborted', flushed_bytes: flushed }]);
  });

  test('after the row was settled, while the last bytes are still unsent: a correction says so, and that nobody knows how much of them was taken', async () => {
    const engine = await engineWith();
    engine.route([tier(await upstream(openai.jsonOf('x'.repeat(20 * 1024 * 1024))))]);
    const socket = connect(Number(new URL(engine.url).port), '127.0.0.1');
    const body = JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'x' }] });
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await once(socket, 'readable');
    const [row] = await engine.settled(1);
    expect(row).toMatchObject({ state: 'finished' });
    socket.destroy();
    await expect.poll(() => engine.corrections).toEqual([{ id: row!.id, state: 'aborted', flushed_bytes: null }]);
  });

  test('does not count against the tier', async () => {
    const engine = await engineWith();
    const server = await upstream([['stall'], openai.streamOf('fine')]);
    engine.route([tier(server), tier(await upstream(openai.streamOf('other')))]);
    const abort = new AbortController();
    ask(engine, { signal: abort.signal }).catch(() => undefined);
    await server.contacted(1);
    abort.abort();
    await engine.settled(1);
    expect((await ask(engine)).headers.get('x-ohm-tier')).toBe('1');
  });
});

describe('degradation', () => {
  test('a failed tier is skipped until its cool-down ends, the skip is on the row, and one call probes it', async () => {
    let now = 0;
    const engine = await engineWith();
    const clock = { now: () => Date.now(), monotonic: () => performance.now() + now };
    const health = (await import('../health')).createHealth(clock, () => 1);
    Object.assign(engine.engine, { health });
    const [first, second] = [await upstream([openai.error(524, 'x'), openai.streamOf('back')]), await upstream(openai.streamOf('second'))];
    engine.route([tier(first), tier(second)]);
    await (await ask(engine)).text();
    const skipped = await ask(engine);
    await skipped.text();
    expect([skipped.headers.get('x-ohm-tier'), skipped.headers.get('x-ohm-attempts'), first.contacts.length]).toEqual(['2', '1', 1]);
    expect((await engine.settled(2))[1]!.attempts[0]).toMatchObject({ state: 'skipped', skip_reason: 'degraded' });
    now = 2_100;
    expect((await ask(engine)).headers.get('x-ohm-tier')).toBe('1');
  });

  test('a model that is asked for what it does not have is not ill', async () => {
    const engine = await engineWith();
    const first = await upstream([openai.error(404, 'no embeddings here'), openai.streamOf('chat')]);
    engine.route([tier(first), tier(await upstream(openai.streamOf('second')))]);
    const embedding = await fetch(`${engine.url}/v1/embeddings`, { method: 'POST', headers: { authorization: `Bearer ${TEST_KEY}`, 'x-ohm-fallback': 'off' }, body: JSON.stringify({ model: 'auto', input: 'hello' }) });
    expect(embedding.status).toBe(404);
    expect((await ask(engine)).headers.get('x-ohm-tier')).toBe('1');
  });

  test('a tier that is passed over as degraded, and has no such operation either, is on the row once', async () => {
    const engine = await engineWith();
    const first = await upstream([openai.error(500, 'x')]);
    engine.route([tier(first), tier(await upstream(openai.streamOf('second')))]);
    const count = () => fetch(`${engine.url}/v1/messages/count_tokens`, { method: 'POST', headers: { authorization: `Bearer ${TEST_KEY}` }, body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'hello' }] }) });
    await ask(engine);
    expect((await count()).status).toBe(404);
    expect((await engine.settled(2))[1]!.attempts.map(({ tier: number, skip_reason }) => [number, skip_reason])).toEqual([[1, 'cannot_represent'], [2, 'cannot_represent']]);
  });

  test('when every tier is degraded, all are tried in order anyway', async () => {
    const engine = await engineWith();
    const [first, second] = [await upstream(openai.error(524, 'x')), await upstream(openai.error(524, 'x'))];
    engine.route([tier(first), tier(second)]);
    await ask(engine);
    expect((await ask(engine)).status).toBe(502);
    expect([first.contacts.length, second.contacts.length]).toEqual([2, 2]);
  });

  test('when the last healthy tier fails, those passed over as degraded are tried after it, in order and once each', async () => {
    const engine = await engineWith();
    const [first, second, third] = [await upstream(openai.error(524, 'x')), await upstream([openai.error(524, 'x'), openai.streamOf('back')]), await upstream([openai.streamOf('healthy'), openai.error(524, 'x')])];
    engine.route([tier(first), tier(second), tier(third)]);
    expect((await ask(engine)).headers.get('x-ohm-tier')).toBe('3');
    const rescued = await ask(engine);
    expect([rescued.headers.get('x-ohm-tier'), await rescued.text()]).toEqual(['2', expect.stringContaining('back')]);
    expect((await engine.settled(2))[1]!.attempts.map(({ tier: number, state, skip_reason }) => [number, state, skip_reason])).toEqual([
      [1, 'skipped', 'degraded'], [2, 'skipped', 'degraded'], [3, 'failed', null], [1, 'failed', null], [2, 'finished', null],
    ]);
    engine.route([tier(first), tier(third)]); // both are degraded: neither is asked twice
    expect((await ask(engine)).status).toBe(502);
    expect([first.contacts.length, third.contacts.length]).toEqual([3, 3]);
  });

  test('a request that the caller got wrong takes no degraded tier', async () => {
    const engine = await engineWith();
    const [first, second] = [await upstream(openai.error(524, 'x')), await upstream([openai.streamOf('x'), openai.error(400, 'bad temperature', { type: 'invalid_request_error' })])];
    engine.route([tier(first), tier(second)]);
    await (await ask(engine)).text();
    expect([(await ask(engine)).status, first.contacts.length]).toEqual([400, 1]);
  });

  test('a truncated stream counts, a fault of the caller’s does not', async () => {
    const engine = await engineWith();
    const [first, second] = [await upstream([[...shown(), { waitMs: 10 }, 'reset'], openai.streamOf('x')]), await upstream(openai.streamOf('x'))];
    engine.route([tier(first), tier(second)]);
    await (await ask(engine)).text();
    expect((await ask(engine)).headers.get('x-ohm-tier')).toBe('2');
    const third = await upstream([openai.error(400, 'bad temperature', { type: 'invalid_request_error' }), openai.streamOf('x')]);
    engine.route([tier(third), tier(second)]);
    await ask(engine);
    expect((await ask(engine)).headers.get('x-ohm-tier')).toBe('1');
  });

  test('the order of tiers never changes, whoever is faster', async () => {
    const engine = await engineWith();
    const slow = await upstream([openai.sseHead(), { waitMs: 150 }, openai.text('slow'), openai.finish(), openai.DONE]);
    const fast = await upstream(openai.streamOf('fast'));
    engine.route([tier(slow), tier(fast)]);
    for (let i = 0; i < 3; i++) expect((await ask(engine)).headers.get('x-ohm-tier')).toBe('1');
    expect(fast.contacts).toHaveLength(0);
  });
});

describe('bounds', () => {
  test('a preamble of too many events, or too many bytes, goes to the next tier', async () => {
    const engine = await engineWith();
    const empty = openai.chunk({});
    const many = await upstream([openai.sseHead(), { send: `data: ${JSON.stringify(empty)}\n\n`.repeat(1_001) }, openai.text('late'), openai.finish()]);
    const big = await upstream([openai.sseHead(), openai.frame({ ...empty, filler: 'x'.repeat(300 * 1024) }), openai.text('late'), openai.finish()]);
    engine.route([tier(many), tier(big), tier(await upstream(openai.streamOf('good')))]);
    expect(await (await ask(engine)).text()).toContain('good');
    expect((await engine.settled(1))[0]!.attempts.map((attempt) => attempt.class)).toEqual(['malformed', 'malformed', null]);
  });

  test('the first-content clock is not reset by comments or role frames', async () => {
    const engine = await engineWith();
    const chatty = [openai.sseHead(), ...Array.from({ length: 30 }, () => [openai.role(), { send: ': keep-alive\n\n' }, { waitMs: 50 }]).flat()];
    engine.route([tier(await upstream(chatty), { firstContentTimeoutMs: 300 }), tier(await upstream(openai.streamOf('good')))]);
    expect(await (await ask(engine)).text()).toContain('good');
    expect((await engine.settled(1))[0]!.attempts[0]).toMatchObject({ class: 'stalled', state: 'failed' });
  });

  test('the idle clock is reset by any byte', async () => {
    const engine = await engineWith();
    const slow = [...shown(), ...Array.from({ length: 8 }, () => [{ waitMs: 60 }, { send: ': still here\n\n' }]).flat(), openai.finish(), openai.DONE];
    engine.route([tier(await upstream(slow), { idleTimeoutMs: 250 })]);
    expect((await (await ask(engine)).text()).endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('the deadline of the route ends the walk with 504, and tiers it leaves no time for are skipped', async () => {
    const engine = await engineWith();
    const next = await upstream(openai.streamOf('x'));
    engine.route([tier(await upstream(['stall'])), tier(next)], { deadlineMs: 1_300 });
    const response = await ask(engine);
    expect(response.status).toBe(504);
    expect((await response.json()) as object).toMatchObject({ error: { code: 'deadline_exceeded' } });
    expect((await engine.settled(1))[0]!.attempts).toMatchObject([{ class: 'deadline' }, { state: 'skipped', skip_reason: 'deadline' }]);
    expect(next.contacts).toHaveLength(0);
  });

  test('a long gap after the commit is bridged with an empty delta of the answer’s own identity', async () => {
    const engine = await engineWith({ bounds: { ...BOUNDS, bridgeMs: 100 } });
    engine.route([tier(await upstream([...shown(), { waitMs: 350 }, openai.finish(), openai.DONE]))]);
    const bridges = (await (await ask(engine)).text()).split('\n\n').filter((line) => line.includes('"delta":{},"finish_reason":null'));
    expect(bridges.length).toBeGreaterThanOrEqual(2);
    for (const line of bridges.slice(0, 2)) expect(JSON.parse(line.slice(6))).toMatchObject({ id: openai.IDENTITY.id, created: openai.IDENTITY.created, model: openai.IDENTITY.model });
  });

  test('beyond the process-wide bound the largest holder fails over and the others go on', async () => {
    const engine = await engineWith({ held: createHeldBytes(200_000) });
    const big = await upstream([openai.sseHead(), { send: `data: ${'x'.repeat(300_000)}` }, 'stall']);
    engine.route([tier(big), tier(await upstream(openai.streamOf('good')))]);
    expect(await (await ask(engine)).text()).toContain('good');
    expect((await engine.settled(1))[0]!.attempts).toMatchObject([{ class: 'overloaded' }, { state: 'finished' }]);
    expect(big.contacts).toHaveLength(1);
    expect(engine.engine.held.total).toBe(0);
  });

  test('whole answers that nobody reads stay within the same bound, and give it back when they are gone', async () => {
    const MIB = 1024 * 1024;
    const engine = await engineWith({ held: createHeldBytes(40 * MIB) });
    const { held } = engine.engine;
    engine.route([tier(await upstream(openai.jsonOf('x'.repeat(12 * MIB))))]);
    const body = JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'x' }] });
    const clients = Array.from({ length: 6 }, () => {
      const socket = connect(Number(new URL(engine.url).port), '127.0.0.1').on('error', () => undefined);
      socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      return socket.pause();
    });
    const rows = await engine.settled(6);
    // Three fit. An answer that was cut on its way to the client had been booked as whole.
    await expect.poll(() => engine.corrections.length + rows.filter(({ state }) => state !== 'finished').length).toBe(3);
    expect(held.total).toBeGreaterThan(12 * MIB);
    expect(held.total).toBeLessThanOrEqual(40 * MIB);
    for (const socket of clients) socket.destroy();
    await expect.poll(() => held.total).toBe(0);
  });

  test('answers that one workspace leaves unread cut none of another’s, however large that one is', async () => {
    const MIB = 1024 * 1024;
    const keyOf = (workspace: string) => `${TEST_KEY}_${workspace}`;
    const engine: TestEngine = await engineWith({
      held: createHeldBytes(56 * MIB),
      directory: { find: (token) => ({ ...engine.caller(), workspace: { ...engine.caller().workspace, id: token.slice(TEST_KEY.length + 1) } }) },
    });
    const { held } = engine.engine;
    const body = JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'x' }] });
    const asked = async (workspace: string) => {
      const socket = connect(Number(new URL(engine.url).port), '127.0.0.1').on('error', () => undefined);
      socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${keyOf(workspace)}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      await engine.settled(engine.rows.length + 1);
      return socket.pause();
    };
    engine.route([tier(await upstream(openai.jsonOf('x'.repeat(24 * MIB))))]);
    const reader = await asked('ws_reader');
    engine.route([tier(await upstream(openai.jsonOf('x'.repeat(12 * MIB))))]);
    const hoarders = [];
    for (let i = 0; i < 5; i++) hoarders.push(await asked('ws_hoarder'));
    await expect.poll(() => engine.corrections.length + engine.rows.filter(({ state }) => state !== 'finished').length).toBeGreaterThan(0);
    let read = 0;
    reader.on('data', (chunk: Buffer) => (read += chunk.length)).resume();
    await once(reader, 'close');
    expect(read).toBeGreaterThan(24 * MIB);
    expect(engine.corrections.map(({ id }) => id)).not.toContain(engine.rows[0]!.id);
    for (const socket of hoarders) socket.destroy();
    await expect.poll(() => held.total).toBe(0);
  });

  test('a slow client slows the upstream down, and one that takes nothing has left', async () => {
    const engine = await engineWith({}, 2_000);
    const flood = openai.text('x'.repeat(64 * 1024));
    const server = await upstream([openai.sseHead(), openai.role(), ...Array.from({ length: 1_500 }, () => flood), openai.finish(), openai.DONE]);
    engine.route([tier(server)]);
    const socket = connect(Number(new URL(engine.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const body = JSON.stringify({ model: 'auto', stream: true, messages: [{ role: 'user', content: 'x' }] });
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await once(socket, 'readable');
    socket.pause();
    await server.contacts[0]!.left;
    const [row] = await engine.settled(1);
    expect(row!.state).toBe('aborted');
    expect(row!.duration_ms).toBeGreaterThan(2_000);
    expect(row!.duration_ms).toBeLessThan(3_900); // and not twice the time, as by node's own socket time-out
    // 96 MiB were on offer; what was taken is what kernel buffers and one read held.
    expect(row!.flushed_bytes).toBeLessThan(24 * 1024 * 1024);
    socket.destroy();
  });
});

test('a client that takes a little now and then is served to the end', async () => {
  const engine = await engineWith({}, 400);
  engine.route([tier(await upstream(openai.jsonOf('x'.repeat(12 * 1024 * 1024))))]);
  const socket = connect(Number(new URL(engine.url).port), '127.0.0.1');
  const body = JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'x' }] });
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  let read = 0;
  let pauses = 0;
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read < (pauses + 1) * 1024 * 1024) return;
    pauses++;
    socket.pause();
    setTimeout(() => socket.resume(), 100);
  });
  await once(socket, 'close');
  expect(read).toBeGreaterThan(12 * 1024 * 1024);
  expect(engine.corrections).toEqual([]);
});

test('a whole answer that nobody takes is let go as well', async () => {
  const engine = await engineWith({}, 300);
  engine.route([tier(await upstream(openai.jsonOf('x'.repeat(20 * 1024 * 1024))))]);
  const socket = connect(Number(new URL(engine.url).port), '127.0.0.1');
  const body = JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'x' }] });
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  await once(socket, 'readable');
  socket.pause();
  await expect.poll(() => engine.corrections, { timeout: 5_000 }).toMatchObject([{ state: 'aborted' }]);
  socket.destroy();
});

describe('the walk', () => {
  test('X-Ohm-Fallback: off asks the first tier only, and keeps its one retry', async () => {
    const engine = await engineWith();
    const [first, second] = [await upstream(openai.error(500, 'x')), await upstream(openai.streamOf('x'))];
    engine.route([tier(first), tier(second)]);
    const response = await ask(engine, { headers: { 'x-ohm-fallback': 'off' } });
    expect([response.status, first.contacts.length, second.contacts.length]).toEqual([502, 2, 0]);
  });

  test('the next tier gets the client’s own body, but for the model', async () => {
    const engine = await engineWith();
    const [first, second] = [await upstream(openai.error(524, 'x')), await upstream(openai.streamOf('x'))];
    engine.route([tier(first, { model: 'a' }), tier(second, { model: 'b' })]);
    const extra = { temperature: 0.25, vendor_option: { deep: [1, 2] }, stream_options: { include_usage: true } };
    await ask(engine, { body: extra });
    expect(JSON.parse(second.contacts[0]!.body)).toEqual({ model: 'b', stream: true, messages: [{ role: 'user', content: 'hello' }], ...extra });
    expect(second.contacts[0]!.headers).not.toHaveProperty('x-ohm-fallback');
    expect(second.contacts[0]!.headers.authorization).toBe('Bearer sk-test');
  });

  test('the one retry comes on a connection of its own', async () => {
    const engine = await engineWith();
    const server = await upstream([openai.streamOf('warm'), ['reset'], openai.streamOf('again')]);
    engine.route([tier(server)]);
    await (await ask(engine)).text();
    expect(await (await ask(engine)).text()).toContain('again');
    const used = server.contacts.map(({ connection }) => connection);
    expect(used[2]).not.toBe(used[1]);
  });

  test('all rate limited: 429 with the soonest Retry-After, the only rejection that may be retried', async () => {
    const engine = await engineWith();
    const limited = (seconds: string) => upstream(openai.error(429, 'slow', { type: 'requests', headers: { 'retry-after': seconds } }));
    engine.route([tier(await limited('30')), tier(await limited('7'))]);
    const response = await ask(engine);
    expect([response.status, response.headers.get('retry-after'), response.headers.get('x-should-retry')]).toEqual([429, '7', null]);
  });

  test.each([
    ['quota', openai.error(402, 'pay'), 429, 'insufficient_quota'],
    ['overloaded', openai.error(529, 'Overloaded'), 503, 'upstream_overloaded'],
    ['not_found', openai.error(404, 'nope'), 404, 'model_not_found'],
    ['context_length', openai.error(400, 'maximum context length is 10 tokens', { code: 'context_length_exceeded' }), 400, 'context_length_exceeded'],
    ['too_large', openai.error(413, 'big'), 413, 'request_too_large'],
    ['auth', openai.error(401, 'who', { code: 'invalid_api_key' }), 502, 'upstream_auth_failed'],
  ])('every visit %s: an honest status, and no automatic retry', async (_cls, answer, status, code) => {
    const engine = await engineWith();
    engine.route([tier(await upstream(answer)), tier(await upstream(answer))]);
    const response = await ask(engine);
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code, response.headers.get('x-should-retry')]).toEqual([status, code, 'false']);
  });

  test('a refused connection on every tier is 502, in well under a second', async () => {
    const engine = await engineWith();
    engine.route([{ url: await refusingOrigin() }, { url: await refusingOrigin(), model: 'b' }]);
    expect((await ask(engine)).status).toBe(502);
  });

  test('a connection that was reached and then broken before any header is not told as one that could not be reached', async () => {
    const engine = await engineWith();
    const resetting = await upstream(['reset']);
    engine.route([tier(resetting)]);
    const response = await ask(engine, { stream: false });
    const { error } = (await response.json()) as { error: { code: string; message: string; metadata: { attempts: { class: string }[] } } };
    expect([response.status, error.code, error.metadata.attempts.map((each) => each.class), resetting.contacts.length]).toEqual([502, 'upstream_unreachable', ['connect', 'connect'], 2]);
    expect(error.message).toContain('broke the connection off');
  });

  test('a redirect is never followed', async () => {
    const engine = await engineWith();
    const target = await upstream(openai.streamOf('x'));
    const redirecting = await upstream([{ head: 307, headers: { location: `${target.origin}/v1/chat/completions` } }, 'end']);
    engine.route([tier(redirecting)]);
    expect((await ask(engine)).status).toBe(502);
    expect(target.contacts).toHaveLength(0);
  });
});

describe('draining', () => {
  test('at the deadline an open stream ends in-band, a held one with 503', async () => {
    const engine = await engineWith();
    const server = await upstream([[...shown(), 'stall'], ['stall']]);
    engine.route([tier(server)]);
    const streaming = await ask(engine);
    const waiting = ask(engine);
    await server.contacted(2);
    engine.gateway.cutOpenCalls();
    const text = await streaming.text();
    expect(text).toContain('"code":"gateway_draining"');
    expect(text).not.toContain('[DONE]');
    expect([(await waiting).status, (await waiting).headers.get('retry-after')]).toEqual([503, '1']);
    expect((await engine.settled(2)).map(({ state }) => state).sort()).toEqual(['rejected', 'truncated']);
  });

  test('new calls are refused with 503 and Retry-After', async () => {
    const engine = await engineWith({ draining: () => true });
    const response = await ask(engine);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('what an upstream says', () => {
  const SECRET = 'sk-test'; // what the test engine's connections hold

  test('is passed on and kept without the credential, whatever its shape', async () => {
    const engine = await engineWith();
    const told = `Access denied due to invalid subscription key ${SECRET}.`;
    const answers = [openai.error(400, told, { code: SECRET }), [openai.sseHead(), openai.errorFrame(told, { type: SECRET, code: 400 }), 'end'], openai.error(500, told)] as Script[];
    for (const answer of answers) {
      engine.route([tier(await upstream(answer))]);
      expect(await (await ask(engine)).text()).not.toContain(SECRET);
    }
    expect(JSON.stringify(await engine.settled(3))).not.toContain(SECRET);
  });

  test('of a fault of the caller’s is given back but not kept: it may quote the request', async () => {
    const engine = await engineWith();
    engine.route([tier(await upstream(openai.error(400, 'Invalid content in message: "my private prompt"', { type: 'invalid_request_error', code: 'bad_content' })))]);
    expect(await (await ask(engine)).text()).toContain('my private prompt');
    const [row] = await engine.settled(1);
    expect(JSON.stringify(row)).not.toContain('private prompt');
    expect(row!.attempts[0]!.message).toBe('the provider rejected the request (bad_content)');
  });

  test('in one event over several lines is relayed as one line', async () => {
    const engine = await engineWith();
    const lines = JSON.stringify(openai.chunk({ content: 'whole' }), null, 1).split('\n').map((line) => `data: ${line}\n`).join('');
    engine.route([tier(await upstream([openai.sseHead(), { send: `${lines}\n` }, openai.finish(), openai.DONE]))]);
    const frames = (await (await ask(engine)).text()).split('\n\n').filter((frame) => frame.startsWith('data: {'));
    expect(frames.map((frame) => (JSON.parse(frame.slice(6)) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content)).toContain('whole');
  });
});

test('a body that would hold the process for seconds is refused in milliseconds', async () => {
  const engine = await engineWith();
  engine.route([tier(await upstream(openai.streamOf('x')))]);
  const body = `{"model":"auto","messages":[{"role":"user","content":"x"}],"x":[${'[],'.repeat(5_000_000)}[]]}`;
  const response = await fetch(`${engine.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${TEST_KEY}` }, body });
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('250000 values')]);
});

test('with commit policy complete comments do not keep a silent answer alive', async () => {
  const engine = await engineWith();
  const chatty = [...shown(), ...Array.from({ length: 40 }, () => [{ waitMs: 50 }, { send: ': still here\n\n' }]).flat()];
  engine.route([tier(await upstream(chatty), { idleTimeoutMs: 300 }), tier(await upstream(openai.streamOf('rescue')))], { commit: 'complete' });
  expect(await (await ask(engine)).text()).toContain('rescue');
});

test('pipelined calls are made one after the other: one whose connection is gone is never made', async () => {
  const engine = await engineWith();
  const server = await upstream([[openai.sseHead(), openai.text('slow'), 'stall'], openai.streamOf('x')]);
  engine.route([tier(server)]);
  const socket = connect(Number(new URL(engine.url).port), '127.0.0.1');
  const body = JSON.stringify({ model: 'auto', stream: true, messages: [{ role: 'user', content: 'x' }] });
  const request = `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  socket.write(request.repeat(3));
  await once(socket, 'readable');
  socket.destroy();
  await server.contacts[0]!.left;
  expect((await engine.settled(1)).map(({ state }) => state)).toEqual(['aborted']);
  expect(server.contacts).toHaveLength(1);
});
