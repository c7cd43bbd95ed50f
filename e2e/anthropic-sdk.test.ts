import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anthropic, type Door, managementClient, openai, type ManagementClient, type RunningOhm, scriptedUpstream, type ScriptedUpstream, startOhm } from './harness';

/** Anthropic's official SDK against every door, as a user's program would have it. */
describe.each<Door>(['node', 'next', 'next-start'])('through door %s', (door) => {
  let ohm: RunningOhm;
  let foreign: ScriptedUpstream;
  let second: ScriptedUpstream;
  let native: ScriptedUpstream;
  let api: ManagementClient;
  let key: string;

  beforeAll(async () => {
    [ohm, foreign, second, native] = await Promise.all([startOhm({ door }), scriptedUpstream(openai.streamOf('x')), scriptedUpstream(openai.streamOf('x')), scriptedUpstream(anthropic.streamOf('x'))]);
    api = managementClient(ohm.url, (await ohm.bootstrap()).managementKey);
    await api.connection('foreign', foreign.baseUrl);
    await api.connection('second', second.baseUrl);
    await api.connection('native', native.baseUrl, 'sk-ant-scripted', 'anthropic');
    key = await api.key(null);
  });
  afterAll(async () => {
    await Promise.all([ohm?.stop(), foreign?.close(), second?.close(), native?.close()]);
  });

  const client = (options: ConstructorParameters<typeof Anthropic>[0] = {}) => new Anthropic({ baseURL: ohm.url, apiKey: key, maxRetries: 0, ...options });

  let routes = 0;
  /** A route of its own model names, so that no earlier test's failures weigh on it. */
  async function route(...connections: ('foreign' | 'second' | 'native')[]): Promise<string> {
    const name = `messages-${++routes}`;
    await api.route(name, connections.map((connection) => `${connection}/${name}`));
    // Changes reach a running gateway by a notification: soon, not at once.
    await expect.poll(async () => (await client().models.list()).data.map(({ id }) => id), { timeout: 6_000 }).toContain(name);
    for (const upstream of [foreign, second, native]) upstream.forget();
    return name;
  }
  const ask = (model: string) => ({ model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'hi' }] });
  const tools = [{ name: 'weather', description: 'Weather', input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } } }];
  const called = (index: number, json: string, head: object = {}) => openai.frame(openai.chunk({ tool_calls: [{ index, ...head, function: { ...('id' in head ? { name: 'weather' } : {}), arguments: json } }] }));
  const thrown = (promise: Promise<unknown>) => promise.then(() => null, (reason: unknown) => reason as InstanceType<typeof Anthropic.APIError>);

  test('events of a stream, and who answered it', async () => {
    const model = await route('foreign');
    foreign.play(openai.streamOf('one ', 'two'));
    const { data: stream, response } = await client().messages.create({ ...ask(model), stream: true }).withResponse();
    const types: string[] = [];
    let text = '';
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
    }
    expect([text, types[0], types.at(-1)]).toEqual(['one two', 'message_start', 'message_stop']);
    expect([response.headers.get('x-ohm-tier'), response.headers.get('x-ohm-model'), response.headers.get('x-ohm-route')]).toEqual(['1', model, model]);
    expect(await api.call(response.headers.get('x-ohm-request-id')!)).toMatchObject({ state: 'finished', surface: 'messages' });
  });

  test('the stream helper puts parallel tool calls together, and their results go back', async () => {
    const model = await route('foreign');
    const usage = openai.usage(9, 7);
    foreign.play([
      [openai.sseHead(), openai.role(), openai.text('Looking.'), called(0, '{"city"', { id: 'call_A', type: 'function' }), called(1, '{"ci', { id: 'call_B', type: 'function' }), called(0, ':"Oslo"}'), called(1, 'ty":"Rome"}'), openai.finish('tool_calls'), usage, openai.DONE, 'end'],
      openai.streamOf('Rome is warmer.'),
    ]);
    const first = await client().messages.stream({ ...ask(model), tools }).finalMessage();
    expect(first).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'text', text: 'Looking.' }, { type: 'tool_use', id: 'call_A', name: 'weather', input: { city: 'Oslo' } }, { type: 'tool_use', id: 'call_B', input: { city: 'Rome' } }],
      usage: { input_tokens: 9, output_tokens: 7 },
    });
    const results = [{ type: 'tool_result' as const, tool_use_id: 'call_A', content: '3' }, { type: 'tool_result' as const, tool_use_id: 'call_B', content: [{ type: 'text' as const, text: '18' }] }];
    const last = await client().messages.stream({ ...ask(model), tools, messages: [...ask(model).messages, { role: 'assistant', content: first.content }, { role: 'user', content: results }] }).finalText();
    expect(last).toBe('Rome is warmer.');
    expect((JSON.parse(foreign.contacts[1]!.body) as { messages: object[] }).messages.slice(1)).toMatchObject([
      { role: 'assistant', content: 'Looking.', tool_calls: [{ id: 'call_A', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }, { id: 'call_B' }] },
      { role: 'tool', tool_call_id: 'call_A', content: '3' },
      { role: 'tool', tool_call_id: 'call_B', content: '18' },
    ]);
  });

  test('a whole message with a tool call', async () => {
    const model = await route('foreign');
    const call = { id: 'call_A', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } };
    foreign.play(openai.json(200, { ...openai.completion(''), choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }] }));
    expect(await client().messages.create({ ...ask(model), tools })).toMatchObject({ type: 'message', model, content: [{ type: 'tool_use', id: 'call_A', input: { city: 'Oslo' } }], stop_reason: 'tool_use', usage: { input_tokens: 9 } });
  });

  test('reasoning is thinking', async () => {
    const model = await route('foreign');
    foreign.play([openai.sseHead(), openai.frame(openai.chunk({ role: 'assistant', reasoning_content: 'hm' })), openai.text('4'), openai.finish(), openai.usage(), openai.DONE, 'end']);
    const message = await client().messages.stream({ ...ask(model), thinking: { type: 'enabled', budget_tokens: 4_000 }, max_tokens: 5_000 }).finalMessage();
    expect(message.content).toMatchObject([{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: '4' }]);
    expect(JSON.parse(foreign.contacts[0]!.body)).toMatchObject({ reasoning_effort: 'medium', max_completion_tokens: 5_000 });
  });

  test('a tier that dies before its first content is replaced by one of another wire', async () => {
    const model = await route('native', 'foreign');
    native.play([anthropic.sseHead(), anthropic.start(), anthropic.ping, anthropic.failing('overloaded_error', 'Overloaded')]);
    foreign.play(openai.streamOf('saved'));
    const { data: stream, response } = await client().messages.create({ ...ask(model), stream: true }).withResponse();
    const starts: string[] = [];
    for await (const event of stream) if (event.type === 'message_start') starts.push(event.message.model);
    expect([starts, response.headers.get('x-ohm-tier')]).toEqual([[model], '2']);
  });

  test('a tier that dies after its first content raises in the program, and no other is asked', async () => {
    const model = await route('foreign', 'second');
    foreign.play([openai.sseHead(), openai.role(), openai.text('half'), 'reset']);
    const stream = await client().messages.create({ ...ask(model), stream: true });
    let text = '';
    const error = await thrown((async () => {
      for await (const event of stream) if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
    })());
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect([text, error!.type, (error!.error as { error: { code: string } }).error.code, second.contacts.length]).toEqual(['half', 'api_error', 'stream_truncated', 0]);
  });

  test('the helper raises too', async () => {
    const model = await route('native');
    native.play([anthropic.sseHead(), anthropic.start(), anthropic.open(0), anthropic.text('half'), anthropic.failing('overloaded_error', 'Overloaded')]);
    const error = await thrown(client().messages.stream(ask(model)).finalMessage());
    expect([error instanceof Anthropic.APIError, error!.type]).toEqual([true, 'overloaded_error']);
  });

  test('when every tier failed the error is an honest one, and the program does not ask again', async () => {
    const limited = await route('foreign');
    foreign.play(openai.error(429, 'slow down', { type: 'rate_limit_error', headers: { 'retry-after': '20' } }));
    const rate = await thrown(client().messages.create(ask(limited)));
    expect([rate instanceof Anthropic.RateLimitError, rate!.type, rate!.headers?.get('retry-after')]).toEqual([true, 'rate_limit_error', '20']);

    const busy = await route('native');
    native.play(anthropic.error(529, 'overloaded_error', 'Overloaded'));
    const overload = await thrown(client({ maxRetries: 2 }).messages.create(ask(busy)));
    expect([overload!.status, overload!.type, native.contacts.length]).toEqual([529, 'overloaded_error', 2]);
  });

  test('a program that leaves aborts the upstream', async () => {
    const model = await route('foreign');
    foreign.play([openai.sseHead(), openai.text('half'), 'stall']);
    const { data: stream, response } = await client().messages.create({ ...ask(model), stream: true }).withResponse();
    for await (const event of stream) if (event.type === 'content_block_delta') break;
    await foreign.contacts[0]!.left;
    expect(await api.call(response.headers.get('x-ohm-request-id')!)).toMatchObject({ state: 'aborted' });
  });

  test('a coding agent’s request reaches Anthropic as it was written', async () => {
    const model = await route('native');
    native.play(anthropic.streamOf('done'));
    const agent = new Anthropic({ baseURL: ohm.url, apiKey: null, authToken: key, maxRetries: 0, defaultHeaders: { 'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14' } });
    const request = {
      ...ask(model),
      system: [{ type: 'text' as const, text: 'You are an agent.', cache_control: { type: 'ephemeral' as const } }],
      messages: [{ role: 'user' as const, content: 'hi' }, { role: 'system' as const, content: 'The date is known.' }],
      metadata: { user_id: `user_${'0'.repeat(64)}_session_1` },
    };
    expect(await agent.messages.stream(request).finalText()).toBe('done');
    const [{ headers, body }] = native.contacts as [ScriptedUpstream['contacts'][0]];
    expect(headers).toMatchObject({ 'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14', 'x-api-key': 'sk-ant-scripted' });
    expect(headers['anthropic-version']).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(JSON.parse(body)).toEqual({ ...request, stream: true });
  });

  test('and reaches another provider in its words, with what was lost named', async () => {
    const model = await route('foreign');
    foreign.play(openai.streamOf('done'));
    const agent = new Anthropic({ baseURL: ohm.url, apiKey: null, authToken: null, maxRetries: 0, defaultHeaders: { 'x-api-key': key } });
    const system = [{ type: 'text' as const, text: 'You are an agent.', cache_control: { type: 'ephemeral' as const } }];
    const { data: stream, response } = await agent.messages
      .create({ ...ask(model), stream: true, system, messages: [{ role: 'user', content: 'hi' }, { role: 'system', content: 'The date is known.' }, { role: 'user', content: 'go' }] })
      .withResponse();
    for await (const event of stream) void event;
    expect(response.headers.get('x-ohm-dropped-params')).toBe('cache_control');
    expect((JSON.parse(foreign.contacts[0]!.body) as { messages: { role: string }[] }).messages.map(({ role }) => role)).toEqual(['system', 'user', 'system', 'user']);
  });

  test('tokens are counted by who can', async () => {
    const model = await route('foreign', 'native');
    native.play(anthropic.json(200, { input_tokens: 14 }));
    const { messages } = ask(model);
    expect(await client().messages.countTokens({ model, messages })).toEqual({ input_tokens: 14 });
    const alone = await route('foreign');
    const error = await thrown(client().messages.countTokens({ model: alone, messages }));
    expect([error instanceof Anthropic.NotFoundError, error!.type]).toEqual([true, 'not_found_error']);
  });

  test('models are listed, page by page, and a wrong key is an authentication error', async () => {
    const model = await route('foreign');
    const names: string[] = [];
    for await (const each of client().models.list({ limit: 1 })) names.push(each.id);
    expect(names).toContain(model);
    expect(await client().models.retrieve(model)).toMatchObject({ type: 'model', id: model });
    expect(await thrown(client().models.retrieve('no-such-model'))).toBeInstanceOf(Anthropic.NotFoundError);
    expect(await thrown(client({ apiKey: 'ohm_sk_junk' }).messages.create(ask(model)))).toBeInstanceOf(Anthropic.AuthenticationError);
    const nameless = await thrown(client().messages.create(ask('no-such-model')));
    expect([nameless!.status, nameless!.type]).toEqual([404, 'not_found_error']);
  });
});
