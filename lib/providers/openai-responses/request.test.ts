import { describe, expect, it } from 'vitest';
import { scanTopLevel } from '../../wire';
import type { WireRequestInput } from '../adapter';
import { isUnrepresentable } from '../adapter';
import { openaiResponses } from '.';

const base: WireRequestInput = { operation: 'chat', own: null, chat: null, model: 'gpt-4o', stream: true, withoutStreamOptions: false, apiKey: 'sk-1', headers: {}, quirks: {}, maxOutputTokens: null };

function sent(body: Record<string, unknown>, more: Partial<WireRequestInput> = {}) {
  const request = openaiResponses.request({ ...base, chat: { body: { messages: [{ role: 'user', content: 'hi' }], ...body }, topK: null }, ...more });
  if (isUnrepresentable(request)) throw new Error(`unrepresentable: ${request.param}`);
  return { ...request, body: JSON.parse(request.body) as Record<string, unknown> };
}
function refused(body: Record<string, unknown>, topK: number | null = null) {
  const request = openaiResponses.request({ ...base, chat: { body: { messages: [{ role: 'user', content: 'hi' }], ...body }, topK } });
  return isUnrepresentable(request) ? request.param : null;
}

describe('a client of the same dialect', () => {
  const own = (text: string) => ({ text, parsed: JSON.parse(text) as Record<string, unknown>, scan: scanTopLevel(text) });

  it('is passed on as it wrote, with the model put in', () => {
    const text = '{ "model":"auto", "input":"hi", "previous_response_id":"r", "vendor":12345678901234567890 }';
    expect(openaiResponses.request({ ...base, own: own(text) })).toMatchObject({ path: '/responses', body: text.replace('auto', 'gpt-4o'), dropped: [] });
  });
});

it('sends what every translated request has', () => {
  expect(sent({})).toMatchObject({ path: '/responses', dropped: [], headers: { authorization: 'Bearer sk-1', accept: 'text/event-stream' } });
  expect(sent({}).body).toEqual({ model: 'gpt-4o', stream: true, store: false, input: [{ type: 'message', role: 'user', content: 'hi' }] });
  expect(sent({}, { stream: false }).body).not.toHaveProperty('stream');
});

it('spells the members of a chat anew', () => {
  expect(
    sent({
      max_completion_tokens: 9,
      max_tokens: 5,
      temperature: 0.5,
      verbosity: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
      reasoning_effort: 'high',
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }, { type: 'custom', custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } } } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
      logprobs: true,
      top_logprobs: 2,
      metadata: { a: 'b' },
      n: 1,
      stop: null,
      presence_penalty: 0,
    }, { model: 'gpt-5.2' }).body,
  ).toEqual({
    model: 'gpt-5.2',
    input: [{ type: 'message', role: 'user', content: 'hi' }],
    max_output_tokens: 9,
    temperature: 0.5,
    text: { verbosity: 'low', format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } },
    reasoning: { effort: 'high', summary: 'auto' },
    tools: [
      { type: 'function', name: 'f', parameters: { type: 'object' }, strict: false },
      { type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
    ],
    tool_choice: { type: 'function', name: 'f' },
    parallel_tool_calls: false,
    include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
    top_logprobs: 2,
    metadata: { a: 'b' },
    stream: true,
    store: false,
  });
});

it('asks for encrypted reasoning only where there is reasoning', () => {
  expect(sent({}).body).not.toHaveProperty('include');
  expect(sent({ reasoning_effort: 'none' }, { model: 'gpt-5.1' }).body).toMatchObject({ reasoning: { effort: 'none' } });
  for (const reasoning_effort of ['none', 'high']) {
    expect(sent({ reasoning_effort }).body).not.toHaveProperty('include');
    expect(sent({ reasoning_effort }).body).not.toHaveProperty('reasoning'); // gpt-4o refuses any
  }
  expect(sent({}, { model: 'o3' }).body.include).toEqual(['reasoning.encrypted_content']);
});

it('an answer without a word is no item, and that is told', () => {
  const silent = (message: object) => sent({ messages: [{ role: 'user', content: 'a' }, { role: 'assistant', ...message }, { role: 'user', content: '' }] });
  const said = [{ type: 'message', role: 'user', content: 'a' }, { type: 'message', role: 'user', content: '' }];
  for (const message of [{ content: '' }, { content: null }, { content: [] }]) expect(silent(message)).toMatchObject({ dropped: ['messages[]'], body: { input: said } });
  const { dropped, body } = silent({ content: null, function_call: { name: 'f', arguments: '{}' } });
  expect([dropped, (body.input as object[]).length]).toEqual([[], 3]);
});

it('takes a conversation apart into items', () => {
  const { body, dropped } = sent({
    messages: [
      { role: 'developer', content: 'be brief' },
      { role: 'user', name: 'ann', content: [{ type: 'text', text: 'look' }, { type: 'image_url', image_url: { url: 'https://x.test/a.png', detail: 'low' } }, { type: 'file', file: { file_data: 'data:x', filename: 'a.pdf' } }] },
      {
        role: 'assistant',
        content: 'let me see',
        reasoning_content: 'hm',
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'gA', format: 'openai-responses-v1' }, { type: 'reasoning.text', text: '', signature: 's', format: 'anthropic-claude-v1' }],
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }, { id: 'c2', type: 'custom', custom: { name: 'sh', input: 'ls' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '42' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'ok' }] },
      { role: 'assistant', content: null, refusal: 'no' },
    ],
  });
  expect(dropped).toEqual(['messages[].name', 'reasoning_details']);
  expect(body.input).toEqual([
    { type: 'message', role: 'developer', content: 'be brief' },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'look' },
        { type: 'input_image', image_url: 'https://x.test/a.png', detail: 'low' },
        { type: 'input_file', file_data: 'data:x', filename: 'a.pdf' },
      ],
    },
    { type: 'reasoning', summary: [], encrypted_content: 'gA' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'let me see' }] },
    { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
    { type: 'custom_tool_call', call_id: 'c2', name: 'sh', input: 'ls' },
    { type: 'function_call_output', call_id: 'c1', output: '42' },
    { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'ok' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
  ]);
});

it('reads the old functions as tools', () => {
  expect(
    sent({ functions: [{ name: 'f' }], function_call: { name: 'f' }, messages: [{ role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }, { role: 'function', name: 'f', content: '1' }] }).body,
  ).toMatchObject({
    tools: [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false }],
    tool_choice: { type: 'function', name: 'f' },
    input: [
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: '1' },
    ],
  });
});

it('names the hints that it drops', () => {
  expect(sent({ seed: 1, store: true, prediction: {}, vendor: 1, user: 'u' })).toMatchObject({ dropped: ['seed', 'store', 'prediction', 'vendor'], body: { store: false, user: 'u' } });
  expect(sent({ store: false, logit_bias: {}, modalities: ['text'], stop: [], response_format: { type: 'text' } }).dropped).toEqual([]);
});

it.each<[Record<string, unknown>, string]>([
  [{ n: 2 }, 'n'],
  [{ stop: ['x'] }, 'stop'],
  [{ logit_bias: { 1: 2 } }, 'logit_bias'],
  [{ presence_penalty: 1 }, 'presence_penalty'],
  [{ frequency_penalty: -1 }, 'frequency_penalty'],
  [{ modalities: ['text', 'audio'] }, 'modalities'],
  [{ audio: { voice: 'x' } }, 'audio'],
  [{ web_search_options: {} }, 'web_search_options'],
  [{ tools: [{ type: 'web' }] }, 'tools[0].type'],
  [{ tools: 7 }, 'tools'],
  [{ tool_choice: { type: 'x' } }, 'tool_choice'],
  [{ response_format: { type: 'xml' } }, 'response_format'],
  [{ messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'input_audio', input_audio: {} }] }] }, 'messages[0].content[1].type'],
  [{ messages: [{ role: 'user', content: 7 }] }, 'messages[0].content'],
  [{ messages: [{ role: 'assistant', audio: { id: 'x' } }] }, 'messages[0].audio'],
  [{ messages: [{ role: 'king', content: '' }] }, 'messages[0].role'],
])('%j cannot be said, and `%s` is named', (body, param) => {
  expect(refused(body)).toBe(param);
});

it('has no top_k', () => {
  expect(refused({}, 5)).toBe('top_k');
});
