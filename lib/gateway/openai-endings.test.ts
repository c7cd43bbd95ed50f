import { afterEach, describe, expect, test } from 'vitest';
import { openai, type Script, scriptedUpstream, type ScriptedUpstream, type Step } from '../../e2e/harness';
import { TEST_KEY, testEngine, type TestEngine } from './test-engine';

/** How vendors of OpenAI's wire end their answers, as a client of chat completions sees it. */
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function engineOver(script: Script): Promise<{ engine: TestEngine; upstream: ScriptedUpstream }> {
  const engine = await testEngine();
  const upstream = await scriptedUpstream(script);
  opened.push(engine.close, upstream.close);
  engine.route([{ url: upstream.origin }]);
  return { engine, upstream };
}

async function ask(engine: TestEngine, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' };
  const response = await fetch(`${engine.url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'hello' }], ...body }) });
  return await response.text();
}

describe('a finish reason', () => {
  for (const [word, reason] of [['end_turn', 'stop'], ['STOP', 'stop'], ['max_tokens', 'length'], ['tool_use', 'tool_calls'], ['COMPLETE', 'stop'], ['sensitive', 'content_filter']] as const) {
    test(`that says ${word} ends a stream and a JSON answer, in the provider's own word, and is ${reason} on the row`, async () => {
      const whole = { ...openai.completion('abc'), choices: [{ index: 0, message: { role: 'assistant', content: 'abc' }, finish_reason: word }] };
      const { engine, upstream } = await engineOver([[openai.sseHead(), openai.role(), openai.text('abc'), openai.finish(word), openai.DONE, 'end'], openai.json(200, whole)]);
      const stream = await ask(engine, { stream: true });
      expect(stream).toContain(`"finish_reason":"${word}"`);
      expect(stream.endsWith('data: [DONE]\n\n')).toBe(true);
      expect(await ask(engine, {})).toBe(JSON.stringify(whole));
      expect(await engine.settled(2)).toMatchObject([{ state: 'finished', finish_reason: reason }, { state: 'finished', finish_reason: reason }]);
      expect(upstream.contacts).toHaveLength(2);
    });
  }

  test.each(['network_error', 'banana'])('that says %s, that the provider broke off or what nobody knows, makes no answer', async (word) => {
    const { engine } = await engineOver([openai.sseHead(), openai.role(), openai.text('abc'), openai.finish(word), openai.DONE, 'end']);
    expect(await ask(engine, { stream: true })).toContain('stream_truncated');
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'truncated' });
  });
});

describe('usage that a provider puts beside its choices', () => {
  const usage = (completionTokens: number) => ({ prompt_tokens: 9, completion_tokens: completionTokens, total_tokens: 9 + completionTokens, cost: 0.5 });
  const said = (delta: object, reason: string | null, told?: object) => openai.frame({ ...openai.IDENTITY, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }], ...(told === undefined ? {} : { usage: told }) });
  const ended = (...frames: Step[]): Script => [openai.sseHead(), openai.role(), ...frames, openai.DONE, 'end'];
  interface Chunk {
    id: string;
    choices: { delta: { content?: string }; finish_reason: string | null }[];
    usage?: Record<string, unknown> | null;
  }
  const chunksOf = (text: string) => text.split('\n\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as Chunk] : []));
  const told = (text: string) => chunksOf(text).filter((chunk) => chunk.usage);
  const emptyDelta = [{ index: 0, delta: {}, finish_reason: null }];

  for (const [where, script] of [
    ['on the finish frame', ended(said({ content: 'abc' }, null), said({}, 'stop', usage(1)))],
    ['on the only frame of content', ended(said({ content: 'abc' }, 'stop', usage(1)))],
    ['on every frame, growing', ended(said({ content: 'a' }, null, usage(0)), said({ content: 'bc' }, null, usage(1)), said({}, 'stop', usage(1)))],
    ['on the finish frame, after some frames of usage alone', ended(said({ content: 'abc' }, null), openai.frame({ ...openai.IDENTITY, choices: [], usage: usage(0) }), said({}, 'stop', usage(1)))],
    ['on a last frame with an empty choice', ended(said({ content: 'abc' }, null), said({}, 'stop'), said({ role: 'assistant', content: '' }, null, usage(1)))],
  ] as const) {
    test(`${where} reaches the client once, in the last chunk, in the shape it asked for`, async () => {
      const { engine } = await engineOver([script, script, script] as unknown as Script);
      const [asked, silent, declined] = [await ask(engine, { stream: true, stream_options: { include_usage: true } }), await ask(engine, { stream: true }), await ask(engine, { stream: true, stream_options: { include_usage: false } })];
      expect(told(asked)).toMatchObject([{ id: openai.IDENTITY.id, choices: [], usage: usage(1) }]);
      expect(told(silent)).toMatchObject([{ choices: emptyDelta, usage: usage(1) }]);
      expect(told(declined)).toEqual([]);
      for (const text of [asked, silent]) expect(chunksOf(text).at(-1)!.usage).toEqual(usage(1));
      for (const text of [asked, silent, declined]) {
        expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
        expect(chunksOf(text).map(({ choices: [choice] }) => choice?.delta.content ?? '').join('')).toBe('abc');
        expect(chunksOf(text).filter(({ choices: [choice] }) => choice?.finish_reason === 'stop')).toHaveLength(1);
      }
      for (const row of await engine.settled(3)) expect(row).toMatchObject({ usage_source: 'provider', usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 } });
    });
  }

  test('leaves every other byte of its frame as it was', async () => {
    const frame = '{ "id":"a", "choices":[{"index":0,"delta":{"content":"\\u00e9"},"finish_reason":"stop"}], "usage" : {"prompt_tokens":9,"completion_tokens":1}, "vendor":12345678901234567890 }';
    const { engine } = await engineOver(ended(openai.frame(frame)));
    expect(await ask(engine, { stream: true })).toContain(`data: ${frame.replace('{"prompt_tokens":9,"completion_tokens":1}', 'null')}\n\n`);
  });

  const garbage = { prompt_tokens: -5, completion_tokens: 1e30, total_tokens: 'x' };
  for (const [what, script, estimated] of [
    ['that is no usage', ended(said({ content: 'abcd' }, null), said({}, 'stop', garbage)), ['prompt_tokens', 'completion_tokens', 'total_tokens']],
    ['that is no usage, in a frame of its own', ended(said({ content: 'abcd' }, null), said({}, 'stop'), openai.frame({ ...openai.IDENTITY, choices: [], usage: garbage })), ['prompt_tokens', 'completion_tokens', 'total_tokens']],
    ['that is usage in part', ended(said({ content: 'abcd' }, null), said({}, 'stop'), openai.frame({ ...openai.IDENTITY, choices: [], usage: { ...garbage, prompt_tokens: 5 } })), ['completion_tokens', 'total_tokens']],
  ] as const) {
    test(`${what} is not relayed: the client gets one chunk with the figures of the row, labelled`, async () => {
      const { engine } = await engineOver([script, script] as unknown as Script);
      const chunks = told(await ask(engine, { stream: true, stream_options: { include_usage: true } }));
      expect(told(await ask(engine, { stream: true, stream_options: { include_usage: false } }))).toEqual([]);
      const [row] = await engine.settled(1);
      expect(row).toMatchObject({ usage_source: 'estimate', usage_estimated: estimated });
      expect(chunks).toMatchObject([{ choices: [], usage: { ...row!.usage, source: 'estimate', estimated } }]);
    });
  }
});
