import { describe, expect, test } from 'vitest';
import { chatSlots } from './chat-completions/slots';
import { messageSlots } from './messages/slots';
import { inputSlots } from './responses/slots';
import { withTexts } from './slots';

const seen = (slots: ReturnType<typeof chatSlots>) => slots.map(({ message, role, toolCallId, text, locked }) => [message, role, toolCallId, text, locked]);

const CHAT = {
  model: 'm',
  messages: [
    { role: 'developer', content: 'be brief' },
    { role: 'user', content: [{ type: 'text', text: 'look' }, { type: 'image_url', image_url: { url: 'data:' } }, { type: 'text', text: 'here', prompt_cache_breakpoint: {} }] },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c1' }] },
    { role: 'tool', tool_call_id: 'c1', content: '{ "a": 1 }' },
    { role: 'assistant', content: 'hm', reasoning_details: [{}] },
    null,
    { role: 'nobody', content: 'x' },
  ],
};

const MESSAGES = {
  system: [{ type: 'text', text: 'be brief', cache_control: { type: 'ephemeral' } }],
  messages: [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 't', signature: 's' }, { type: 'text', text: 'calling' }, { type: 'tool_use', id: 'u1', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'u1', content: 'out' }, { type: 'text', text: 'and?' }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'u2', content: [{ type: 'text', text: 'inner', cache_control: {} }] }] },
  ],
};

const RESPONSES = {
  instructions: 'be brief',
  input: [
    { role: 'user', content: 'hello' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] },
    { type: 'reasoning', summary: [], encrypted_content: 'x' },
    { type: 'function_call_output', call_id: 'f1', output: 'out' },
  ],
};

describe('the texts of a request', () => {
  test('to chat completions', () => {
    expect(seen(chatSlots(CHAT))).toEqual([
      [0, 'system', null, 'be brief', true],
      [1, 'user', null, 'look', true],
      [1, 'user', null, 'here', true],
      [3, 'tool', 'c1', '{ "a": 1 }', true],
      [4, 'assistant', null, 'hm', true],
    ]);
  });

  test('to the Messages API', () => {
    expect(seen(messageSlots(MESSAGES))).toEqual([
      [0, 'system', null, 'be brief', true],
      [1, 'user', null, 'hello', true],
      [2, 'assistant', null, 'calling', true],
      [3, 'user', null, 'and?', true],
      [3, 'tool', 'u1', 'out', true],
      [4, 'tool', 'u2', 'inner', true],
    ]);
    const unmarked = { ...MESSAGES, messages: MESSAGES.messages.slice(0, 3) };
    expect(seen(messageSlots(unmarked)).map(([, , , text, locked]) => [text, locked])).toEqual([
      ['be brief', true],
      ['hello', false],
      ['calling', true],
      ['and?', false],
      ['out', false],
    ]);
  });

  test('to the Responses API, whether its input is a list or a string', () => {
    expect(seen(inputSlots(RESPONSES))).toEqual([
      [0, 'system', null, 'be brief', false],
      [1, 'user', null, 'hello', false],
      [2, 'assistant', null, 'hi', false],
      [4, 'tool', 'f1', 'out', false],
    ]);
    expect(seen(inputSlots({ input: 'hello' }))).toEqual([[1, 'user', null, 'hello', false]]);
  });

  test('are none where there is nothing to read', () => {
    for (const body of [{}, { messages: 3 }, { messages: [[]], input: {}, system: 7 }]) expect([...chatSlots(body), ...messageSlots(body), ...inputSlots(body)]).toEqual([]);
  });
});

describe('replacing texts', () => {
  test.each([
    [CHAT, chatSlots],
    [MESSAGES, messageSlots],
    [RESPONSES, inputSlots],
  ] as const)('changes these texts and nothing else, and leaves the client’s own body as it was', (body, slotsOf) => {
    const original = structuredClone(body);
    const slots = slotsOf(body);
    const texts = new Map(slots.map((slot, at) => [at, `${slot.text} (new)`] as const));
    const changed = withTexts(body, slots, texts);
    expect(body).toEqual(original);
    expect(slotsOf(changed).map(({ text }) => text)).toEqual([...texts.values()]);
    expect(withTexts(changed, slots, new Map(slots.map(({ text }, at) => [at, text])))).toEqual(original);
    expect(withTexts(body, slots, new Map())).toEqual(original);
  });
});
