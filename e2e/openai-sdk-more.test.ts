import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Door, managementClient, type ManagementClient, openai, responses, type RunningOhm, scriptedUpstream, type ScriptedUpstream, startOhm } from './harness';

/** The official SDK's Responses, completions and embeddings against every door, over tiers of this API and of chat completions. */
describe.each<Door>(['node', 'next', 'next-start'])('through door %s', (door) => {
  let ohm: RunningOhm;
  let chat: ScriptedUpstream;
  let own: ScriptedUpstream;
  let api: ManagementClient;
  let key: string;

  beforeAll(async () => {
    [ohm, chat, own] = await Promise.all([startOhm({ door }), scriptedUpstream(openai.streamOf('chat')), scriptedUpstream(responses.streamOf('own'))]);
    api = managementClient(ohm.url, (await ohm.bootstrap()).managementKey);
    await api.connection('chat', chat.baseUrl);
    await api.connection('own', own.baseUrl, 'sk-scripted-upstream', 'openai-responses');
    key = await api.key(null);
  });
  afterAll(async () => {
    await Promise.all([ohm?.stop(), chat?.close(), own?.close()]);
  });

  let routes = 0;
  /** A route of its own model names, so that no earlier test's failures weigh on it. */
  async function route(...connections: string[]): Promise<string> {
    const name = `route-${++routes}`;
    await api.route(name, connections.map((connection) => `${connection}/${name}`));
    // Changes reach a running gateway by a notification: soon, not at once.
    await expect.poll(async () => (await client().models.list()).data.map(({ id }) => id), { timeout: 6_000 }).toContain(name);
    chat.forget();
    own.forget();
    return name;
  }
  const client = () => new OpenAI({ baseURL: `${ohm.url}/v1`, apiKey: key, maxRetries: 0 });
  const sent = (upstream: ScriptedUpstream) => JSON.parse(upstream.contacts[0]!.body) as Record<string, unknown>;

  test.each(['chat', 'own'])('a response arrives streamed with who answered, and by the helper: %s', async (kind) => {
    const model = await route(kind);
    chat.play(openai.streamOf('one ', 'two'));
    own.play(responses.streamOf('one ', 'two'));
    const { data: stream, response } = await client().responses.create({ model, input: 'hi', stream: true }).withResponse();
    let text = '';
    for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta;
    expect(text).toBe('one two');
    expect([response.headers.get('x-ohm-stream-failover'), response.headers.get('x-ohm-tier'), response.headers.get('x-ohm-model')]).toEqual(['pre-first-byte', '1', model]);
    const final = await client().responses.stream({ model, input: 'hi' }).finalResponse();
    expect(final.output).toMatchObject([{ type: 'message', content: [{ text: 'one two' }] }]);
    expect(await api.call(response.headers.get('x-ohm-request-id')!)).toMatchObject({ state: 'finished', surface: 'responses' });
  });

  test('a tier of this API that dies before its first content is replaced by one of another', async () => {
    const model = await route('own', 'chat');
    own.play([openai.sseHead(), ...responses.preamble(), 'reset']);
    chat.play(openai.streamOf('saved'));
    const { data: stream, response } = await client().responses.create({ model, input: 'hi', stream: true }).withResponse();
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed']);
    expect(types.filter((type) => type === 'response.created')).toHaveLength(1);
    expect(response.headers.get('x-ohm-tier')).toBe('2');
  });

  test.each(['chat', 'own'])('a response that is cut after its first content raises in the program: %s', async (kind) => {
    const model = await route(kind);
    chat.play([openai.sseHead(), openai.role(), openai.text('half'), 'reset']);
    own.play([openai.sseHead(), ...responses.preamble(), responses.text('half'), 'reset']);
    let text = '';
    await expect(async () => {
      for await (const event of await client().responses.create({ model, input: 'hi', stream: true })) if (event.type === 'response.output_text.delta') text += event.delta;
    }).rejects.toMatchObject({ code: 'stream_truncated' });
    expect(text).toBe('half');
  });

  test('structured output is parsed, and what it asked for reaches a chat', async () => {
    const model = await route('chat');
    chat.play(openai.jsonOf('{"city":"Oslo"}'));
    const answer = await client().responses.parse({ model, input: 'hi', text: { format: zodTextFormat(z.object({ city: z.string() }), 'place') } });
    expect(answer.output_parsed).toEqual({ city: 'Oslo' });
    expect(sent(chat).response_format).toMatchObject({ type: 'json_schema', json_schema: { name: 'place', strict: true } });
  });

  test('a program that leaves aborts the upstream', async () => {
    const model = await route('chat');
    chat.play([openai.sseHead(), openai.text('half'), 'stall']);
    const { data: stream, response } = await client().responses.create({ model, input: 'hi', stream: true }).withResponse();
    for await (const event of stream) if (event.type === 'response.output_text.delta') break;
    await chat.contacts[0]!.left;
    expect(await api.call(response.headers.get('x-ohm-request-id')!)).toMatchObject({ state: 'aborted' });
  });

  test('what needs kept answers is refused by name', async () => {
    const model = await route('chat');
    await expect(client().responses.create({ model, input: 'hi', previous_response_id: 'resp_1' })).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
    await expect(client().responses.create({ model, input: 'hi', background: true })).rejects.toMatchObject({ status: 400, param: 'background' });
    expect(chat.contacts).toHaveLength(0);
  });

  test('old completions are answered by a chat, streamed and whole', async () => {
    const model = await route('chat');
    chat.play([openai.streamOf('one ', 'two'), openai.jsonOf('hi')]);
    let text = '';
    for await (const chunk of await client().completions.create({ model, prompt: 'say', stream: true })) text += chunk.choices[0]!.text;
    expect(text).toBe('one two');
    expect((await client().completions.create({ model, prompt: 'say' })).choices[0]!.text).toBe('hi');
  });

  test('embeddings are the provider’s own, after a tier that has none', async () => {
    const model = await route('own', 'chat');
    chat.play(openai.json(200, { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5, -1] }], model: 'scripted', usage: { prompt_tokens: 4, total_tokens: 4 } }));
    const { data, response } = await client().embeddings.create({ model, input: 'hello', encoding_format: 'float' }).withResponse();
    expect([data.data[0]!.embedding, response.headers.get('x-ohm-tier')]).toEqual([[0.5, -1], '2']);
    expect(await api.call(response.headers.get('x-ohm-request-id')!)).toMatchObject({ surface: 'embeddings', usage: { prompt_tokens: 4, completion_tokens: 0, source: 'provider' } });
  });
});
