import { afterEach, describe, expect, test } from 'vitest';
import { type Answer, gemini, openai, scriptedUpstream, type Script, type ScriptedUpstream } from '../../e2e/harness';
import { TEST_KEY, testEngine, type TestEngine, type TestTier } from './test-engine';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** An engine whose route has one tier for each script: those that are marked speak generateContent. */
async function engineOver(...scripts: ({ openai: Script } | { gemini: Script })[]): Promise<{ engine: TestEngine; upstreams: ScriptedUpstream[] }> {
  const engine = await testEngine();
  opened.push(engine.close);
  const upstreams: ScriptedUpstream[] = [];
  const tiers: TestTier[] = [];
  for (const script of scripts) {
    const google = 'gemini' in script;
    const upstream = await scriptedUpstream(google ? script.gemini : script.openai);
    opened.push(upstream.close);
    upstreams.push(upstream);
    tiers.push({ url: upstream.origin, wire: google ? 'gemini' : 'openai' });
  }
  engine.route(tiers);
  return { engine, upstreams };
}

const ask = (engine: TestEngine, body: object = {}): Promise<Response> =>
  fetch(`${engine.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', stream: true, stream_options: { include_usage: true }, messages: [{ role: 'system', content: 'be brief' }, { role: 'user', content: 'hello' }], ...body }),
  });

interface Chunk {
  id: string;
  model: string;
  created: number;
  choices: { delta: Record<string, any>; finish_reason: string | null; native_finish_reason?: string }[];
  usage?: Record<string, unknown>;
  error?: Record<string, any>;
  ohm?: object;
}
const chunks = (stream: string): Chunk[] => stream.split('\n\n').filter((event) => event.startsWith('data: {')).map((event) => JSON.parse(event.slice(6)) as Chunk);
const textOf = (stream: string): string => chunks(stream).map(({ choices }) => choices?.[0]?.delta.content ?? '').join('');

describe('a tier that speaks generateContent', () => {
  test('its stream becomes chunks of one identity as it comes, and the ledger has the provider’s own figures', async () => {
    let go!: () => void;
    const { engine, upstreams } = await engineOver({ gemini: [gemini.sseHead(), gemini.preamble(), gemini.text('one'), { until: new Promise<void>((resolve) => (go = resolve)) }, gemini.text(' two'), gemini.finish('STOP', 2), 'end'] });
    const response = await ask(engine);
    const reader = response.body!.getReader();
    let stream = '';
    while (!stream.includes('one')) stream += Buffer.from((await reader.read()).value!).toString(); // the upstream is still writing
    go();
    for (let read = await reader.read(); !read.done; read = await reader.read()) stream += Buffer.from(read.value).toString();

    expect([response.headers.get('x-ohm-model'), response.headers.get('x-ohm-stream-failover')]).toEqual(['model-1', 'pre-first-byte']);
    expect(textOf(stream)).toBe('one two');
    expect(stream.endsWith('data: [DONE]\n\n')).toBe(true);
    const all = chunks(stream);
    expect(all[0]!.choices[0]!.delta).toEqual({ role: 'assistant', content: '' });
    expect(new Set(all.map(({ id, model, created }) => `${id} ${model} ${created}`)).size).toBe(1);
    expect(all.at(-2)!.choices[0]).toEqual({ index: 0, delta: {}, finish_reason: 'stop' });
    expect(all.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } });

    const { path, headers, body } = upstreams[0]!.contacts[0]!;
    expect([path, headers['x-goog-api-key'], headers.authorization]).toEqual(['/v1/models/model-1:streamGenerateContent?alt=sse', 'sk-test', undefined]);
    expect(JSON.parse(body)).toEqual({ systemInstruction: { parts: [{ text: 'be brief' }] }, contents: [{ role: 'user', parts: [{ text: 'hello' }] }] });
    expect((await engine.settled(1))[0]).toMatchObject({
      state: 'finished', finish_reason: 'stop', model: 'model-1', model_reported: 'gemini-scripted', usage_source: 'provider', flushed_bytes: Buffer.byteLength(stream),
      usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11, cached_tokens: 0, reasoning_tokens: 0 },
    });
  });

  test('its whole answer becomes a completion', async () => {
    const { engine, upstreams } = await engineOver({ gemini: gemini.jsonOf('hi') });
    const response = await ask(engine, { stream: false, stream_options: undefined });
    expect(await response.json()).toMatchObject({ object: 'chat.completion', model: 'model-1', choices: [{ message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } });
    expect(upstreams[0]!.contacts[0]!.path).toBe('/v1/models/model-1:generateContent');
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'finished', stream: false, model_reported: 'gemini-scripted' });
  });

  test('its calls come with ids and signatures that the next turn gives back', async () => {
    const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }];
    const { engine, upstreams } = await engineOver({ gemini: [[gemini.sseHead(), gemini.call('get_weather', { city: 'Oslo' }, { thoughtSignature: 'SIG' }), gemini.finish(), 'end'], gemini.streamOf('3 degrees')] });
    const stream = await (await ask(engine, { tools })).text();
    const call: Record<string, any> = {};
    for (const { choices } of chunks(stream)) for (const piece of choices[0]?.delta.tool_calls ?? []) Object.assign(call, piece, piece.function ? { function: { ...call.function, ...piece.function } } : {});
    expect(call).toMatchObject({ id: expect.stringMatching(/^call_/), type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' }, extra_content: { google: { thought_signature: 'SIG' } } });
    expect(chunks(stream).find(({ choices }) => choices[0]?.finish_reason)!.choices[0]).toMatchObject({ finish_reason: 'tool_calls', native_finish_reason: 'STOP' });

    await (await ask(engine, { tools, messages: [{ role: 'user', content: 'hello' }, { role: 'assistant', content: null, tool_calls: [call] }, { role: 'tool', tool_call_id: call.id, content: '{"t":3}' }] })).text();
    expect(JSON.parse(upstreams[0]!.contacts[1]!.body).contents.slice(1)).toEqual([
      { role: 'model', parts: [{ functionCall: { id: call.id, name: 'get_weather', args: { city: 'Oslo' } }, thoughtSignature: 'SIG' }] },
      { role: 'user', parts: [{ functionResponse: { id: call.id, name: 'get_weather', response: { t: 3 } } }] },
    ]);
  });

  test('signatures survive a client of the Messages API too', async () => {
    const { engine, upstreams } = await engineOver({ gemini: [[gemini.sseHead(), gemini.frame(gemini.candidate([{ text: 'Let me see.' }])), gemini.call('get_weather', { city: 'Oslo' }, { thoughtSignature: 'SIG' }), gemini.finish(), 'end'], gemini.streamOf('3 degrees')] });
    const send = (messages: object[]) =>
      fetch(`${engine.url}/v1/messages`, {
        method: 'POST',
        headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'auto', max_tokens: 50, stream: true, tools: [{ name: 'get_weather', input_schema: { type: 'object' } }], messages }),
      });
    const stream = await (await send([{ role: 'user', content: 'hello' }])).text();
    const content: Record<string, any>[] = [];
    for (const [, data] of stream.matchAll(/^data: (.*)$/gm)) {
      const event = JSON.parse(data!);
      if (event.type === 'content_block_start') content[event.index] = event.content_block;
      if (event.delta?.type === 'text_delta') content[event.index]!.text += event.delta.text;
      if (event.delta?.type === 'input_json_delta') content[event.index]!.json = (content[event.index]!.json ?? '') + event.delta.partial_json;
    }
    for (const block of content) {
      if (block.type === 'tool_use') block.input = JSON.parse(block.json);
      delete block.json;
    }
    const called = content.find(({ type }) => type === 'tool_use')!;
    await (await send([{ role: 'user', content: 'hello' }, { role: 'assistant', content }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: called.id, content: 'no network', is_error: true }] }])).text();
    expect(JSON.parse(upstreams[0]!.contacts[1]!.body).contents.slice(1)).toEqual([
      { role: 'model', parts: [{ text: 'Let me see.' }, { functionCall: { id: called.id, name: 'get_weather', args: { city: 'Oslo' } }, thoughtSignature: 'SIG' }] },
      { role: 'user', parts: [{ functionResponse: { id: called.id, name: 'get_weather', response: { error: 'no network' } } }] },
    ]);
  });

  test('STOP on every frame ends nothing before the body ends', async () => {
    const stop = (words: string) => gemini.frame(gemini.candidate([{ text: words }], { finishReason: 'STOP' }));
    const { engine } = await engineOver({ gemini: [gemini.sseHead(), stop('a'), { waitMs: 20 }, stop('b'), { waitMs: 20 }, stop('c'), 'end'] });
    const stream = await (await ask(engine)).text();
    expect([textOf(stream), chunks(stream).filter(({ choices }) => choices[0]?.finish_reason).length]).toEqual(['abc', 1]);
  });

  test('hints that it has no words for are named, also those that no header could hold', async () => {
    const { engine } = await engineOver({ gemini: gemini.streamOf('x') });
    const response = await ask(engine, { user: 'u', 'a\r\nb': 1, verbosity: 'low' });
    expect([response.status, response.headers.get('x-ohm-dropped-params')]).toEqual([200, 'user, a??b, verbosity']);
  });

  test('a blocked prompt is an answer, not a failure to be routed around', async () => {
    const { engine, upstreams } = await engineOver({ gemini: [gemini.sseHead(), gemini.frame({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 } }), 'end'] }, { openai: openai.streamOf('around') });
    const stream = await (await ask(engine)).text();
    expect(chunks(stream).find(({ choices }) => choices[0]?.finish_reason)!.choices[0]).toMatchObject({ finish_reason: 'content_filter', native_finish_reason: 'blockReason:PROHIBITED_CONTENT' });
    expect(upstreams[1]!.contacts).toHaveLength(0);
  });
});

describe('failover between wires', () => {
  test('a tier that dies before its content is replaced by one of the other wire, from the client’s own request', async () => {
    const overloaded: Script = [gemini.sseHead(), gemini.preamble(), gemini.bareError(503, 'UNAVAILABLE'), 'end'];
    for (const scripts of [
      [{ gemini: overloaded }, { openai: openai.streamOf('saved') }],
      [{ gemini: [gemini.sseHead(), gemini.finish('MALFORMED_FUNCTION_CALL'), 'end'] }, { openai: openai.streamOf('saved') }],
      [{ openai: [openai.sseHead(), openai.role(), 'reset'] }, { gemini: gemini.streamOf('saved') }],
      [{ openai: openai.error(429, 'slow', { type: 'requests' }) }, { gemini: gemini.streamOf('saved') }],
    ] as Parameters<typeof engineOver>[]) {
      const { engine, upstreams } = await engineOver(...scripts);
      const response = await ask(engine, { max_tokens: 7, logit_bias: {} });
      const stream = await response.text();
      expect([response.headers.get('x-ohm-tier'), textOf(stream), stream.match(/"role"/g)?.length, stream.endsWith('[DONE]\n\n')]).toEqual(['2', 'saved', 1, true]);
      const body = JSON.parse(upstreams[1]!.contacts[0]!.body) as Record<string, any>;
      expect(body.generationConfig?.maxOutputTokens ?? body.max_tokens).toBe(7);
      expect((await engine.settled(1))[0]!.attempts.at(-1)).toMatchObject({ tier: 2, state: 'finished' });
    }
  });

  test.each([
    ['a reset', [{ waitMs: 20 }, 'reset'], 'cut'],
    ['an end without a finishReason', ['end'], 'cut'],
    ['an error as an event', [gemini.frame(gemini.errorObject(429, 'RESOURCE_EXHAUSTED')), 'end'], 'rate_limited'],
    ['a bare error behind STOP', [gemini.finish(), gemini.bareError(503, 'UNAVAILABLE'), 'end'], 'overloaded'],
    ['a bare error behind STOP that is itself cut off', [gemini.finish(), { send: '{\n  "error": {\n    "code": 503,' }, 'end'], 'overloaded'],
    ['a failed end', [gemini.finish('OTHER'), 'end'], 'server_error'],
  ] as [string, Answer, string][])('after content %s makes it truncated, and no other tier is asked', async (_, ending, cls) => {
    const { engine, upstreams } = await engineOver({ gemini: [gemini.sseHead(), gemini.text('half'), ...ending] }, { openai: openai.streamOf('spliced') });
    const stream = await (await ask(engine)).text();
    expect(chunks(stream).at(-1)).toMatchObject({ error: { code: 'stream_truncated', metadata: { class: cls, state: 'committed' } } });
    expect([stream.includes('[DONE]'), stream.includes('"finish_reason":"stop"'), upstreams[1]!.contacts.length]).toEqual([false, false, 0]);
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'truncated', alert_class: `${cls}.after_content` });
  });

  test('a tier that cannot represent the request is skipped, and the skip is on the row', async () => {
    const { engine, upstreams } = await engineOver({ gemini: gemini.streamOf('never') }, { openai: openai.streamOf('served') });
    const response = await ask(engine, { logit_bias: { 50256: -100 } });
    expect([response.headers.get('x-ohm-tier'), response.headers.get('x-ohm-attempts'), textOf(await response.text())]).toEqual(['2', '1', 'served']);
    expect(upstreams[0]!.contacts).toHaveLength(0);
    expect((await engine.settled(1))[0]!.attempts).toMatchObject([{ tier: 1, state: 'skipped', skip_reason: 'cannot_represent' }, { tier: 2, state: 'finished' }]);
  });

  test('with no tier that can, the client is told the member, by its own name', async () => {
    const { engine, upstreams } = await engineOver({ gemini: gemini.streamOf('never') });
    const response = await ask(engine, { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] });
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([400, 'false']);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', code: 'unsupported_value', param: 'messages[0].content[0].file.file_id', metadata: { attempts: [{ state: 'skipped', skip_reason: 'cannot_represent' }] } } });
    expect(upstreams[0]!.contacts).toHaveLength(0);
  });
});

test('a fault of the caller’s is given back with Google’s sentence', async () => {
  const { engine, upstreams } = await engineOver({ gemini: gemini.error(400, 'INVALID_ARGUMENT', 'Invalid value at temperature') }, { openai: openai.streamOf('x') });
  const response = await ask(engine, { temperature: 3 });
  expect([response.status, await response.json()]).toMatchObject([400, { error: { message: 'Invalid value at temperature', type: 'invalid_request_error', code: 'INVALID_ARGUMENT' } }]);
  expect(upstreams[1]!.contacts).toHaveLength(0);
});
