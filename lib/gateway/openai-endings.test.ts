import { afterEach, describe, expect, test } from 'vitest';
import { openai, type Script, scriptedUpstream, type ScriptedUpstream } from '../../e2e/harness';
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
  for (const [word, reason] of [['end_turn', 'stop'], ['STOP', 'stop'], ['max_tokens', 'length'], ['tool_use', 'tool_calls'], ['COMPLETE', 'stop'], ['sensitive', 'content_filter'], ['banana', 'stop']] as const) {
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

  test('that says that the provider broke off makes no answer', async () => {
    const { engine } = await engineOver([openai.sseHead(), openai.role(), openai.text('abc'), openai.finish('network_error'), openai.DONE, 'end']);
    expect(await ask(engine, { stream: true })).toContain('stream_truncated');
    expect((await engine.settled(1))[0]).toMatchObject({ state: 'truncated' });
  });
});
