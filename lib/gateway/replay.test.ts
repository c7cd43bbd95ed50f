import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { anthropic, openai, responses, type Script, type Step } from '../../e2e/harness';
import { TEST_KEY, type TestEngine } from './test-engine';
import { ask, closeAll, engineOver, outcomes } from './test-replay';

afterEach(closeAll);

const clientOf = (engine: TestEngine) => new OpenAI({ baseURL: `${engine.url}/v1`, apiKey: TEST_KEY, maxRetries: 0 });

/** What the official client makes of a stream: the message that its own helper puts together. */
async function collected(engine: TestEngine, rest: object = {}) {
  const stream = clientOf(engine).chat.completions.stream({ model: 'auto', messages: [{ role: 'user', content: 'hello' }], stream_options: { include_usage: true }, ...rest });
  let reasoning = '';
  stream.on('chunk', ({ choices }) => {
    for (const { delta } of choices) reasoning += (delta as { reasoning_content?: string; reasoning?: string }).reasoning_content ?? (delta as { reasoning?: string }).reasoning ?? '';
  });
  const { id, created, ...completion } = JSON.parse(JSON.stringify(await stream.finalChatCompletion())) as OpenAI.ChatCompletion;
  // The helper keeps the last piece of a member that it does not know.
  const message = completion.choices[0]!.message as unknown as Record<string, unknown>;
  for (const name of ['reasoning_content', 'reasoning']) if (name in message) message[name] = reasoning;
  return { id, created, completion };
}

const DETAILED = { prompt_tokens: 90, completion_tokens: 12, total_tokens: 102, prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 }, completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 } };
const usageFrame: Step = openai.frame({ ...openai.IDENTITY, object: 'chat.completion.chunk', choices: [], usage: DETAILED });
const call = (index: number, rest: object): Step => openai.frame(openai.chunk({ tool_calls: [{ index, ...rest }] }));

/** Reasoning, text over several pieces, two tool calls whose arguments come in pieces, detailed usage. */
const RICH: Script = [
  openai.sseHead(), openai.role(),
  openai.frame(openai.chunk({ reasoning_content: 'first ' })), openai.frame(openai.chunk({ reasoning_content: 'think' })),
  openai.text('é😀 one'), openai.text(' two'),
  call(0, { id: 'call_a', type: 'function', function: { name: 'look', arguments: '' } }), call(0, { function: { arguments: '{"a":' } }), call(0, { function: { arguments: '1}' } }),
  call(1, { id: 'call_b', type: 'function', function: { name: 'none', arguments: '{}' } }),
  openai.finish('tool_calls'), usageFrame, openai.DONE, 'end',
];

describe('a hit', () => {
  test('is the answer again, without asking anybody, and says so in headers and ledger', async () => {
    const { engine, upstream } = await engineOver(openai.streamOf('one', ' two'));
    const first = await ask(engine);
    const again = await ask(engine);
    expect([first.cache, again.cache, upstream.contacts.length]).toEqual(['MISS', 'HIT', 1]);
    expect(Object.fromEntries(['content-type', 'x-ohm-attempts', 'x-ohm-tier', 'x-ohm-provider', 'x-ohm-model', 'x-ohm-route', 'x-ohm-stream-failover', 'cache-control'].map((name) => [name, again.headers.get(name)]))).toEqual({
      'content-type': 'text/event-stream; charset=utf-8', 'x-ohm-attempts': '0', 'x-ohm-tier': '1', 'x-ohm-provider': 'custom', 'x-ohm-model': 'model-1', 'x-ohm-route': 'test', 'x-ohm-stream-failover': 'pre-first-byte', 'cache-control': 'no-cache, no-transform',
    });
    const [miss, hit] = await engine.settled(2);
    expect(miss).toMatchObject({ replay: 'MISS', state: 'finished' });
    expect(hit).toMatchObject({
      id: again.headers.get('x-ohm-request-id'), replay: 'HIT', state: 'finished', status: 200, tier: 1, provider: 'custom', model: 'model-1', model_reported: 'scripted', finish_reason: 'stop', attempts: [],
      usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 }, usage_source: 'provider', cost_nano_usd: 0, flushed_bytes: Buffer.byteLength(again.text), alert_class: null,
    });
    expect(engine.admitted).toHaveLength(1);
  });

  test('comes back without loss: reasoning, text, tool calls, finish reason and every figure of the usage, as the official client reads them', async () => {
    const { engine, upstream } = await engineOver(RICH);
    const [first, again] = [await collected(engine), await collected(engine)];
    expect(again.completion).toEqual(first.completion);
    expect(first.completion).toMatchObject({ model: 'scripted', usage: DETAILED, choices: [{ finish_reason: 'tool_calls', message: { content: 'é😀 one two', reasoning_content: 'first think', tool_calls: [{ id: 'call_a', function: { arguments: '{"a":1}' } }, { id: 'call_b' }] } }] });
    expect(again.id).not.toBe(first.id);
    expect(again.created).not.toBe(first.created);
    expect(upstream.contacts).toHaveLength(1);
  });

  test('of a stream is served as JSON and the other way round, and says the same', async () => {
    const whole = { ...openai.completion('answer'), choices: [{ index: 0, message: { role: 'assistant', content: null, refusal: 'no', reasoning: 'hm' }, logprobs: { content: [{ token: 'no', logprob: -0.1, bytes: null, top_logprobs: [] }], refusal: null }, finish_reason: 'length' }], usage: DETAILED };
    for (const script of [RICH, openai.json(200, whole)]) {
      const streamsFirst = script === RICH;
      const { engine } = await engineOver(script);
      const plain = () => clientOf(engine).chat.completions.create({ model: 'auto', messages: [{ role: 'user', content: 'hello' }] }).withResponse();
      const first = streamsFirst ? (await collected(engine)).completion : (await plain()).data;
      const again = streamsFirst ? await plain() : null;
      const said = (completion: unknown) => {
        const { choices, usage } = completion as OpenAI.ChatCompletion;
        const { content, refusal, tool_calls, ...rest } = choices[0]!.message as unknown as Record<string, unknown>;
        const { reasoning_content, reasoning } = rest;
        const calls = (tool_calls as OpenAI.ChatCompletionMessageFunctionToolCall[] | undefined)?.map(({ id, function: { name, arguments: text } }) => ({ id, name, text }));
        return { content, refusal: refusal ?? null, reasoning_content, reasoning, calls, finish: choices[0]!.finish_reason, logprobs: choices[0]!.logprobs ?? null, usage };
      };
      if (again !== null) {
        expect(again.response.headers.get('x-at-cache')).toBe('HIT');
        expect(said(again.data)).toEqual(said(first));
      } else {
        expect(said((await collected(engine)).completion)).toEqual(said(first));
      }
      expect((await engine.settled(2)).map(({ replay, stream }) => [replay, stream])).toEqual([['MISS', streamsFirst], ['HIT', !streamsFirst]]);
    }
  });

  test('of a citation tells the members that the provider told, and invents none', async () => {
    const annotations = [{ type: 'url_citation', url_citation: { url: 'https://a.example' } }, { type: 'url_citation', url_citation: { url: 'https://b.example', title: 'B', start_index: 0, end_index: 1 } }];
    const cited = openai.frame({ ...openai.IDENTITY, object: 'chat.completion.chunk', choices: [{ index: 0, delta: { annotations }, finish_reason: null }] });
    const { engine } = await engineOver([openai.sseHead(), openai.text('x'), cited, openai.finish(), openai.DONE, 'end']);
    await ask(engine);
    const again = await ask(engine);
    expect(again.cache).toBe('HIT');
    const told = again.text.split('\n').flatMap((line) => (line.startsWith('data: {') ? ((JSON.parse(line.slice(6)) as { choices: { delta?: { annotations?: object[] } }[] }).choices[0]?.delta?.annotations ?? []) : []));
    expect(told).toEqual(annotations);
    const whole = await clientOf(engine).chat.completions.create({ model: 'auto', messages: [{ role: 'user', content: 'hello' }] });
    expect(whole.choices[0]!.message.annotations).toEqual(annotations);
    expect((await engine.settled(3)).map(({ replay }) => replay)).toEqual(['MISS', 'HIT', 'HIT']);
  });

  test('of an old function_call says it that way again, streamed and whole, also to a client that asked in the new way', async () => {
    const called = { role: 'assistant', content: null, refusal: null, function_call: { name: 'look', arguments: '{"a":1}' } };
    const whole = { ...openai.completion(''), choices: [{ index: 0, message: called, logprobs: null, finish_reason: 'function_call' }] };
    const old = (made: object): Step => openai.frame(openai.chunk({ function_call: made }));
    const script: Script = [openai.sseHead(), openai.role(), old({ name: 'look', arguments: '' }), old({ arguments: '{"a":' }), old({ arguments: '1}' }), openai.finish('function_call'), openai.DONE, 'end'];
    for (const rest of [{}, { functions: [{ name: 'look' }] }]) {
      for (const [played, stream] of [[script, true], [openai.json(200, whole), false]] as const) {
        const { engine } = await engineOver(played);
        const said = async () => {
          const { cache, text } = await ask(engine, { body: { ...rest, stream } });
          const frames = stream ? text.split('\n\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as { choices: { delta?: Record<string, unknown>; finish_reason: string | null }[] }] : [])) : [];
          const joined = frames.reduce((made, { choices: [choice] }) => ({ name: made.name + String((choice?.delta?.function_call as { name?: string } | undefined)?.name ?? ''), arguments: made.arguments + String((choice?.delta?.function_call as { arguments?: string } | undefined)?.arguments ?? '') }), { name: '', arguments: '' });
          const told = stream ? { joined, finish: frames.flatMap(({ choices }) => choices.flatMap((choice) => choice.finish_reason ?? [])), other: text.includes('tool_calls') } : (JSON.parse(text) as { choices: unknown }).choices;
          return { cache, told };
        };
        const [first, again] = [await said(), await said()];
        expect([first.cache, again]).toEqual(['MISS', { cache: 'HIT', told: first.told }]);
        if (!stream) expect(first.told).toEqual(whole.choices);
      }
    }
  });

  test('is never of what could not come back equal: a call without an id or a name, a spelling or a last word of the provider\'s own', async () => {
    const called = (...calls: object[]) => openai.json(200, { ...openai.completion(''), choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: calls }, finish_reason: 'tool_calls' }] });
    const fine = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } };
    const ended = (word: string): Script => [openai.sseHead(), openai.role(), openai.text('one'), openai.finish(word), openai.DONE, 'end'];
    for (const [played, body, kept] of [
      [called(fine), {}, true],
      [called(fine, { type: 'function', function: { name: 'look', arguments: '{}' } }), {}, false],
      [called({ ...fine, id: '' }), {}, false],
      [called({ ...fine, function: { arguments: '{}' } }), {}, false],
      [called({ ...fine, function: { name: 'look', arguments: { a: 1 } } }), {}, false],
      [called(fine), { functions: [{ name: 'look' }] }, false],
      [ended('stop'), { stream: true }, true],
      [ended('eos'), { stream: true }, false],
      [ended('STOP'), { stream: true }, false],
    ] as const) {
      const { engine } = await engineOver(played as Script);
      const asked = { body: { stream: false, ...body } };
      expect([played, ...(await outcomes(engine, asked, asked))]).toEqual([played, 'MISS', kept ? 'HIT' : 'MISS']);
    }
    // In an API that is spoken in our own words, the provider's come back as they were told.
    const { engine } = await engineOver(ended('eos'));
    const asked = { path: '/v1/completions', body: JSON.stringify({ model: 'auto', prompt: 'hello', stream: true }) };
    expect(await outcomes(engine, asked, asked)).toEqual(['MISS', 'HIT']);
  });

  test('of several choices keeps them apart', async () => {
    const piece = (index: number, content: string) => openai.frame({ ...openai.IDENTITY, object: 'chat.completion.chunk', choices: [{ index, delta: { content }, finish_reason: null }] });
    const end = (index: number) => openai.frame({ ...openai.IDENTITY, object: 'chat.completion.chunk', choices: [{ index, delta: {}, finish_reason: 'stop' }] });
    const begin = (index: number) => openai.frame({ ...openai.IDENTITY, object: 'chat.completion.chunk', choices: [{ index, delta: { role: 'assistant', content: '' }, finish_reason: null }] });
    const { engine } = await engineOver([openai.sseHead(), begin(0), begin(1), piece(0, 'a'), piece(1, 'x'), piece(0, 'b'), piece(1, 'y'), end(1), end(0), openai.DONE, 'end']);
    const [first, again] = [await collected(engine, { n: 2 }), await collected(engine, { n: 2 })];
    expect(again.completion).toEqual(first.completion);
    expect(again.completion.choices).toMatchObject([{ message: { content: 'ab' } }, { message: { content: 'xy' } }]);
  });

  test('of a very long answer stays in lines that every client can read', async () => {
    const long = `${'é'.repeat(4_095)}😀${'"'.repeat(200_000)}`;
    const { engine } = await engineOver([openai.sseHead(), openai.text(long), openai.finish(), openai.DONE, 'end']);
    await ask(engine);
    const { text, cache } = await ask(engine);
    expect(cache).toBe('HIT');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(20_000);
    expect((await collected(engine)).completion.choices).toMatchObject([{ message: { content: long } }]);
  });

  test('whose usage nobody reported tells the same estimate, and calls it one', async () => {
    const { engine } = await engineOver([openai.sseHead(), openai.text('four and four'), openai.finish(), openai.DONE, 'end']);
    const [first, again] = [await ask(engine), await ask(engine)];
    const usageOf = (text: string) => /"usage":(\{"prompt.*?\})\}/.exec(text)?.[1];
    expect(usageOf(again.text)).toContain('"source":"estimate"');
    expect(usageOf(again.text)).toBe(usageOf(first.text));
    const rows = await engine.settled(2);
    expect(rows[1]).toMatchObject({ usage: rows[0]!.usage, usage_source: 'estimate', usage_estimated: rows[0]!.usage_estimated });
  });
});

describe('every API of a client', () => {
  test('Messages: a replay is a message for the official client, from a tier of either wire', async () => {
    for (const [wire, script] of [['openai', RICH], ['anthropic', anthropic.streamOf('one', ' two')]] as const) {
      const { engine, upstream } = await engineOver(script, { wire });
      const client = new Anthropic({ baseURL: engine.url, apiKey: TEST_KEY, maxRetries: 0 });
      const final = async () => {
        const { id, ...message } = JSON.parse(JSON.stringify(await client.messages.stream({ model: 'auto', max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] }).finalMessage())) as Record<string, unknown>;
        return { id, message };
      };
      const [first, again] = [await final(), await final()];
      expect(again.message).toMatchObject({ content: first.message.content, stop_reason: first.message.stop_reason, role: 'assistant' });
      expect(upstream.contacts).toHaveLength(1);
      expect((await engine.settled(2))[1]).toMatchObject({ replay: 'HIT', surface: 'messages' });
    }
  });

  test('Messages: a replay tells the usage that the provider told, no figure more and none less', async () => {
    const begun = { input_tokens: 9, output_tokens: 1, service_tier: 'standard' };
    const script = anthropic.streamOf('one').map((step) => (JSON.stringify(step).includes('message_start') ? anthropic.event({ type: 'message_start', message: { id: 'msg_upstream', type: 'message', role: 'assistant', model: 'claude-scripted', content: [], stop_reason: null, stop_sequence: null, usage: begun } }) : step)) as Script;
    const whole = anthropic.json(200, { ...anthropic.message('one'), usage: { input_tokens: 9, output_tokens: 3, cache_read_input_tokens: 4, service_tier: 'priority', server_tool_use: { web_search_requests: 2 } } });
    for (const played of [script, whole]) {
      const { engine } = await engineOver(played, { wire: 'anthropic' });
      const client = new Anthropic({ baseURL: engine.url, apiKey: TEST_KEY, maxRetries: 0 });
      const question = { model: 'auto', max_tokens: 10, messages: [{ role: 'user' as const, content: 'hello' }] };
      const told = async (streamed: boolean) => {
        const message = JSON.parse(JSON.stringify(streamed ? await client.messages.stream(question).finalMessage() : await client.messages.create(question))) as Record<string, unknown>;
        return [message.usage, message.stop_reason, message.ohm];
      };
      const first = await told(played === script);
      expect(first[0]).toHaveProperty('service_tier');
      expect([await told(played === script), (await told(played !== script))[0]]).toEqual([first, first[0]]);
      expect((await engine.settled(3)).map(({ replay }) => replay)).toEqual(['MISS', 'HIT', 'HIT']);
      expect((await ask(engine, { path: '/v1/messages', body: { ...question, stream: true } })).text).not.toContain('native_finish_reason');
    }
  });

  test('Messages: another version or beta of the API is another question', async () => {
    const { engine } = await engineOver(anthropic.streamOf('one'), { wire: 'anthropic' });
    const body = { max_tokens: 10 };
    const path = '/v1/messages';
    expect(await outcomes(engine, { path, body }, { path, body, headers: { 'anthropic-beta': 'x' } }, { path, body, headers: { 'anthropic-beta': 'x' } })).toEqual(['MISS', 'MISS', 'HIT']);
  });

  test('Responses: a replay is a response for the official client, from a tier of either wire', async () => {
    for (const [wire, script] of [['openai', RICH], ['openai-responses', responses.streamOf('one', ' two')]] as const) {
      const { engine, upstream } = await engineOver(script, { wire });
      const final = async () => await clientOf(engine).responses.stream({ model: 'auto', input: 'hello' }).finalResponse();
      const [first, again] = [await final(), await final()];
      expect(again.output_text).toBe(first.output_text);
      expect(again.output.map(({ type }) => type)).toEqual(first.output.map(({ type }) => type));
      expect([again.status, again.usage, again.id === first.id, upstream.contacts.length]).toEqual(['completed', first.usage, false, 1]);
      expect('ohm' in again).toBe('ohm' in first);
    }
  });

  test('completions and embeddings: the same text, the same vectors', async () => {
    const { engine } = await engineOver(openai.streamOf('one'));
    const path = '/v1/completions';
    const body = JSON.stringify({ model: 'auto', prompt: 'hello', stream: true });
    const [first, again] = [await ask(engine, { path, body }), await ask(engine, { path, body })];
    expect([again.cache, first.text.includes('"text":"one"'), again.text.includes('"text":"one"'), again.text.endsWith('data: [DONE]\n\n')]).toEqual(['HIT', true, true, true]);

    const vectors = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.25, -1] }], model: 'embed', usage: { prompt_tokens: 2, total_tokens: 2 } };
    const embedding = await engineOver(openai.json(200, vectors));
    const request = { path: '/v1/embeddings', body: JSON.stringify({ model: 'auto', input: 'hello' }) };
    const [one, two] = [await ask(embedding.engine, request), await ask(embedding.engine, request)];
    expect([one.cache, two.cache, JSON.parse(two.text)]).toEqual(['MISS', 'HIT', vectors]);
    expect((await embedding.engine.settled(2))[1]).toMatchObject({ usage: { prompt_tokens: 2 }, cost_nano_usd: 0 });
  });

  test('counting tokens is never replayed', async () => {
    const { engine } = await engineOver(anthropic.json(200, { input_tokens: 3 }), { wire: 'anthropic' });
    const request = { path: '/v1/messages/count_tokens' };
    expect(await outcomes(engine, request, request)).toEqual(['BYPASS', 'BYPASS']);
  });
});
