import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { anthropic, type Answer, openai, scriptedUpstream, type ScriptedUpstream } from '../../e2e/harness';
import { TEST_KEY, testEngine, type TestEngine } from './test-engine';

/** What Claude Code sends, recorded, in front of tiers of both kinds. */
const recorded = JSON.parse(readFileSync(new URL('../surfaces/messages/__fixtures__/claude-code.json', import.meta.url), 'utf8')) as {
  path: string;
  headers: Record<string, string>;
  body: { messages: object[]; tools: { name: string; description: string; input_schema: object }[] } & Record<string, unknown>;
  afterReadingAnImage: object[];
};

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function inFrontOf(wire: 'anthropic' | 'openai', answer: Answer): Promise<{ engine: TestEngine; upstream: ScriptedUpstream }> {
  const engine = await testEngine();
  const upstream = await scriptedUpstream(answer);
  opened.push(engine.close, upstream.close);
  engine.addRoute('coding', [{ url: upstream.origin, wire }]);
  return { engine, upstream };
}

const send = (engine: TestEngine, body: object): Promise<Response> => fetch(engine.url + recorded.path, { method: 'POST', headers: { ...recorded.headers, authorization: `Bearer ${TEST_KEY}` }, body: JSON.stringify(body) });

const turns = (...more: object[]) => ({ ...recorded.body, messages: [...recorded.body.messages, ...more] });
const calledRead = (block: object) => [recorded.afterReadingAnImage[0]!, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', ...block }] }];

describe('in front of a provider of its own API', () => {
  test.each([
    ['first', recorded.body],
    ['with the image that a tool has read', turns(...recorded.afterReadingAnImage)],
  ])('its request arrives byte for byte but for the model, and so does the answer: %s', async (_, body) => {
    const answer = anthropic.streamOf('hi ', 'there');
    const { engine, upstream } = await inFrontOf('anthropic', answer);
    const response = await send(engine, body);
    const sent = answer.map((step) => (typeof step === 'object' && 'send' in step ? String(step.send) : '')).join('');
    expect(await response.text()).toBe(sent);
    const { headers, body: asked } = upstream.contacts[0]!;
    expect(asked).toBe(JSON.stringify(body).replace('"model":"coding"', '"model":"model-1"'));
    expect([headers['anthropic-beta'], headers['anthropic-version'], headers.authorization, headers['x-api-key']]).toEqual([recorded.headers['anthropic-beta'], '2023-06-01', undefined, 'sk-test']);
    expect((await engine.settled(1))[0]).toMatchObject({ surface: 'messages', state: 'finished', route: 'coding' });
  });
});

describe('in front of a provider of OpenAI’s API', () => {
  test('its request is translated, with what got lost named, and the answer streams back', async () => {
    const { engine, upstream } = await inFrontOf('openai', openai.streamOf('hi ', 'there'));
    const response = await send(engine, recorded.body);
    const stream = await response.text();
    expect([response.status, [...stream.matchAll(/"text_delta","text":"([^"]*)"/g)].map(([, text]) => text).join('')]).toEqual([200, 'hi there']);
    expect(stream).toContain('event: message_stop');
    expect(response.headers.get('x-ohm-dropped-params')).toBe('metadata.user_id, cache_control');

    const { messages, tools, ...rest } = JSON.parse(upstream.contacts[0]!.body) as Record<string, unknown>;
    expect(rest).toEqual({ model: 'model-1', max_completion_tokens: 32_000, reasoning_effort: 'high', stream: true, stream_options: { include_usage: true } });
    expect(messages).toMatchObject([{ role: 'system', content: [{}, { text: 'You are an agent.' }, {}] }, { role: 'user', content: [{}, { type: 'text', text: 'what is in a.png' }] }, recorded.body.messages[1]]);
    expect(tools).toEqual(recorded.body.tools.map(({ name, description, input_schema: parameters }) => ({ type: 'function', function: { name, description, parameters } })));
  });

  test('the result of a tool goes back as its text', async () => {
    const { engine, upstream } = await inFrontOf('openai', openai.streamOf('seen'));
    expect((await send(engine, turns(...calledRead({ content: 'no such file', is_error: true })))).status).toBe(200);
    expect((JSON.parse(upstream.contacts[0]!.body) as { messages: object[] }).messages.slice(3)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'toolu_1', function: { name: 'Read', arguments: '{"file_path":"/project/a.png"}' } }] },
      { role: 'tool', tool_call_id: 'toolu_1', content: '[tool error] no such file' },
    ]);
  });

  test('an image as the result of a tool, which that API has no place for, is refused by its name', async () => {
    const { engine } = await inFrontOf('openai', openai.streamOf('x'));
    const response = await send(engine, turns(...recorded.afterReadingAnImage));
    expect([response.status, await response.json()]).toMatchObject([400, { error: { type: 'invalid_request_error', param: 'messages[3].content[0]' } }]);
  });
});
