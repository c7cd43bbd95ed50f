import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Door, managementClient, openai, type ManagementClient, type RunningOhm, scriptedUpstream, type ScriptedUpstream, startOhm } from './harness';

/** The official SDK against every door, as a user's program would have it. */
describe.each<Door>(['node', 'next', 'next-start'])('through door %s', (door) => {
  let ohm: RunningOhm;
  let first: ScriptedUpstream;
  let second: ScriptedUpstream;
  let api: ManagementClient;
  let key: string;

  beforeAll(async () => {
    [ohm, first, second] = await Promise.all([startOhm({ door }), scriptedUpstream(openai.streamOf('first')), scriptedUpstream(openai.streamOf('second'))]);
    api = managementClient(ohm.url, (await ohm.bootstrap()).managementKey);
    await api.connection('first', first.baseUrl);
    await api.connection('second', second.baseUrl);
    key = await api.key(null);
  });
  afterAll(async () => {
    await Promise.all([ohm?.stop(), first?.close(), second?.close()]);
  });

  let routes = 0;
  /** A route of its own model names, so that no earlier test's failures weigh on it. */
  async function route(): Promise<string> {
    const name = `route-${++routes}`;
    await api.route(name, [`first/${name}`, `second/${name}`]);
    // Changes reach a running gateway by a notification: soon, not at once.
    await expect.poll(async () => (await client().models.list()).data.map(({ id }) => id), { timeout: 6_000 }).toContain(name);
    first.forget();
    second.forget();
    return name;
  }
  const client = () => new OpenAI({ baseURL: `${ohm.url}/v1`, apiKey: key, maxRetries: 0 });
  const ask = (model: string) => ({ model, messages: [{ role: 'user' as const, content: 'hi' }] });

  test('a stream arrives with who answered', async () => {
    const model = await route();
    first.play(openai.streamOf('one ', 'two'));
    const { data: stream, response } = await client().chat.completions.create({ ...ask(model), stream: true }).withResponse();
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('one two');
    expect(response.headers.get('x-ohm-stream-failover')).toBe('pre-first-byte');
    expect([response.headers.get('x-ohm-tier'), response.headers.get('x-ohm-model'), response.headers.get('x-ohm-route')]).toEqual(['1', model, model]);
    expect([first.contacts.length, second.contacts.length]).toEqual([1, 0]);
  });

  test('a tier that dies before its first content is replaced, and nothing of it reaches the program', async () => {
    const model = await route();
    first.play([openai.sseHead(), openai.role(), 'reset']);
    second.play(openai.streamOf('saved'));
    const { data: stream, response } = await client().chat.completions.create({ ...ask(model), stream: true }).withResponse();
    const contents: string[] = [];
    for await (const chunk of stream) contents.push(chunk.choices[0]?.delta.content ?? '');
    expect(contents.join('')).toBe('saved');
    expect(response.headers.get('x-ohm-tier')).toBe('2');
    expect(await api.call(response.headers.get('x-ohm-request-id')!)).toMatchObject({ state: 'finished', tier: 2 });
  });

  test('a tier that dies after its first content raises in the program, and no other is asked', async () => {
    const model = await route();
    first.play([openai.sseHead(), openai.role(), openai.text('half'), 'reset']);
    second.play(openai.streamOf('spliced'));
    const stream = await client().chat.completions.create({ ...ask(model), stream: true });
    let text = '';
    await expect(async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    }).rejects.toMatchObject({ code: 'stream_truncated' });
    expect([text, second.contacts.length]).toEqual(['half', 0]);
  });

  test('a whole answer fails over too', async () => {
    const model = await route();
    first.play(openai.error(503));
    second.play(openai.jsonOf('saved'));
    const answer = await client().chat.completions.create(ask(model));
    expect([answer.choices[0]?.message.content, answer.usage?.total_tokens]).toEqual(['saved', 12]);
  });

  test('when every tier failed the error is an honest one', async () => {
    const model = await route();
    first.play(openai.error(429, 'slow down', { type: 'rate_limit_error', code: 'rate_limit_exceeded', headers: { 'retry-after': '30' } }));
    second.play(openai.error(429, 'slow down', { type: 'rate_limit_error', code: 'rate_limit_exceeded', headers: { 'retry-after': '20' } }));
    const error = await client().chat.completions.create({ ...ask(model), stream: true }).then(() => null, (reason: InstanceType<typeof OpenAI.APIError>) => reason);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error?.headers?.get('retry-after')).toBe('20');
  });

  test('a program that leaves aborts the upstream', async () => {
    const model = await route();
    first.play([openai.sseHead(), openai.text('half'), 'stall']);
    const { data: stream, response } = await client().chat.completions.create({ ...ask(model), stream: true }).withResponse();
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    await first.contacts[0]!.left;
    expect(await api.call(response.headers.get('x-ohm-request-id')!)).toMatchObject({ state: 'aborted' });
  });

  test('an equal request is served the stored answer, which the program reads like the first, until it is forgotten', async () => {
    const model = await route();
    first.play([openai.sseHead(), openai.role(), openai.text('one '), openai.text('two'), openai.finish(), openai.usage(69, 2), openai.DONE, 'end']);
    const keeping = new OpenAI({ baseURL: `${ohm.url}/v1`, apiKey: await api.key(null, { replay: { enabled: true } }), maxRetries: 0 });
    const collected = async () => {
      const { data, response } = await keeping.chat.completions.create({ ...ask(model), stream: true, stream_options: { include_usage: true } }).withResponse();
      let text = '';
      let finish: string | null = null;
      let tokens: number | undefined;
      for await (const chunk of data) {
        text += chunk.choices[0]?.delta.content ?? '';
        finish = chunk.choices[0]?.finish_reason ?? finish;
        tokens = chunk.usage?.prompt_tokens ?? tokens;
      }
      return { said: { text, finish, tokens }, cache: response.headers.get('x-at-cache'), id: response.headers.get('x-ohm-request-id')! };
    };
    const [miss, hit] = [await collected(), await collected()];
    expect([miss.cache, hit.cache, hit.said, first.contacts.length]).toEqual(['MISS', 'HIT', miss.said, 1]);
    expect(miss.said).toEqual({ text: 'one two', finish: 'stop', tokens: 69 });
    expect(await api.call(hit.id)).toMatchObject({ state: 'finished', replay: 'HIT', attempts: [], cost_nano_usd: 0, usage: { prompt_tokens: 69 } });
    const { data: json, response } = await keeping.chat.completions.create(ask(model)).withResponse();
    expect([response.headers.get('x-at-cache'), json.choices[0]?.message.content, json.usage?.prompt_tokens]).toEqual(['HIT', 'one two', 69]);
    await api.request('POST', '/replay/purge', { route: model });
    expect([(await collected()).cache, first.contacts.length]).toEqual(['MISS', 2]);
  });

  test('the models are those that the key may use, and a wrong key is an authentication error', async () => {
    const model = await route();
    const names: string[] = [];
    for await (const each of client().models.list()) names.push(each.id);
    expect(names).toContain(model);
    await expect(client().chat.completions.create(ask('no-such-model'))).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    const stranger = new OpenAI({ baseURL: `${ohm.url}/v1`, apiKey: 'ohm_sk_junk', maxRetries: 0 });
    await expect(stranger.chat.completions.create(ask(model))).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });
});
