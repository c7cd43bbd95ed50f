import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openaiResponses } from '.';

const at = (type: string, rest: Record<string, unknown>) => JSON.stringify({ type, sequence_number: 0, output_index: 0, ...rest });
const readAll = (...datas: string[]) => {
  const reader = openaiResponses.streamReader();
  return datas.flatMap((data) => reader.read(data, '').events);
};
const text = (of: string) => ({ type: 'text', choice: 0, text: of });
const reasoning = (of: string) => ({ type: 'reasoning', choice: 0, text: of });
const tool = (index: number, id: string | null, name: string | null, args: string) => ({ type: 'tool_call', choice: 0, index, id, name, arguments: args });
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '' };

describe('every character is told once', () => {
  it('when a text comes as deltas, done, part, item and response', () => {
    const part = { type: 'output_text', text: 'Hello', annotations: [] };
    const item = { type: 'message', content: [part] };
    const whole = { id: 'r', status: 'completed', output: [item] };
    expect(
      readAll(
        at('response.output_text.delta', { content_index: 0, delta: 'Hel' }),
        at('response.output_text.delta', { content_index: 0, delta: 'lo' }),
        at('response.output_text.done', { content_index: 0, text: 'Hello' }),
        at('response.content_part.done', { content_index: 0, part }),
        at('response.output_item.done', { item }),
        at('response.completed', { response: whole }),
      ).filter(({ type }) => type === 'text'),
    ).toEqual([text('Hel'), text('lo')]);
  });

  it.each([
    ['done', at('response.output_text.done', { content_index: 0, text: 'Hello' })],
    ['the part', at('response.content_part.done', { content_index: 0, part: { type: 'output_text', text: 'Hello' } })],
    ['the item', at('response.output_item.done', { item: { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] } })],
    ['the response', at('response.completed', { response: { output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }] } })],
  ])('when it comes only with %s', (_, data) => {
    expect(readAll(data).filter(({ type }) => type === 'text')).toEqual([text('Hello')]);
  });

  it('even when a delta was lost: where it stood is not guessed', () => {
    expect(readAll(at('response.output_text.delta', { delta: 'Hel' }), at('response.output_text.done', { text: 'Hello' }))).toEqual([text('Hel')]);
  });

  it('of several messages and parts', () => {
    const delta = (output_index: number, content_index: number, of: string) => at('response.output_text.delta', { output_index, content_index, delta: of });
    expect(readAll(delta(0, 0, 'a'), delta(1, 0, 'b'), delta(0, 1, 'c'), at('response.output_text.done', { output_index: 1, content_index: 0, text: 'b' }))).toEqual([text('a'), text('b'), text('c')]);
  });
});

describe('a delta like the one before', () => {
  const delta = (sequence: number, of: string, more: Record<string, unknown> = {}) => JSON.stringify({ type: 'response.output_text.delta', sequence_number: sequence, item_id: 'm', output_index: 0, content_index: 0, delta: of, logprobs: [], obfuscation: 'xyz', ...more });

  it('means what it would mean if it were parsed', () => {
    const odd = ['plain', ' "', '\\', '\n', 'ü', '', '"delta":"', '"obfuscation":"', '}', '"}', '😀'];
    fc.assert(
      fc.property(fc.array(fc.record({ sequence: fc.nat(), text: fc.oneof(fc.constantFrom(...odd), fc.string()), padding: fc.oneof(fc.constantFrom('', 'abc'), fc.string()), output: fc.constantFrom(0, 0, 0, 1) })), (deltas) => {
        const datas = deltas.map(({ sequence, text: of, padding, output }) => delta(sequence, of, { obfuscation: padding, output_index: output }));
        const reader = openaiResponses.streamReader();
        const told = datas.map((data) => reader.read(data, 'response.output_text.delta'));
        expect(told).toEqual(datas.map((data) => openaiResponses.streamReader().read(data, 'response.output_text.delta')));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is malformed where it is no JSON', () => {
    const reader = openaiResponses.streamReader();
    reader.read(delta(5, 'a'), '');
    for (const data of [delta(6, 'b').replace(':6,', ':06,'), delta(6, 'b').replace(':6,', ':,'), delta(6, 'b').slice(0, -1), `${delta(6, 'b')}"}`, delta(6, 'b').replace('xyz', 'x"yz')]) {
      expect(reader.read(data, '').events).toMatchObject([{ type: 'malformed' }]);
    }
  });

  it('counts: its text is not told again', () => {
    expect(readAll(delta(5, 'a'), delta(6, 'b'), delta(7, 'c'), at('response.output_text.done', { content_index: 0, text: 'abc' }))).toEqual([text('a'), text('b'), text('c')]);
  });
});

describe('tool calls', () => {
  const args = (output_index: number, delta: string) => at('response.function_call_arguments.delta', { output_index, item_id: String(Math.random()), delta });

  it('in parallel are told apart by output index, and counted from 0', () => {
    expect(
      readAll(
        at('response.output_item.added', { output_index: 1, item: call }),
        at('response.output_item.added', { output_index: 2, item: { ...call, call_id: 'call_2', name: 'g' } }),
        args(1, '{"a":'),
        args(2, '{"b":'),
        args(1, '1}'),
        args(2, '2}'),
      ),
    ).toEqual([tool(0, 'call_1', 'f', ''), tool(1, 'call_2', 'g', ''), tool(0, null, null, '{"a":'), tool(1, null, null, '{"b":'), tool(0, null, null, '1}'), tool(1, null, null, '2}')]);
  });

  it('without arguments have an empty object of them', () => {
    expect(readAll(at('response.output_item.added', { item: call }), at('response.output_item.done', { item: call }))).toEqual([tool(0, 'call_1', 'f', ''), tool(0, null, null, '{}')]);
  });

  it('that come only whole are begun and filled', () => {
    expect(readAll(at('response.output_item.done', { item: { ...call, arguments: '{"x":1}' } }))).toEqual([tool(0, 'call_1', 'f', ''), tool(0, null, null, '{"x":1}')]);
  });

  it('of custom tools carry their input', () => {
    const item = { type: 'custom_tool_call', call_id: 'c', name: 'sh', input: '' };
    expect(readAll(at('response.output_item.added', { item }), at('response.custom_tool_call_input.delta', { delta: 'ls' }), at('response.custom_tool_call_input.done', { input: 'ls' }))).toEqual([tool(0, 'c', 'sh', ''), tool(0, null, null, 'ls')]);
  });

  it('make a completed answer one of tool_calls', () => {
    expect(readAll(at('response.output_item.added', { item: call }), at('response.completed', { response: {} })).at(-1)).toEqual({ type: 'finish', choice: 0, reason: 'tool_calls', native: 'completed', stopSequence: null });
  });
});

describe('reasoning', () => {
  it('of several summary parts is one text of paragraphs', () => {
    const summary = (summary_index: number, delta: string) => at('response.reasoning_summary_text.delta', { summary_index, delta });
    expect(readAll(summary(0, 'a'), summary(0, 'b'), summary(1, 'c'))).toEqual([reasoning('a'), reasoning('b'), reasoning('\n\nc')]);
  });

  it('may come in the open', () => {
    expect(readAll(at('response.reasoning_text.delta', { delta: 'hm' }), at('response.reasoning_text.done', { text: 'hm' }))).toEqual([reasoning('hm')]);
  });

  it('that is encrypted is a signature of this wire', () => {
    expect(readAll(at('response.output_item.done', { item: { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'gAAA' } }))).toEqual([
      { type: 'signature', choice: 0, format: 'openai-responses-v1', kind: 'encrypted', data: 'gAAA', tool: null },
    ]);
  });
});

it('citations are annotations, other kinds are named as dropped, once', () => {
  const added = (annotation: object) => at('response.output_text.annotation.added', { annotation });
  const cited = { type: 'url_citation', url: 'https://x.test', title: 'X', start_index: 1, end_index: 2 };
  expect(readAll(added(cited), added({ type: 'file_citation' }), added({ type: 'file_citation' }))).toEqual([
    { type: 'annotation', choice: 0, annotation: { url: 'https://x.test', title: 'X', startIndex: 1, endIndex: 2 } },
    { type: 'dropped', what: 'file_citation' },
  ]);
});

it('log probabilities come before the text that they belong to', () => {
  expect(readAll(at('response.output_text.delta', { delta: 'a', logprobs: [{ token: 'a', logprob: -1 }] }))).toEqual([{ type: 'logprobs', choice: 0, logprobs: { content: [{ token: 'a', logprob: -1 }], refusal: null } }, text('a')]);
});

describe('endings', () => {
  it.each([
    ['response.incomplete', { incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    ['response.incomplete', { incomplete_details: { reason: 'content_filter' } }, 'content_filter'],
    ['response.completed', { status: 'completed' }, 'stop'],
  ])('%s %j is %s', (type, response, reason) => {
    expect(readAll(at(type, { response })).at(-1)).toMatchObject({ type: 'finish', reason });
  });

  it.each([
    ['response.incomplete', { incomplete_details: { reason: 'banana' } }, 'server_error'],
    ['response.incomplete', {}, 'server_error'],
    ['response.completed', { status: 'cancelled' }, 'server_error'],
    ['response.completed', { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'slow' } }, 'rate_limited'],
    ['response.failed', { error: null }, 'server_error'],
    ['response.failed', { error: { code: 'server_error', message: 'x' } }, 'server_error'],
    ['response.failed', { error: { code: 'invalid_image_url', message: 'x' } }, 'invalid_request'],
    ['response.failed', { error: { code: 'context_length_exceeded', message: 'x' } }, 'context_length'],
  ])('%s %j is an error of class %s, and its frame is not relayed', (type, response, cls) => {
    const frame = openaiResponses.streamReader().read(at(type, { response }), '');
    expect([frame.data, frame.events.at(-1)]).toMatchObject([null, { type: 'error', failure: { class: cls } }]);
  });

  it('a failed response still tells its usage', () => {
    expect(readAll(at('response.failed', { response: { usage: { input_tokens: 5, output_tokens: 1, total_tokens: 6 } } })).find(({ type }) => type === 'usage')).toMatchObject({ usage: { promptTokens: 5 } });
  });

  it('[DONE] is no part of this API and ends it all the same', () => {
    expect(readAll('[DONE]')).toEqual([{ type: 'terminator' }]);
  });
});

describe('frames that are no event', () => {
  it.each(['{', 'null', '7', '[]', '{}', '{"type":7}', '{"choices":[]}', at('response.output_text.delta', { delta: 7 }), at('response.output_item.added', { item: null }), at('response.completed', {})])('%s is malformed and not relayed', (data) => {
    expect(openaiResponses.streamReader().read(data, '')).toMatchObject({ data: null, events: [{ type: 'malformed' }] });
  });

  it.each(['{"type":"error","message":"x"}', '{"error":"x"}', '{"detail":"x"}', '{"type":"error","error":{"message":"x"}}', '{"code":"x","error":"text"}'])('%s is an error', (data) => {
    expect(openaiResponses.streamReader().read(data, '')).toMatchObject({ data: null, events: [{ type: 'error' }] });
  });

  it('an event called error is one whatever its data', () => {
    expect(openaiResponses.streamReader().read('{"foo":1}', 'error').events[0]?.type).toBe('error');
  });

  it('an unknown event is relayed under its own type, unless that would break out of its line', () => {
    const reader = openaiResponses.streamReader();
    expect(reader.read('{"type":"response.new.thing"}', '')).toEqual({ data: '{"type":"response.new.thing"}', name: 'response.new.thing', events: [] });
    expect(reader.read('{"type":"a\\ndata: x"}', '').name).toBe('');
  });
});

it('whatever comes, nothing throws and every event is one of ours', () => {
  const types = ['response.created', 'response.output_item.added', 'response.output_item.done', 'response.content_part.done', 'response.output_text.delta', 'response.output_text.done', 'response.function_call_arguments.delta', 'response.function_call_arguments.done', 'response.reasoning_summary_text.delta', 'response.output_text.annotation.added', 'response.completed', 'response.incomplete', 'response.failed', 'error', 'x'];
  const loose = fc.oneof(fc.constantFrom('message', 'reasoning', 'function_call', 'custom_tool_call', 'output_text', 'refusal', 'completed'), fc.jsonValue({ maxDepth: 2 }));
  const object = fc.dictionary(fc.constantFrom('type', 'id', 'call_id', 'name', 'arguments', 'content', 'summary', 'text', 'output', 'status', 'error', 'usage', 'incomplete_details', 'encrypted_content', '__proto__'), loose);
  const event = fc.record(
    { type: fc.constantFrom(...types), output_index: loose, content_index: loose, summary_index: loose, delta: loose, text: loose, arguments: loose, item: fc.oneof(object, loose), part: fc.oneof(object, loose), annotation: fc.oneof(object, loose), response: fc.oneof(object, loose), error: fc.option(object), logprobs: loose },
    { requiredKeys: ['type'] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(event.map((value) => JSON.stringify(value)), fc.json(), fc.string()), { maxLength: 12 }), (datas) => {
      const reader = openaiResponses.streamReader();
      for (const data of datas) {
        const frame = reader.read(data, '');
        for (const each of frame.events) {
          if ('text' in each) expect(each.text).not.toBe('');
          if (each.type === 'tool_call') expect([typeof each.arguments, each.index >= 0]).toEqual(['string', true]);
        }
        if (frame.data !== null) expect(() => JSON.parse(frame.data!)).not.toThrow();
      }
    }),
    { numRuns: 1_000 },
  );
});
