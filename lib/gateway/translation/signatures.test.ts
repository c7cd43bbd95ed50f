import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anthropic, type Answer, gemini, openai, responses, scriptedUpstream, type ScriptedUpstream } from '../../../e2e/harness';
import { type Wire, WIRES } from '../../providers';
import { TEST_KEY, testEngine, type TestEngine } from '../test-engine';
import { readAnswer } from './test-readings';
import { MODELS, type SurfaceName, SURFACES } from './test-requests';

/**
 * A provider's thinking comes back to it unchanged with the next turn, through whichever API, and goes to no other:
 * there it would be refused, so it is left out and named.
 */
let engine: TestEngine;
let upstream: ScriptedUpstream;
beforeAll(async () => {
  [engine, upstream] = await Promise.all([testEngine(), scriptedUpstream([])]);
});
afterAll(async () => {
  await Promise.all([engine?.close(), upstream?.close()]);
});

type Body = Record<string, any>;
type Signing = Exclude<Wire, 'openai'>;

const CALL = { id: 'call_A', name: 'weather', input: { city: 'Oslo' } };

/** Thinking, two signed blocks of it where the wire has blocks, and a call of a tool. */
const SIGNED: Record<Signing, { stream: Answer; whole: object; back(body: Body): unknown; expected: unknown }> = {
  anthropic: {
    stream: [
      anthropic.sseHead(), anthropic.start(),
      anthropic.open(0, { type: 'thinking', thinking: '', signature: '' }), anthropic.delta(0, { type: 'thinking_delta', thinking: 'first, ' }), anthropic.delta(0, { type: 'signature_delta', signature: 'SIG-1' }), anthropic.close(0),
      anthropic.open(1, { type: 'redacted_thinking', data: 'SIG-2' }), anthropic.close(1),
      anthropic.open(2, { type: 'thinking', thinking: '', signature: '' }), anthropic.delta(2, { type: 'thinking_delta', thinking: 'second' }), anthropic.delta(2, { type: 'signature_delta', signature: 'SIG-3' }), anthropic.close(2),
      anthropic.open(3, { type: 'tool_use', id: CALL.id, name: CALL.name, input: {} }), anthropic.delta(3, { type: 'input_json_delta', partial_json: '{"city":"Oslo"}' }), anthropic.close(3),
      anthropic.finish('tool_use'), anthropic.stop, 'end',
    ],
    whole: { ...anthropic.message(''), stop_reason: 'tool_use', content: [{ type: 'thinking', thinking: 'first, ', signature: 'SIG-1' }, { type: 'redacted_thinking', data: 'SIG-2' }, { type: 'thinking', thinking: 'second', signature: 'SIG-3' }, { type: 'tool_use', ...CALL }] },
    back: (body) => body.messages[1].content,
    expected: [{ type: 'thinking', thinking: 'first, ', signature: 'SIG-1' }, { type: 'redacted_thinking', data: 'SIG-2' }, { type: 'thinking', thinking: 'second', signature: 'SIG-3' }, { type: 'tool_use', ...CALL }],
  },
  gemini: {
    stream: [gemini.sseHead(), gemini.frame(gemini.candidate([{ text: 'first', thought: true }])), gemini.frame(gemini.candidate([{ functionCall: { id: CALL.id, name: CALL.name, args: CALL.input }, thoughtSignature: 'SIG-1' }])), gemini.finish(), 'end'],
    whole: gemini.candidate([{ text: 'first', thought: true }, { functionCall: { id: CALL.id, name: CALL.name, args: CALL.input }, thoughtSignature: 'SIG-1' }], { finishReason: 'STOP' }),
    back: (body) => body.contents[1].parts,
    expected: [{ functionCall: { id: CALL.id, name: CALL.name, args: CALL.input }, thoughtSignature: 'SIG-1' }],
  },
  'openai-responses': {
    stream: [
      openai.sseHead(), responses.preamble()[0]!,
      ...[reasoning(), call()].flatMap((item, output_index) => [responses.event('response.output_item.added', 1, { output_index, item: { ...item, status: 'in_progress', summary: [], encrypted_content: null } }), responses.event('response.output_item.done', 2, { output_index, item })]),
      responses.event('response.completed', 3, { response: response() }), 'end',
    ],
    whole: response(),
    back: (body) => body.input.slice(1, 3),
    expected: [expect.objectContaining({ type: 'reasoning', encrypted_content: 'SIG-1' }), expect.objectContaining({ type: 'function_call', call_id: CALL.id, name: CALL.name })],
  },
};

function reasoning(): object {
  return { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'first' }], encrypted_content: 'SIG-1' };
}
function call(): object {
  return { id: 'fc_1', type: 'function_call', call_id: CALL.id, name: CALL.name, arguments: '{"city":"Oslo"}', status: 'completed' };
}
function response(): object {
  return { ...responses.IDENTITY, status: 'completed', error: null, incomplete_details: null, output: [reasoning(), call()], usage: responses.USAGE };
}

describe.each(Object.keys(SIGNED) as Signing[])('signed by %s', (from) => {
  describe.each(Object.keys(SURFACES) as SurfaceName[])('through %s', (surface) => {
    test.each([true, false])('it comes back unchanged (streamed: %s)', async (stream) => {
      const { back, expected } = SIGNED[from];
      const { body, dropped } = await nextTurn(from, from, surface, stream);
      expect(back(body)).toEqual(expected);
      // Where thinking is not signed itself, its words stay behind: that may be said.
      if (from === 'anthropic') expect(dropped).toBeNull();
    });

    // A tier of the client's own API gets the client's own bytes: where those may hold another provider's, the client's API says so.
    test.each(WIRES.filter((wire) => wire !== from && !(surface === 'chat.completions' && wire === 'openai')))('it does not go to %s, and that is said', async (to) => {
      const { text, dropped } = await nextTurn(from, to, surface, true);
      expect(text).not.toContain('SIG-');
      expect(dropped).toMatch(surface === 'messages' ? /thinking/ : /reasoning/);
    });
  });
});

/** OpenRouter tells others' thinking by its own members, in OpenAI's API. */
describe.each(['messages', 'responses'] as const)('told by OpenRouter, through %s', (surface) => {
  const CLAUDE = { format: 'anthropic-claude-v1' };
  const made = { id: CALL.id, type: 'function', function: { name: CALL.name, arguments: '{"city":"Oslo"}' } };
  const think = (reasoning: string | null, ...details: object[]) => openai.frame(openai.chunk({ role: 'assistant', content: '', reasoning, reasoning_details: details.map((detail) => ({ ...CLAUDE, ...detail })) }));
  const stream: Answer = [
    openai.sseHead(),
    think('fi', { type: 'reasoning.text', text: 'fi', index: 0 }), think('rst', { type: 'reasoning.text', text: 'rst', index: 0 }), think(null, { type: 'reasoning.text', signature: 'SIG-1', index: 0 }),
    think(null, { type: 'reasoning.encrypted', data: 'SIG-2', index: 1 }),
    openai.frame(openai.chunk({ tool_calls: [{ index: 0, ...made }] })), openai.finish('tool_calls'), openai.usage(), openai.DONE, 'end',
  ];
  const whole = { ...openai.completion(''), choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null, reasoning: 'first', reasoning_details: [{ type: 'reasoning.text', text: 'first', signature: 'SIG-1', ...CLAUDE }, { type: 'reasoning.encrypted', data: 'SIG-2', ...CLAUDE }], tool_calls: [made] } }] };

  test.each([true, false])('it comes back with its signatures (streamed: %s)', async (streamed) => {
    upstream.play(streamed ? stream : openai.json(200, whole));
    engine.route([{ url: upstream.origin, provider: 'openrouter', model: 'anthropic/claude-sonnet-4.6' }]);
    const answered = await (await ask(surface, [], streamed)).text();
    expect(answered).not.toContain('"dropped"');
    const { turn } = readAnswer(surface, answered, streamed);
    upstream.play(ANY.openai);
    upstream.forget();
    const next = await ask(surface, [...turn, ...resultOf(surface)], false);
    expect(next.headers.get('x-ohm-dropped-params')).toBeNull();
    const details = (JSON.parse(upstream.contacts[0]!.body) as Body).messages[1].reasoning_details;
    expect(details).toEqual([{ type: 'reasoning.text', text: 'first', signature: 'SIG-1', ...CLAUDE }, { type: 'reasoning.encrypted', data: 'SIG-2', ...CLAUDE }]);
  });
});

/** What the provider is sent with the turn behind the one that `from` answered. */
async function nextTurn(from: Signing, to: Wire, surface: SurfaceName, stream: boolean) {
  const script = SIGNED[from];
  upstream.play(stream ? script.stream : [{ head: 200, headers: { 'content-type': 'application/json' } }, { send: JSON.stringify(script.whole) }, 'end']);
  engine.route([{ url: upstream.origin, wire: from, model: MODELS[from] }]);
  const { turn } = readAnswer(surface, await (await ask(surface, [], stream)).text(), stream);
  engine.route([{ url: upstream.origin, wire: to, model: MODELS[to] }]);
  upstream.play(ANY[to]);
  upstream.forget();
  const dropped = (await ask(surface, [...turn, ...resultOf(surface)], false)).headers.get('x-ohm-dropped-params');
  const text = upstream.contacts[0]!.body;
  return { text, body: JSON.parse(text) as Body, dropped };
}

/** Any lawful answer. */
const ANY: Record<Wire, Answer> = { openai: openai.jsonOf('x'), anthropic: anthropic.jsonOf('x'), gemini: gemini.jsonOf('x'), 'openai-responses': responses.jsonOf('x') };

function resultOf(surface: SurfaceName): object[] {
  if (surface === 'chat.completions') return [{ role: 'tool', tool_call_id: CALL.id, content: '3' }];
  if (surface === 'messages') return [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: CALL.id, content: '3' }] }];
  return [{ type: 'function_call_output', call_id: CALL.id, output: '3' }];
}

function ask(surface: SurfaceName, more: object[], stream: boolean): Promise<Response> {
  const conversation = [{ role: 'user', content: 'hello' }, ...more];
  const tools = surface === 'chat.completions' ? [{ type: 'function', function: { name: 'weather' } }] : surface === 'messages' ? [{ name: 'weather', input_schema: { type: 'object' } }] : [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} }, strict: false }];
  return fetch(engine.url + SURFACES[surface], {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', stream, tools, ...(surface === 'responses' ? { input: conversation } : { messages: conversation }), ...(surface === 'messages' ? { max_tokens: 100 } : {}) }),
  });
}
