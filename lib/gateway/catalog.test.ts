import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Contact, scriptedUpstream, type ScriptedUpstream } from '../../e2e/harness';
import { createPrices } from '../metering';
import { presets, WIRES, type Preset, type Wire } from '../providers';
import { catalog, catalogModelsOf, type CatalogModel } from '../providers/catalog';
import { type Caller, type ConnectionConfig, REPLAY_OFF, SAVING_OFF } from './ports';
import { TEST_KEY, testEngine, type TestEngine } from './test-engine';

/** Every model of the catalog, by its name, through the engine, from a server that speaks its vendor's wire. */

const serving = presets.filter(({ catalog: vendor }) => vendor !== null);
const SAID = 'Hello from the other side';

let upstream: ScriptedUpstream;
let ohm: TestEngine;
let caller: Caller;

beforeAll(async () => {
  upstream = await scriptedUpstream(answerOf);
  ohm = await testEngine({ directory: { find: (token) => (token === TEST_KEY ? caller : null) }, prices: createPrices() });
});
afterAll(async () => {
  await ohm.close();
  await upstream.close();
});

describe.each(serving)('a connection of preset $id', (preset) => {
  test.each(catalogModelsOf(preset.id).map((model): [string, CatalogModel] => [model.id, model]))('streams %s', async (id, model) => {
    caller = callerOf(preset);
    upstream.forget();
    const response = await fetch(`${ohm.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: id, stream: true, messages: [{ role: 'user', content: 'Hello?' }] }),
    });
    const text = await response.text();
    expect([response.status, response.headers.get('x-ohm-provider'), response.headers.get('x-ohm-model'), response.headers.get('x-ohm-route')]).toEqual([200, preset.id, model.model, 'direct']);
    expect(contentOf(text)).toBe(SAID);
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
    expect(upstream.contacts).toHaveLength(1);
    expect(modelAskedFor(preset.wire, upstream.contacts[0]!)).toBe(model.model);
    const row = ohm.rows.at(-1)!;
    expect(row).toMatchObject({ state: 'finished', tier: 1, model: model.model, usage_source: 'provider', usage: { prompt_tokens: 9, completion_tokens: 5 } });
    expect(row.cost_nano_usd).toBeGreaterThan(0);
    expect(row.price_version).toMatch(/^(@pydantic\/genai-prices|ohm-prices)@/);
  });
});

test('that were at least 50 models, and every wire that there is', () => {
  const streamed = new Set(serving.flatMap(({ id }) => catalogModelsOf(id).map((model) => model.id)));
  expect([...streamed].sort()).toEqual(catalog.map(({ id }) => id).sort());
  expect(streamed.size).toBeGreaterThanOrEqual(50);
  expect([...new Set(serving.map(({ wire }) => wire))].sort()).toEqual([...WIRES].sort());
});

test('every listed name can be called, and the catalog is listed only where a connection serves it', async () => {
  caller = callerOf(serving[0]!);
  const list = async () => {
    const response = await fetch(`${ohm.url}/v1/models`, { headers: { authorization: `Bearer ${TEST_KEY}` } });
    return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
  };
  expect(await list()).toEqual(expect.arrayContaining(catalogModelsOf(serving[0]!.id).map(({ id }) => id)));
  expect((await list()).filter((id) => catalog.some((model) => model.id === id && model.vendor !== serving[0]!.catalog))).toEqual([]);
  caller = { ...caller, key: { ...caller.key, directModels: false } };
  expect((await list()).filter((id) => catalog.some((model) => model.id === id))).toEqual([]);
});

function callerOf(preset: Preset): Caller {
  const connection: ConnectionConfig = {
    id: `conn_${preset.id}`,
    workspaceId: 'ws_test',
    name: 'account',
    provider: preset.id,
    wire: preset.wire,
    baseUrl: upstream.baseUrl,
    kind: 'http',
    apiKey: () => 'sk-test',
    prices: [],
    revision: 1,
  };
  return {
    key: { id: 'key_test', workspaceId: 'ws_test', name: 'test', defaultRoute: null, directModels: true, strictRoute: false, tiers: null, expiresAt: null, limits: null, replay: REPLAY_OFF, saving: SAVING_OFF },
    workspace: { id: 'ws_test', routes: new Map(), connections: new Map([[connection.name, connection]]), fallbackModel: null, limits: null, replay: { generation: 0, sharedGeneration: 0 } },
  };
}

/** The text that a client of the chat surface collects. */
function contentOf(stream: string): string {
  return [...stream.matchAll(/^data: (\{.*\})$/gm)].map(([, json]) => (JSON.parse(json!) as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta?.content ?? '').join('');
}

function modelAskedFor(wire: Wire, { path, body }: Contact): string | undefined {
  if (wire === 'gemini') return decodeURIComponent(/\/models\/(.+):streamGenerateContent/.exec(path)?.[1] ?? '');
  return (JSON.parse(body) as { model?: string }).model;
}

function answerOf({ path, body }: Contact): Answer {
  const wire = (Object.keys(PATHS) as Wire[]).find((each) => PATHS[each].test(path));
  if (wire === undefined) return [{ head: 404 }, 'end'];
  return [{ head: 200, headers: { 'content-type': 'text/event-stream' } }, { send: STREAMS[wire]((JSON.parse(body) as { model?: string }).model ?? '') }, 'end'];
}

const PATHS: Record<Wire, RegExp> = {
  openai: /\/chat\/completions$/,
  anthropic: /\/messages$/,
  gemini: /:streamGenerateContent\?alt=sse$/,
  'openai-responses': /\/responses$/,
};

const WORDS = SAID.split(/(?<= )/);
const events = (...frames: [name: string | null, data: object][]): string =>
  frames.map(([name, data]) => `${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`).join('');

/** The smallest lawful stream of each wire that says `SAID`, with 9 tokens in and 5 out. */
const STREAMS: Record<Wire, (model: string) => string> = {
  openai: (model) => {
    const chunk = (delta: object, reason: string | null = null) => ({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason: reason }] });
    const usage = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices: [], usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 } };
    return events([null, chunk({ role: 'assistant', content: '' })], ...WORDS.map((content): [null, object] => [null, chunk({ content })]), [null, chunk({}, 'stop')], [null, usage]) + 'data: [DONE]\n\n';
  },
  anthropic: (model) =>
    events(
      ['message_start', { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 9, output_tokens: 1 } } }],
      ['content_block_start', { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }],
      ...WORDS.map((text): [string, object] => ['content_block_delta', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }]),
      ['content_block_stop', { type: 'content_block_stop', index: 0 }],
      ['message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } }],
      ['message_stop', { type: 'message_stop' }],
    ),
  gemini: () => {
    const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 };
    const part = (text: string, last: boolean) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...(last ? { finishReason: 'STOP' } : {}) }], usageMetadata, modelVersion: 'served', responseId: 'r-1' });
    return events(...WORDS.map((text, at): [null, object] => [null, part(text, at === WORDS.length - 1)]));
  },
  'openai-responses': (model) => {
    const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] as object[] };
    const response = { id: 'resp_1', object: 'response', created_at: 1, model, status: 'in_progress', output: [] as object[], error: null, incomplete_details: null, usage: null };
    const part = (text: string) => ({ type: 'output_text', text, annotations: [] });
    const done = { ...item, status: 'completed', content: [part(SAID)] };
    const usage = { input_tokens: 9, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 14 };
    const steps: [string, object][] = [
      ['response.created', { response }],
      ['response.in_progress', { response }],
      ['response.output_item.added', { output_index: 0, item }],
      ['response.content_part.added', { item_id: 'msg_1', output_index: 0, content_index: 0, part: part('') }],
      ...WORDS.map((delta): [string, object] => ['response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta }]),
      ['response.output_text.done', { item_id: 'msg_1', output_index: 0, content_index: 0, text: SAID }],
      ['response.content_part.done', { item_id: 'msg_1', output_index: 0, content_index: 0, part: part(SAID) }],
      ['response.output_item.done', { output_index: 0, item: done }],
      ['response.completed', { response: { ...response, status: 'completed', output: [done], usage } }],
    ];
    return events(...steps.map(([type, data], at): [string, object] => [type, { type, sequence_number: at, ...data }]));
  },
};
