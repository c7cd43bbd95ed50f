import { describe, expect, test } from 'vitest';
import { responses } from '.';

const canonical = (body: Record<string, unknown>) => responses.canonical({ model: 'auto', ...body });
function chat(body: Record<string, unknown>): Record<string, any> {
  const made = canonical(body);
  if (!made.ok) throw new Error(`refused: ${made.why.param}`);
  return { ...made.chat.body, dropped: made.dropped, places: made.places };
}

describe('a request that is read', () => {
  const read = (body: Record<string, unknown>) => responses.read({ model: 'auto', input: 'hi', ...body });

  test('says how it wants its answer', () => {
    expect(read({ stream: true, reasoning: { effort: 'low' } })).toEqual({ model: 'auto', stream: true, usageWish: 'asked', asksForReasoning: true });
    expect(read({ reasoning: { effort: 'none' } })).toMatchObject({ stream: false, asksForReasoning: false });
    expect(read({ reasoning: {} })).toMatchObject({ asksForReasoning: false });
    expect(read({ reasoning: { summary: 'auto' } })).toMatchObject({ asksForReasoning: true });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ model: '' }, 'model'],
    [{ stream: 'yes' }, 'stream'],
    [{ background: true }, 'background'],
    [{ instructions: [] }, 'instructions'],
    [{ input: undefined }, 'input'],
    [{ input: 7 }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: ['x'] }, 'input[0]'],
  ])('%j is at fault in `%s`', (body, param) => {
    expect(read(body)).toMatchObject({ param });
  });

  test('may leave the input to what the provider keeps: a tier of this API can be asked so', () => {
    expect(read({ input: undefined, prompt: { id: 'x' } })).not.toHaveProperty('param');
  });

  test('is estimated by all of its text', () => {
    expect(responses.characters({ instructions: 'ab', input: 'cde' })).toBe(5);
    expect(responses.characters({ input: [{ role: 'user', content: [{ type: 'input_text', text: 'abc' }] }, { type: 'function_call', arguments: '{}' }, { type: 'function_call_output', output: '42' }] })).toBe(7);
  });
});

describe('a conversation', () => {
  test('of a string and instructions', () => {
    expect(chat({ instructions: 'be brief', input: 'hi' })).toMatchObject({
      messages: [{ role: 'system', content: 'be brief' }, { role: 'user', content: 'hi' }],
      places: ['instructions', 'input'],
    });
  });

  test('puts what the assistant did between two items into one message', () => {
    const { messages, places, dropped } = chat({
      input: [
        { role: 'developer', content: 'x' },
        { role: 'user', content: [{ type: 'input_text', text: 'look' }, { type: 'input_image', image_url: 'https://x.test/a.png', detail: 'low' }, { type: 'input_file', file_data: 'data:x', filename: 'a.pdf' }] },
        { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'gAAA' },
        { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'let me see', annotations: [] }] },
        { type: 'function_call', id: 'fc', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'custom_tool_call', call_id: 'c2', name: 'sh', input: 'ls' },
        { type: 'function_call_output', call_id: 'c1', output: '42' },
        { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'ok' }] },
        { role: 'assistant', content: 'done' },
        { role: 'user', content: 'thanks' },
      ],
    });
    expect(messages).toEqual([
      { role: 'developer', content: 'x' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'https://x.test/a.png', detail: 'low' } },
          { type: 'file', file: { file_data: 'data:x', filename: 'a.pdf' } },
        ],
      },
      {
        role: 'assistant',
        content: 'let me see',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } },
          { id: 'c2', type: 'custom', custom: { name: 'sh', input: 'ls' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '42' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'ok' }] },
      { role: 'assistant', content: 'done' },
      { role: 'user', content: 'thanks' },
    ]);
    expect(places).toEqual(['input[0]', 'input[1]', 'input[3]', 'input[6]', 'input[7]', 'input[8]', 'input[9]']);
    expect(dropped).toEqual(['reasoning']); // encrypted by the provider: only its own API can read it
  });

  test('keeps a refusal and text that follows calls', () => {
    expect(chat({ input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '' }, { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }] }).messages).toEqual([
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }], tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '' } }] },
    ]);
  });
});

test('members are spelled as a chat spells them', () => {
  const { messages: _messages, places: _places, ...rest } = chat({
    input: 'hi',
    max_output_tokens: 9,
    temperature: 0.5,
    text: { verbosity: 'low', format: { type: 'json_schema', name: 'n', schema: {}, strict: true } },
    reasoning: { effort: 'high', summary: 'auto' },
    tools: [{ type: 'function', name: 'f', parameters: {}, strict: null }, { type: 'custom', name: 'sh', format: { type: 'grammar', syntax: 'lark', definition: 'x' } }],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
    parallel_tool_calls: false,
    include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
    top_logprobs: 3,
    metadata: { a: 'b' },
    user: 'u',
    stream: true,
    store: false,
    truncation: 'disabled',
    background: false,
    previous_response_id: null,
  });
  expect(rest).toEqual({
    max_completion_tokens: 9,
    temperature: 0.5,
    verbosity: 'low',
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {}, strict: true } },
    reasoning_effort: 'high',
    tools: [{ type: 'function', function: { name: 'f', parameters: {} } }, { type: 'custom', custom: { name: 'sh', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } } } }],
    tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] } },
    parallel_tool_calls: false,
    logprobs: true,
    top_logprobs: 3,
    metadata: { a: 'b' },
    user: 'u',
    dropped: [],
  });
});

test('what says nothing without another member is left out', () => {
  expect(chat({ input: 'hi', tools: [], tool_choice: 'auto', parallel_tool_calls: true, top_logprobs: 0, text: { format: { type: 'text' } } })).toEqual({ messages: [{ role: 'user', content: 'hi' }], places: ['input'], dropped: [] });
});

test('hints that get lost are named', () => {
  expect(chat({ input: [{ role: 'assistant', content: 'x', phase: 'commentary' }], truncation: 'auto', max_tool_calls: 3, include: ['file_search_call.results'], reasoning: { summary: 'detailed', context: 'x' }, vendor: 1 }).dropped).toEqual([
    'phase', 'truncation', 'max_tool_calls', 'include', 'reasoning.summary', 'reasoning.context', 'vendor',
  ]);
});

test.each<[Record<string, unknown>, string]>([
  [{ previous_response_id: 'r' }, 'previous_response_id'],
  [{ conversation: 'c' }, 'conversation'],
  [{ prompt: { id: 'x' } }, 'prompt'],
  [{ context_management: [] }, 'context_management'],
  [{ store: true }, 'store'],
  [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
  [{ tools: [{ type: 'function', name: 'f' }, { type: 'mcp' }] }, 'tools[1].type'],
  [{ tools: {} }, 'tools'],
  [{ tool_choice: { type: 'file_search' } }, 'tool_choice'],
  [{ text: { format: { type: 'xml' } } }, 'text.format'],
  [{ text: 'x' }, 'text'],
  [{ input: [{ type: 'item_reference', id: 'x' }] }, 'input[0]'],
  [{ input: [{ type: 'web_search_call' }] }, 'input[0].type'],
  [{ input: [{ role: 'king', content: '' }] }, 'input[0].role'],
  [{ input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'x' }] }] }, 'input[0].content[0].file_id'],
  [{ input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://x.test' }] }] }, 'input[0].content[0].file_url'],
  [{ input: [{ role: 'user', content: [{ type: 'hologram' }] }] }, 'input[0].content[0].type'],
  [{ input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_audio' }] }] }, 'input[0].output[0].type'],
])('%j cannot be said in a chat, and `%s` is named', (body, param) => {
  expect(canonical({ input: 'hi', ...body })).toMatchObject({ ok: false, why: { param } });
});
