import { afterEach, describe, expect, test } from 'vitest';
import { anthropic, openai, scriptedUpstream, type Script, type ScriptedUpstream } from '../../e2e/harness';
import { TEST_KEY, testEngine, type TestEngine, type TestTier } from './test-engine';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** An engine whose route has one tier for each script: those of `wire` openai unless they are marked. */
async function engineOver(...scripts: (Script | { anthropic: Script })[]): Promise<{ engine: TestEngine; upstreams: ScriptedUpstream[] }> {
  const engine = await testEngine();
  opened.push(engine.close);
  const upstreams: ScriptedUpstream[] = [];
  const tiers: TestTier[] = [];
  for (const each of scripts) {
    const native = typeof each === 'object' && 'anthropic' in each;
    const upstream = await scriptedUpstream(native ? each.anthropic : each);
    opened.push(upstream.close);
    upstreams.push(upstream);
    tiers.push({ url: upstream.origin, wire: native ? 'anthropic' : 'openai' });
  }
  engine.route(tiers);
  return { engine, upstreams };
}

interface Asked {
  path?: string;
  headers?: Record<string, string>;
  body?: object;
}

const ask = (engine: TestEngine, { path = '/v1/messages', headers = {}, body = {} }: Asked = {}): Promise<Response> =>
  fetch(engine.url + path, {
    method: 'POST',
    headers: { 'x-api-key': TEST_KEY, 'anthropic-version': '2023-06-01', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'auto', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'hello' }], ...body }),
  });

const names = (stream: string) => [...stream.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
const dataOf = (stream: string, name: string) => JSON.parse(new RegExp(`^event: ${name}\\ndata: (.*)$`, 'm').exec(stream)![1]!) as Record<string, unknown>;
const errorOf = async (response: Response) => ((await response.json()) as { type: 'error'; request_id: string; error: Record<string, unknown> & { metadata: { attempts: object[] } } }).error;

describe('a tier of another wire', () => {
  test('its stream becomes message events, and the ledger has the provider’s own figures', async () => {
    const { engine, upstreams } = await engineOver(openai.streamOf('one', ' two'));
    const response = await ask(engine);
    const stream = await response.text();
    expect(names(stream)).toEqual(['message_start', 'content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop']);
    expect(dataOf(stream, 'message_delta')).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 9, output_tokens: 2 } });
    expect(response.headers.get('x-ohm-stream-failover')).toBe('pre-first-byte');
    const [row] = await engine.settled(1);
    expect(row).toMatchObject({ surface: 'messages', state: 'finished', stream: true, finish_reason: 'stop', usage: { prompt_tokens: 9, completion_tokens: 2 }, usage_source: 'provider', flushed_bytes: Buffer.byteLength(stream) });
    expect(JSON.parse(upstreams[0]!.contacts[0]!.body)).toEqual({
      model: 'model-1', messages: [{ role: 'user', content: 'hello' }], max_completion_tokens: 100, stream: true, stream_options: { include_usage: true },
    });
  });

  test('its whole answer becomes a message', async () => {
    const { engine } = await engineOver(openai.jsonOf('hi'));
    const response = await ask(engine, { body: { stream: false } });
    expect(await response.json()).toMatchObject({ type: 'message', role: 'assistant', model: 'model-1', content: [{ type: 'text', text: 'hi' }], stop_reason: 'end_turn', usage: { input_tokens: 9, output_tokens: 3 } });
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'finished', stream: false });
  });

  test('a tier that fails before its content is replaced by one of the client’s own wire, and the other way round', async () => {
    for (const scripts of [
      [[openai.sseHead(), openai.role(), 'reset'], { anthropic: anthropic.streamOf('saved') }],
      [{ anthropic: [anthropic.sseHead(), anthropic.start(), anthropic.failing('overloaded_error')] }, openai.streamOf('saved')],
    ] as Parameters<typeof engineOver>) {
      const { engine } = await engineOver(...(scripts as unknown as Parameters<typeof engineOver>));
      const response = await ask(engine);
      const stream = await response.text();
      expect(names(stream).filter((name) => name === 'message_start')).toHaveLength(1);
      expect([response.headers.get('x-ohm-tier'), stream.includes('saved'), names(stream).at(-1)]).toEqual(['2', true, 'message_stop']);
    }
  });

  test('a stream that is cut after its content ends in an error event, without message_stop, and no other tier is asked', async () => {
    const { engine, upstreams } = await engineOver([openai.sseHead(), openai.role(), openai.text('half'), { waitMs: 20 }, 'reset'], openai.streamOf('spliced'));
    const response = await ask(engine);
    const stream = await response.text();
    expect(names(stream)).toEqual(['message_start', 'content_block_start', 'content_block_delta', 'error']);
    const id = response.headers.get('x-ohm-request-id');
    expect(dataOf(stream, 'error')).toMatchObject({ type: 'error', request_id: id, error: { type: 'api_error', code: 'stream_truncated', metadata: { state: 'committed', class: 'cut', request_id: id } } });
    expect(upstreams[1]!.contacts).toHaveLength(0);
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'truncated', flushed_bytes: Buffer.byteLength(stream) });
  });

  test('hints that it cannot take are named in a header by the client’s names', async () => {
    const { engine } = await engineOver(openai.streamOf('x'));
    const response = await ask(engine, { body: { system: [{ type: 'text', text: 'be brief', cache_control: { type: 'ephemeral' } }], metadata: { user_id: 'u'.repeat(100) } } });
    await response.text();
    expect(response.headers.get('x-ohm-dropped-params')).toBe('metadata.user_id, cache_control');
  });

  test('a request that only the client’s own wire can say skips it', async () => {
    const { engine, upstreams } = await engineOver(openai.streamOf('x'), { anthropic: anthropic.streamOf('native') });
    const response = await ask(engine, { body: { top_k: 5 } });
    expect(await response.text()).toContain('native');
    expect([response.headers.get('x-ohm-tier'), upstreams[0]!.contacts.length]).toEqual(['2', 0]);
    expect((await engine.settled(1))[0]!.attempts[0]).toMatchObject({ state: 'skipped', skip_reason: 'cannot_represent' });
  });

  test('and is refused by the member’s own name where there is no other tier', async () => {
    const { engine } = await engineOver(openai.streamOf('x'));
    const response = await ask(engine, { body: { stop_sequences: ['a', 'b', 'c', 'd', 'e'] } });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ type: 'invalid_request_error', code: 'unsupported_value', param: 'stop_sequences' });
  });
});

describe('a tier of the client’s own wire', () => {
  test('gets the client’s body and headers, and its answer keeps its own bytes', async () => {
    const odd = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x","vendor":1.50}    }';
    const { engine, upstreams } = await engineOver({ anthropic: [anthropic.sseHead(), anthropic.start(), anthropic.ping, anthropic.open(0), { send: `event: content_block_delta\ndata: ${odd}\n\n` }, anthropic.close(), anthropic.finish(), anthropic.stop, 'end'] });
    const beta = 'claude-code-20250219,interleaved-thinking-2025-05-14';
    const response = await ask(engine, { headers: { 'anthropic-version': '2026-10-21', 'anthropic-beta': beta }, body: { mcp_servers: [], future: { a: 1 } } });
    const stream = await response.text();
    expect(stream).toContain(`event: content_block_delta\ndata: ${odd}\n\n`);
    expect(stream).toContain('event: ping\ndata: {"type": "ping"}\n\n');
    expect([names(stream).at(-1), names(stream).filter((name) => name === 'message_stop').length]).toEqual(['message_stop', 1]);
    const [{ headers, body, path }] = upstreams[0]!.contacts as [ScriptedUpstream['contacts'][0]];
    expect(path).toBe('/v1/messages');
    expect(headers).toMatchObject({ 'anthropic-version': '2026-10-21', 'anthropic-beta': beta, 'x-api-key': 'sk-test' });
    expect(body).toBe('{"model":"model-1","max_tokens":100,"stream":true,"messages":[{"role":"user","content":"hello"}],"mcp_servers":[],"future":{"a":1}}');
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'finished', usage: { prompt_tokens: 9, completion_tokens: 3 }, finish_reason: 'stop' });
  });

  test('an answer that ends without message_stop gets one', async () => {
    const { engine } = await engineOver({ anthropic: [anthropic.sseHead(), anthropic.start(), anthropic.open(0), anthropic.text('x'), anthropic.close(), anthropic.finish(), 'end'] });
    expect(names(await (await ask(engine)).text()).slice(-2)).toEqual(['message_delta', 'message_stop']);
  });

  test('a stray frame is dropped and counted in message_delta', async () => {
    const { engine } = await engineOver({ anthropic: [anthropic.sseHead(), anthropic.start(), anthropic.open(0), anthropic.text('x'), { send: 'event: content_block_delta\ndata: {oops\n\n' }, anthropic.close(), anthropic.finish(), anthropic.stop, 'end'] });
    expect(dataOf(await (await ask(engine)).text(), 'message_delta').ohm).toEqual({ malformed_events: 1 });
  });

  test('an error event after the content truncates in the error’s own kind', async () => {
    const { engine } = await engineOver({ anthropic: [anthropic.sseHead(), anthropic.start(), anthropic.open(0), anthropic.text('half'), anthropic.failing('overloaded_error', 'Overloaded'), 'end'] });
    const stream = await (await ask(engine)).text();
    expect(dataOf(stream, 'error')).toMatchObject({ error: { type: 'overloaded_error', metadata: { class: 'overloaded' } } });
    expect(names(stream)).not.toContain('message_stop');
  });

  test('its whole answer is passed on as it came', async () => {
    const { engine } = await engineOver({ anthropic: anthropic.jsonOf('native') });
    expect(await (await ask(engine, { body: { stream: false } })).json()).toEqual(anthropic.message('native'));
  });

  test('a compaction is on the ledger with the tokens that it is billed for, and the client’s figures are the provider’s own', async () => {
    const usage = { input_tokens: 600, output_tokens: 20, iterations: [{ type: 'compaction', input_tokens: 60_000, output_tokens: 500 }, { type: 'message', input_tokens: 600, output_tokens: 20 }] };
    const { engine } = await engineOver({ anthropic: anthropic.json(200, { ...anthropic.message('x'), usage }) });
    expect(((await (await ask(engine, { body: { stream: false } })).json()) as { usage: object }).usage).toEqual(usage);
    expect((await engine.settled(1))[0]).toMatchObject({ usage_source: 'provider', usage: { prompt_tokens: 60_600, completion_tokens: 520, total_tokens: 61_120 } });
  });

  test('thinking that was made of another provider’s answer never reaches it', async () => {
    const { engine, upstreams } = await engineOver({ anthropic: anthropic.streamOf('x') });
    const turn = { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: '' }, { type: 'text', text: 'a' }] };
    const response = await ask(engine, { body: { messages: [{ role: 'user', content: 'q' }, turn, { role: 'user', content: 'r' }] } });
    await response.text();
    expect(response.headers.get('x-ohm-dropped-params')).toBe('thinking');
    expect((JSON.parse(upstreams[0]!.contacts[0]!.body) as { messages: unknown[] }).messages[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'a' }] });
  });
});

describe('refusals', () => {
  test.each([
    [openai.error(503, 'busy', { code: 'server_is_overloaded' }), 529, 'overloaded_error'],
    [openai.error(429, 'slow', { headers: { 'retry-after': '30' } }), 429, 'rate_limit_error'],
    [openai.error(500), 502, 'api_error'],
    [openai.error(401), 502, 'api_error'],
    [openai.error(404), 404, 'not_found_error'],
    [openai.error(400, 'bad', { type: 'invalid_request_error' }), 400, 'invalid_request_error'],
  ])('an upstream’s failure: %#', async (script, status, type) => {
    const { engine } = await engineOver(script);
    const response = await ask(engine);
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json']);
    const error = await errorOf(response);
    expect(error.type).toBe(type);
    expect(error.metadata.attempts[0]).toMatchObject({ tier: 1, state: 'failed' });
  });

  test('a wrong key, an unknown model, a body that is none', async () => {
    const { engine } = await engineOver(openai.streamOf('x'));
    const wrongKey = await ask(engine, { headers: { 'x-api-key': 'ohm_sk_junk' } });
    expect([wrongKey.status, (await errorOf(wrongKey)).type]).toEqual([401, 'authentication_error']);
    const unknown = await ask(engine, { body: { model: 'claude-unheard-of' } });
    expect([unknown.status, (await errorOf(unknown)).type]).toEqual([404, 'not_found_error']);
    const unbounded = await ask(engine, { body: { max_tokens: undefined } });
    expect([unbounded.status, (await errorOf(unbounded)).param]).toEqual([400, 'max_tokens']);
  });
});

describe('counting tokens', () => {
  const count = (engine: TestEngine) => ask(engine, { path: '/v1/messages/count_tokens', body: { stream: undefined, max_tokens: undefined } });

  test('asks the first tier that can, and costs nothing', async () => {
    const { engine, upstreams } = await engineOver(openai.streamOf('x'), { anthropic: anthropic.json(200, { input_tokens: 14 }) });
    const response = await count(engine);
    expect([response.status, await response.json(), upstreams[0]!.contacts.length]).toEqual([200, { input_tokens: 14 }, 0]);
    expect(upstreams[1]!.contacts[0]).toMatchObject({ path: '/v1/messages/count_tokens', body: '{"model":"model-2","messages":[{"role":"user","content":"hello"}]}' });
    expect((await engine.settled(1))[0]).toMatchObject({ surface: 'messages.count_tokens', state: 'finished', stream: false, usage: null, cost_nano_usd: null });
  });

  test('asks a degraded tier where the healthy ones cannot', async () => {
    const { engine, upstreams } = await engineOver(openai.streamOf('x'), { anthropic: [anthropic.json(524, {}), anthropic.json(200, { input_tokens: 14 })] });
    expect((await count(engine)).status).toBe(502);
    const second = await count(engine);
    expect([second.status, await second.json(), upstreams.map(({ contacts }) => contacts.length)]).toEqual([200, { input_tokens: 14 }, [0, 2]]);
    expect((await engine.settled(2))[1]!.attempts.map(({ state, skip_reason }) => [state, skip_reason])).toEqual([['skipped', 'cannot_represent'], ['skipped', 'degraded'], ['finished', null]]);
  });

  test('says so where no tier can', async () => {
    const { engine, upstreams } = await engineOver(openai.streamOf('x'));
    const response = await count(engine);
    expect(response.status).toBe(404);
    expect(await errorOf(response)).toMatchObject({ type: 'not_found_error', code: 'unsupported_operation', message: expect.stringContaining('/v1/messages/count_tokens') as string });
    expect(upstreams[0]!.contacts).toHaveLength(0);
  });
});

describe('models', () => {
  const models = (engine: TestEngine, path: string, headers: Record<string, string> = {}) => fetch(engine.url + path, { headers: { 'x-api-key': TEST_KEY, 'anthropic-version': '2023-06-01', ...headers } });

  test('are listed and paged in the client’s own shape', async () => {
    const { engine } = await engineOver(openai.streamOf('x'));
    const first = (await (await models(engine, '/v1/models?limit=1')).json()) as { data: { id: string; type: string }[]; has_more: boolean; last_id: string };
    expect(first).toMatchObject({ data: [{ id: 'auto', type: 'model', display_name: 'auto' }], has_more: true, first_id: 'auto', last_id: 'auto' });
    expect(await (await models(engine, `/v1/models?after_id=${first.last_id}`)).json()).toMatchObject({ has_more: false });
    expect(await (await models(engine, '/v1/models/auto')).json()).toMatchObject({ id: 'auto', type: 'model' });
  });

  test('and so are the errors', async () => {
    const { engine } = await engineOver(openai.streamOf('x'));
    const answers = [await models(engine, '/v1/models/none'), await models(engine, '/v1/models', { 'x-api-key': 'junk' }), await models(engine, '/v1/models?limit=0')];
    expect(await Promise.all(answers.map(async (answer) => [answer.status, (await errorOf(answer)).type]))).toEqual([[404, 'not_found_error'], [401, 'authentication_error'], [400, 'invalid_request_error']]);
  });
});
