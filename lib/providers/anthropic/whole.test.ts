import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeBody } from './whole';

const message = (content: unknown, rest: Record<string, unknown> = {}) => JSON.stringify({ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 2, cache_read_input_tokens: 3, output_tokens: 4 }, ...rest });
const read = (body: string) => wholeBody(body, 'chat');

it('is read like a stream', () => {
  const body = message(
    [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'ab' },
      { type: 'text', text: 'cd', citations: [{ type: 'web_search_result_location', url: 'https://a.example', title: 'T' }] },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
      { type: 'tool_use', id: 'u', name: 'g', input: {} },
    ],
    { stop_reason: 'tool_use' },
  );
  const signature = { type: 'signature', choice: 0, format: 'anthropic-claude-v1', tool: null };
  const usage = { promptTokens: 5, completionTokens: 4, totalTokens: 9, cachedTokens: 3, cacheWriteTokens: 0, reasoningTokens: null, reported: { dialect: 'anthropic', usage: { input_tokens: 2, cache_read_input_tokens: 3, output_tokens: 4 } } };
  expect(read(body)).toEqual({
    ok: true,
    model: 'm',
    usage,
    events: [
      { type: 'identity', id: 'msg_1', created: 0, model: 'm' },
      { type: 'choice', choice: 0 },
      { type: 'reasoning', choice: 0, text: 'hm' },
      { ...signature, kind: 'signature', data: 's' },
      { ...signature, kind: 'encrypted', data: 'x' },
      { type: 'text', choice: 0, text: 'ab' },
      { type: 'text', choice: 0, text: 'cd' },
      { type: 'annotation', choice: 0, annotation: { url: 'https://a.example', title: 'T', startIndex: 2, endIndex: 4 } },
      { type: 'dropped', what: 'server_tool_use' },
      { type: 'tool_call', choice: 0, index: 0, id: 't', name: 'f', arguments: '' },
      { type: 'tool_call', choice: 0, index: 0, id: null, name: null, arguments: '{"a":1}' },
      { type: 'tool_call', choice: 0, index: 1, id: 'u', name: 'g', arguments: '' },
      { type: 'tool_call', choice: 0, index: 1, id: null, name: null, arguments: '{}' },
      { type: 'usage', usage },
      { type: 'finish', choice: 0, reason: 'tool_calls', native: 'tool_use', stopSequence: null },
    ],
  });
});

it('may be empty, and may be cut inside of a call', () => {
  expect(read(message([], { stop_reason: 'refusal' }))).toMatchObject({ ok: true });
  expect(read(message([{ type: 'tool_use', id: 't', name: 'f', input: {} }], { stop_reason: 'max_tokens' }))).toMatchObject({ ok: true, events: expect.not.arrayContaining([expect.objectContaining({ arguments: '{}' })]) });
});

it('a count is free, and none without a number', () => {
  expect(wholeBody('{"input_tokens":14}', 'count_tokens')).toMatchObject({ ok: true, model: null, usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 } });
  for (const body of ['{}', '{"input_tokens":"14"}', '[]']) expect(wholeBody(body, 'count_tokens')).toMatchObject({ ok: false, failure: { class: 'malformed' } });
});

describe('what is no answer', () => {
  it.each([
    ['', 'malformed'],
    ['<html>', 'malformed'],
    ['{"id":', 'malformed'],
    ['[]', 'malformed'],
    ['{}', 'malformed'],
    ['{"type":"message"}', 'malformed'],
    [message('text'), 'malformed'],
    [message([7]), 'malformed'],
    [message([{ type: 'tool_use', id: 't' }]), 'malformed'],
    [message([], { stop_reason: null }), 'malformed'],
    [message([], { stop_reason: 'banana' }), 'server_error'],
    ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'overloaded'],
    ['{"error":{"message":"x","code":429}}', 'rate_limited'],
    [message([{ type: 'text', text: 'a' }], { error: { type: 'overloaded_error', message: 'Overloaded' } }), 'overloaded'],
    [message([{ type: 'text', text: 'a', x: 1 }]).replace('"x":1', `"x":${'['.repeat(9000)}${']'.repeat(9000)}`), 'malformed'],
  ])('%.80s is %s', (body, cls) => {
    expect(read(body)).toMatchObject({ ok: false, failure: { class: cls } });
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.json(), fc.string(), fc.jsonValue().map((value) => message(value)), fc.array(fc.record({ type: fc.constantFrom('text', 'tool_use', 'thinking', '__proto__'), text: fc.jsonValue(), input: fc.jsonValue(), name: fc.jsonValue(), citations: fc.jsonValue() })).map((content) => message(content))), (body) => void [read(body), wholeBody(body, 'count_tokens')]));
  });
});
