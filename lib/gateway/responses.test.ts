import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { anthropic, openai, responses, type Script, scriptedUpstream, type ScriptedUpstream } from '../../e2e/harness';
import { TEST_KEY, testEngine, type TestEngine, type TestTier } from './test-engine';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** An engine whose route has one tier for each script: those of wire openai unless they say another. */
async function engineOver(...scripts: (Script | { own: Script } | { anthropic: Script })[]): Promise<{ engine: TestEngine; upstreams: ScriptedUpstream[]; client: OpenAI }> {
  const engine = await testEngine();
  opened.push(engine.close);
  const upstreams: ScriptedUpstream[] = [];
  const tiers: TestTier[] = [];
  for (const each of scripts) {
    const [wire, script] = typeof each === 'object' && 'own' in each ? (['openai-responses', each.own] as const) : typeof each === 'object' && 'anthropic' in each ? (['anthropic', each.anthropic] as const) : (['openai', each] as const);
    const upstream = await scriptedUpstream(script);
    opened.push(upstream.close);
    upstreams.push(upstream);
    tiers.push({ url: upstream.origin, wire });
  }
  engine.route(tiers);
  return { engine, upstreams, client: new OpenAI({ baseURL: `${engine.url}/v1`, apiKey: TEST_KEY, maxRetries: 0 }) };
}

const ask = (engine: TestEngine, body: object = {}, path = '/v1/responses') =>
  fetch(engine.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', stream: true, input: 'hello', ...body }),
  });
const names = (stream: string) => [...stream.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
const dataOf = (stream: string, name: string) => JSON.parse(new RegExp(`^event: ${name}\\ndata: (.*)$`, 'm').exec(stream)![1]!) as Record<string, any>;
const sent = (upstream: ScriptedUpstream) => JSON.parse(upstream.contacts[0]!.body) as Record<string, unknown>;
const LADDER = ['response.created', 'response.in_progress', 'response.output_item.added', 'response.content_part.added', 'response.output_text.delta', 'response.output_text.delta', 'response.output_text.done', 'response.content_part.done', 'response.output_item.done', 'response.completed'];

describe('a tier of another wire', () => {
  test('its stream becomes response events, and the ledger has the provider’s own figures', async () => {
    const { engine, upstreams } = await engineOver(openai.streamOf('one', ' two'));
    const response = await ask(engine, { instructions: 'be brief' });
    const stream = await response.text();
    expect(names(stream)).toEqual(LADDER);
    expect(stream).not.toContain('[DONE]');
    expect(dataOf(stream, 'response.completed').response).toMatchObject({ status: 'completed', model: 'model-1', instructions: 'be brief', store: false, usage: { input_tokens: 9, output_tokens: 2, total_tokens: 11 } });
    const [row] = await engine.settled(1);
    expect(row).toMatchObject({ surface: 'responses', state: 'finished', stream: true, finish_reason: 'stop', usage: { prompt_tokens: 9, completion_tokens: 2 }, usage_source: 'provider', flushed_bytes: Buffer.byteLength(stream) });
    expect(upstreams[0]!.contacts[0]!.path).toBe('/v1/chat/completions');
    expect(sent(upstreams[0]!)).toEqual({ model: 'model-1', messages: [{ role: 'system', content: 'be brief' }, { role: 'user', content: 'hello' }], stream: true, stream_options: { include_usage: true } });
  });

  test('its whole answer becomes a response', async () => {
    const { engine } = await engineOver(openai.jsonOf('hi'));
    const body = (await (await ask(engine, { stream: false })).json()) as Record<string, unknown>;
    expect(body).toMatchObject({ object: 'response', status: 'completed', output: [{ type: 'message', content: [{ text: 'hi' }] }], usage: { total_tokens: 12 } });
    expect((await engine.settled(1))[0]).toMatchObject({ surface: 'responses', stream: false, usage_source: 'provider' });
  });

  test('cut after content it ends in response.failed, and no other tier is asked', async () => {
    const { engine, upstreams } = await engineOver([openai.sseHead(), openai.role(), openai.text('half'), 'reset'], openai.streamOf('another answer'));
    const stream = await (await ask(engine)).text();
    expect(names(stream).at(-1)).toBe('response.failed');
    expect(names(stream)).not.toContain('response.completed');
    const failed = dataOf(stream, 'response.failed');
    expect(failed).toMatchObject({ response: { status: 'failed', error: { code: 'stream_truncated', metadata: { state: 'committed', class: 'cut' } } }, error: { code: 'stream_truncated' } });
    expect([stream.includes('another answer'), upstreams[1]!.contacts.length]).toEqual([false, 0]);
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'truncated', flushed_bytes: Buffer.byteLength(stream) });
  });

  test('what its wire cannot say is a 400 that names the member as the client wrote it', async () => {
    const { engine, upstreams } = await engineOver({ anthropic: anthropic.streamOf('x') }, openai.streamOf('x'));
    const response = await ask(engine, { previous_response_id: 'resp_1' });
    expect([response.status, ((await response.json()) as { error: object }).error]).toMatchObject([400, { param: 'previous_response_id', code: 'unsupported_parameter' }]);
    expect(upstreams.map(({ contacts }) => contacts.length)).toEqual([0, 0]);
    const { status, error } = await ask(engine, { background: true }).then(async (refused) => ({ status: refused.status, ...((await refused.json()) as { error: object }) }));
    expect([status, error]).toMatchObject([400, { param: 'background' }]);
  });

  test('hints that it drops are disclosed', async () => {
    const { engine } = await engineOver(openai.streamOf('x'));
    const response = await ask(engine, { truncation: 'auto', vendor: 1 });
    expect(response.headers.get('x-ohm-dropped-params')).toBe('truncation, vendor');
    await response.text();
  });

  test('of Anthropic answers the same client, and its thinking comes back to it', async () => {
    const { engine, upstreams } = await engineOver({ anthropic: anthropic.streamOf('hi') });
    const stream = await (await ask(engine, { input: [{ role: 'user', content: 'q' }, { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'ohm-v1:signature:anthropic-claude-v1:sig==' }, { role: 'assistant', content: 'a' }, { role: 'user', content: 'more' }] })).text();
    expect(dataOf(stream, 'response.completed').response.output).toMatchObject([{ content: [{ text: 'hi' }] }]);
    expect(JSON.stringify(sent(upstreams[0]!).messages)).toContain('{"type":"thinking","thinking":"hm","signature":"sig=="}');
  });
});

describe('a tier of the same wire', () => {
  test('gets the client’s own bytes and gives its own', async () => {
    const { engine, upstreams } = await engineOver({ own: responses.streamOf('one', ' two') });
    const stream = await (await ask(engine, { previous_response_id: 'resp_1', vendor: 1 })).text();
    expect(upstreams[0]!.contacts[0]!.path).toBe('/v1/responses');
    expect(sent(upstreams[0]!)).toEqual({ model: 'model-1', stream: true, input: 'hello', previous_response_id: 'resp_1', vendor: 1 });
    const script = responses.streamOf('one', ' two').flatMap((step) => (typeof step === 'object' && 'send' in step ? [step.send] : []));
    expect(stream).toBe(script.join(''));
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'finished', finish_reason: 'stop', model_reported: 'scripted', usage: { prompt_tokens: 9, completion_tokens: 3 }, usage_source: 'provider' });
  });

  test('that ends without its last event is cut: response.failed under its own id', async () => {
    const { engine } = await engineOver({ own: [openai.sseHead(), ...responses.preamble(), responses.text('half', 4), 'end'] });
    const stream = await (await ask(engine)).text();
    expect(dataOf(stream, 'response.failed')).toMatchObject({ sequence_number: 5, response: { id: 'resp_upstream', model: 'scripted', status: 'failed' }, error: { code: 'stream_truncated' } });
  });

  test('that fails before content is replaced by one that has to be translated', async () => {
    const failing = [openai.sseHead(), ...responses.preamble(), responses.event('error', 4, { error: { type: 'server_error', code: 'server_error', message: 'x' } })];
    const { engine, upstreams } = await engineOver({ own: failing }, openai.streamOf('saved'));
    const stream = await (await ask(engine)).text();
    expect(names(stream)).toEqual(LADDER.filter((_, at) => at !== 4));
    expect(stream).toContain('saved');
    expect(upstreams.map(({ contacts }) => contacts.length)).toEqual([1, 1]);
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'finished', tier: 2, attempts: [{ state: 'failed', class: 'server_error' }, { state: 'finished' }] });
  });

  test('an error after the last event truncates', async () => {
    const whole = responses.streamOf('x').slice(0, -1);
    const { engine } = await engineOver({ own: [...whole, responses.event('error', 9, { message: 'late' }), 'end'] });
    const stream = await (await ask(engine)).text();
    expect([names(stream).at(-1), names(stream).includes('response.completed')]).toEqual(['response.failed', false]);
  });

  test('a whole answer keeps its bytes', async () => {
    const { engine } = await engineOver({ own: responses.jsonOf('hi') });
    expect(await (await ask(engine, { stream: false })).json()).toMatchObject({ id: 'resp_upstream', output: [{ content: [{ text: 'hi' }] }] });
  });

  test('of a client that speaks chat completions is translated both ways', async () => {
    const { engine, upstreams } = await engineOver({ own: responses.streamOf('one', ' two') });
    const stream = await (await ask(engine, { input: undefined, messages: [{ role: 'user', content: 'hello' }], max_tokens: 5 }, '/v1/chat/completions')).text();
    expect([...stream.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text).join('')).toBe('one two');
    expect(stream).toContain('"finish_reason":"stop","native_finish_reason":"completed"');
    expect(stream.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(sent(upstreams[0]!)).toEqual({ model: 'model-1', input: [{ type: 'message', role: 'user', content: 'hello' }], max_output_tokens: 5, stream: true, store: false });
  });
});

describe('the official client', () => {
  /** The helper's final response has no `output_text` of its own. */
  const said = (response: OpenAI.Responses.Response) => response.output.flatMap((item) => (item.type === 'message' ? item.content : [])).map((part) => (part.type === 'output_text' ? part.text : '')).join('');
  const streamed = { model: 'auto', input: 'hi', stream: true } as const;

  test.each(['translated', 'own'])('reads a stream, a helper’s stream and a whole answer: %s', async (kind) => {
    const [stream, whole] = kind === 'own' ? [{ own: responses.streamOf('one', ' two') }, { own: responses.jsonOf('hi') }] : [openai.streamOf('one', ' two'), openai.jsonOf('hi')];
    const { client } = await engineOver(stream);
    let text = '';
    for await (const event of await client.responses.create(streamed)) if (event.type === 'response.output_text.delta') text += event.delta;
    expect(text).toBe('one two');
    const helper = client.responses.stream({ model: 'auto', input: 'hi' });
    const snapshots: string[] = [];
    helper.on('response.output_text.delta', ({ snapshot }) => snapshots.push(snapshot));
    expect(said(await helper.finalResponse())).toBe('one two');
    expect(snapshots).toEqual(['one', 'one two']);
    const { client: other } = await engineOver(whole);
    const answer = await other.responses.create({ model: 'auto', input: 'hi' });
    expect([answer.output_text, answer.usage?.total_tokens]).toEqual(['hi', 12]);
  });

  test('calls tools, and its next turn reaches the tier as a chat', async () => {
    const called = [openai.sseHead(), openai.role(), openai.frame(openai.chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '' } }] })), openai.frame(openai.chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] })), openai.frame(openai.chunk({ tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }, { index: 1, id: 'c2', type: 'function', function: { name: 'time', arguments: '{}' } }] })), openai.finish('tool_calls'), openai.usage(), openai.DONE];
    const { client, upstreams } = await engineOver([called, openai.streamOf('cold')]);
    const tools = [{ type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: false }];
    const first = await client.responses.stream({ model: 'auto', input: 'hi', tools }).finalResponse();
    const calls = first.output.filter((item) => item.type === 'function_call');
    expect(calls).toMatchObject([{ call_id: 'c1', name: 'weather', arguments: '{"city":"Oslo"}' }, { call_id: 'c2', name: 'time', arguments: '{}' }]);
    const second = await client.responses.stream({ model: 'auto', tools, input: [{ role: 'user', content: 'hi' }, ...first.output, ...calls.map(({ call_id }) => ({ type: 'function_call_output' as const, call_id, output: '-3' }))] }).finalResponse();
    expect(said(second)).toBe('cold');
    expect(JSON.parse(upstreams[0]!.contacts[1]!.body)).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant', content: null, tool_calls: [{ id: 'c1' }, { id: 'c2' }] }, { role: 'tool', tool_call_id: 'c1', content: '-3' }, { role: 'tool', tool_call_id: 'c2' }],
      tools: [{ type: 'function', function: { name: 'weather', strict: false } }],
    });
  });

  test('parses structured output', async () => {
    const { client, upstreams } = await engineOver(openai.jsonOf('{"city":"Oslo"}'));
    const format = { type: 'json_schema' as const, name: 'place', strict: true, schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false } };
    const answer = await client.responses.create({ model: 'auto', input: 'hi', text: { format } });
    expect(JSON.parse(answer.output_text)).toEqual({ city: 'Oslo' });
    expect(sent(upstreams[0]!).response_format).toEqual({ type: 'json_schema', json_schema: { name: 'place', strict: true, schema: format.schema } });
  });

  test.each(['translated', 'own'])('raises when a stream is cut after content, with and without the helper: %s', async (kind) => {
    const cut: Script = kind === 'own' ? [openai.sseHead(), ...responses.preamble(), responses.text('half'), { waitMs: 20 }, 'reset'] : [openai.sseHead(), openai.role(), openai.text('half'), { waitMs: 20 }, 'reset'];
    const { client } = await engineOver(kind === 'own' ? { own: cut } : cut);
    let text = '';
    await expect(async () => {
      for await (const event of await client.responses.create(streamed)) if (event.type === 'response.output_text.delta') text += event.delta;
    }).rejects.toMatchObject({ code: 'stream_truncated' });
    expect(text).toBe('half');
    await expect(client.responses.stream({ model: 'auto', input: 'hi' }).finalResponse()).rejects.toMatchObject({ code: 'stream_truncated' });
  });

  test('that leaves aborts the upstream', async () => {
    const { client, engine, upstreams } = await engineOver([openai.sseHead(), openai.text('half'), 'stall']);
    for await (const event of await client.responses.create(streamed)) if (event.type === 'response.output_text.delta') break;
    await upstreams[0]!.contacts[0]!.left;
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'aborted' });
  });

  test('is told of a refused call in its own kind of error', async () => {
    const { client } = await engineOver(openai.error(429, 'slow', { type: 'rate_limit_error', code: 'rate_limit_exceeded', headers: { 'retry-after': '30' } }));
    await expect(client.responses.create(streamed)).rejects.toBeInstanceOf(OpenAI.RateLimitError);
  });

  test('of the old completions is answered by a chat', async () => {
    const { client, engine, upstreams } = await engineOver([openai.streamOf('one', ' two'), openai.jsonOf('hi')]);
    let text = '';
    for await (const chunk of await client.completions.create({ model: 'auto', prompt: 'say', max_tokens: 5, stream: true })) text += chunk.choices[0]!.text;
    expect(text).toBe('one two');
    expect(sent(upstreams[0]!)).toEqual({ model: 'model-1', messages: [{ role: 'user', content: 'say' }], max_completion_tokens: 5, stream: true, stream_options: { include_usage: true } });
    const whole = await client.completions.create({ model: 'auto', prompt: ['say'] });
    expect([whole.object, whole.choices[0]!.text, whole.choices[0]!.finish_reason, whole.usage?.total_tokens]).toEqual(['text_completion', 'hi', 'stop', 12]);
    await expect(client.completions.create({ model: 'auto', prompt: 'say', echo: true })).rejects.toMatchObject({ status: 400, param: 'echo' });
    expect((await engine.settled(2))[0]).toMatchObject({ surface: 'completions', usage_source: 'provider' });
  });

  test('of the old completions raises when its stream is cut', async () => {
    const { client } = await engineOver([openai.sseHead(), openai.text('half'), { waitMs: 20 }, 'reset']);
    await expect(async () => {
      for await (const _ of await client.completions.create({ model: 'auto', prompt: 'say', stream: true }));
    }).rejects.toMatchObject({ code: 'stream_truncated' });
  });
});

describe('embeddings', () => {
  const vectors = (...values: number[]) => openai.json(200, { object: 'list', data: [{ object: 'embedding', index: 0, embedding: values }], model: 'scripted', usage: { prompt_tokens: 4, total_tokens: 4 } });

  test('keep their bytes, fail over, and their figures are the provider’s', async () => {
    const { client, engine, upstreams } = await engineOver([openai.error(401)], vectors(0.5, -1));
    const answer = await client.embeddings.create({ model: 'auto', input: ['hello'], encoding_format: 'float' });
    expect([answer.data[0]!.embedding, answer.usage.total_tokens]).toEqual([[0.5, -1], 4]);
    expect(upstreams.map(({ contacts }) => contacts[0]!.path)).toEqual(['/v1/embeddings', '/v1/embeddings']);
    expect(sent(upstreams[1]!)).toEqual({ model: 'model-2', input: ['hello'], encoding_format: 'float' });
    expect((await engine.settled(1))[0]).toMatchObject({ surface: 'embeddings', state: 'finished', tier: 2, stream: false, usage: { prompt_tokens: 4, completion_tokens: 0, total_tokens: 4 }, usage_source: 'provider' });
  });

  test('of a broken answer are asked for at the next tier', async () => {
    const { client } = await engineOver(openai.json(200, { object: 'list', data: [] }), vectors(1));
    expect((await client.embeddings.create({ model: 'auto', input: 'hello', encoding_format: 'float' })).data[0]!.embedding).toEqual([1]);
  });

  test.each([
    ['one text', 'a', 1],
    ['texts', ['a', 'b'], 2],
    ['one list of tokens', [1, 2, 3], 1],
    ['lists of tokens', [[1, 2], [3]], 2],
  ])('of %s are as many as the inputs, or the next tier is asked', async (_, input, count) => {
    const list = (length: number) => openai.json(200, { object: 'list', data: Array.from({ length }, (_, index) => ({ object: 'embedding', index, embedding: [length] })), model: 'scripted' });
    const { engine } = await engineOver(list(count + 1), list(count));
    const answer = await ask(engine, { stream: false, input }, '/v1/embeddings');
    expect([answer.headers.get('x-ohm-tier'), ((await answer.json()) as { data: object[] }).data.length]).toEqual(['2', count]);
    expect((await engine.settled(1))[0]!.attempts.map((attempt) => [attempt.state, attempt.class])).toEqual([['failed', 'malformed'], ['finished', null]]);
  });

  test('of inputs that only their vendor can count are passed on', async () => {
    const { engine } = await engineOver(vectors(1));
    expect((await ask(engine, { stream: false, input: [{ image: 'x' }, { text: 'y' }] }, '/v1/embeddings')).status).toBe(200);
  });

  test('need a tier that has them, and are not streamed', async () => {
    const { engine, upstreams } = await engineOver({ own: responses.streamOf('x') });
    const none = await ask(engine, { stream: false }, '/v1/embeddings');
    expect([none.status, ((await none.json()) as { error: object }).error]).toMatchObject([404, { code: 'unsupported_operation' }]);
    expect((await ask(engine, { stream: true }, '/v1/embeddings')).status).toBe(400);
    expect(upstreams[0]!.contacts.length).toBe(0);
  });

  test('pass over the sandbox, which has none, and say so where it is alone', async () => {
    const { client, engine, upstreams } = await engineOver(vectors(0), vectors(1));
    const [sandbox, other] = upstreams.map(({ origin }, at) => ({ url: origin, provider: at === 0 ? 'sandbox' : 'custom' }));
    engine.route([sandbox!, other!]);
    expect((await client.embeddings.create({ model: 'auto', input: 'hello', encoding_format: 'float' })).data[0]!.embedding).toEqual([1]);
    expect((await engine.settled(1))[0]!.attempts.map(({ state, skip_reason }) => [state, skip_reason])).toEqual([['skipped', 'cannot_represent'], ['finished', null]]);
    engine.route([sandbox!]);
    const none = await ask(engine, { stream: false }, '/v1/embeddings');
    expect([none.status, ((await none.json()) as { error: object }).error]).toMatchObject([404, { code: 'unsupported_operation', message: expect.stringContaining('has nothing like /v1/embeddings') as string }]);
    expect(upstreams[0]!.contacts).toEqual([]);
  });
});

test('what no tier can represent is said by name, also while one of them is passed over as degraded', async () => {
  const { engine, upstreams } = await engineOver(openai.error(500), openai.streamOf('hi'));
  await (await ask(engine)).text(); // degrades the first
  const answer = await ask(engine, { previous_response_id: 'resp_x' });
  expect([answer.status, ((await answer.json()) as { error: object }).error]).toMatchObject([400, { param: 'previous_response_id' }]);
  expect((await engine.settled(2))[1]!.attempts.map(({ tier, skip_reason }) => [tier, skip_reason])).toEqual([[1, 'cannot_represent'], [2, 'cannot_represent']]);
  expect(upstreams[1]!.contacts).toHaveLength(1);
});

test.each(['/v1/responses', '/v1/chat/completions', '/v1/messages/count_tokens'])('%s refuses a body that is not UTF-8 instead of changing it', async (path) => {
  const { engine, upstreams } = await engineOver(openai.streamOf('hi'));
  const body = Buffer.concat([Buffer.from('{"model":"auto","max_tokens":5,"input":"x","messages":[{"role":"user","content":"caf'), Buffer.from([0xe9]), Buffer.from('"}]}')]);
  const answer = await fetch(engine.url + path, { method: 'POST', headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' }, body });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('not valid UTF-8');
  expect(upstreams[0]!.contacts).toHaveLength(0);
});
