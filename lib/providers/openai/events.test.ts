import { describe, expect, it } from 'vitest';
import { openai } from '.';

const chunk = (delta: unknown, rest: Record<string, unknown> = {}) => JSON.stringify({ choices: [{ index: 0, delta, ...rest }] });
const readAll = (...datas: string[]) => {
  const reader = openai.streamReader();
  return datas.flatMap((data) => reader.read(data, '').events).filter(({ type }) => type !== 'choice');
};
const tool = (index: number, id: string | null, name: string | null, args: string) => ({ type: 'tool_call', choice: 0, index, id, name, arguments: args });
const call = (members: Record<string, unknown>) => chunk({ tool_calls: [members] });

describe('tool calls', () => {
  it('without an index are told apart by id', () => {
    expect(
      readAll(
        call({ id: 'a', function: { name: 'f', arguments: '{' } }),
        call({ function: { arguments: '}' } }),
        call({ id: 'b', function: { name: 'g', arguments: '{}' } }),
        call({ id: 'a', function: { arguments: ' ' } }),
      ),
    ).toEqual([tool(0, 'a', 'f', '{'), tool(0, null, null, '}'), tool(1, 'b', 'g', '{}'), tool(0, null, null, ' ')]);
  });

  it('without an index in one frame are told apart by position', () => {
    const both = (x: string) => chunk({ tool_calls: [{ function: { name: 'f', arguments: x } }, { function: { name: 'g', arguments: x } }] });
    expect(readAll(both('{'), both('}'))).toEqual([tool(0, null, 'f', '{'), tool(1, null, 'g', '{'), tool(0, null, null, '}'), tool(1, null, null, '}')]);
  });

  it('that reuse an index under a new id and name are not merged', () => {
    expect(readAll(call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }), call({ index: 0, id: 'b', function: { name: 'g', arguments: '{}' } }), call({ index: 0, function: { arguments: 'x' } }))).toEqual([
      tool(0, 'a', 'f', '{}'),
      tool(1, 'b', 'g', '{}'),
      tool(1, null, null, 'x'),
    ]);
  });

  it('whose every delta has a made-up id stay one call, and empty ids and names overwrite nothing', () => {
    expect(readAll(call({ index: 3, id: 'a', function: { name: 'f', arguments: '' } }), call({ index: 3, id: 'z', function: { name: '', arguments: '1' } }), call({ index: 3, id: '', function: { name: 'f', arguments: '2' } }))).toEqual([
      tool(0, 'a', 'f', ''),
      tool(0, null, null, '1'),
      tool(0, null, null, '2'),
    ]);
  });

  it('may come as the old function_call, or with arguments that are an object', () => {
    expect(readAll(chunk({ function_call: { name: 'f', arguments: '{}' } }))).toEqual([{ ...tool(0, null, 'f', '{}'), spelled: 'function_call' }]);
    expect(readAll(call({ id: 'a', function: { name: 'f', arguments: { x: 1 } } }))).toEqual([{ ...tool(0, 'a', 'f', '{"x":1}'), spelled: 'other' }]);
  });

  it('that are null or empty are nothing', () => {
    expect(readAll(chunk({ tool_calls: null, function_call: null, audio: null, refusal: null }), chunk({ tool_calls: [] }))).toEqual([]);
  });
});

describe('endings', () => {
  it.each(['error', 'network_error', 'abort', 'cancelled', 'insufficient_system_resource', 'MALFORMED_FUNCTION_CALL', 7])('finish_reason %j is an error, and its frame is not relayed', (reason) => {
    const frame = openai.streamReader().read(chunk({}, { finish_reason: reason }), '');
    expect(frame.data).toBeNull();
    expect(frame.events.at(-1)).toMatchObject({ type: 'error', failure: { class: 'server_error' } });
  });

  it.each([
    ['STOP', 'stop'],
    ['end_turn', 'stop'],
    ['COMPLETE', 'stop'],
    ['eos', 'stop'],
    ['max_tokens', 'length'],
    ['pause_turn', 'length'],
    ['tool_use', 'tool_calls'],
    ['sensitive', 'content_filter'],
    ['SAFETY', 'content_filter'],
  ])('finish_reason %j is %s, in the frame that the upstream wrote', (word, reason) => {
    const data = chunk({}, { finish_reason: word });
    const frame = openai.streamReader().read(data, '');
    expect([frame.data, frame.events.at(-1)]).toEqual([data, { type: 'finish', choice: 0, reason, native: word, stopSequence: null }]);
  });

  it.each([[null], [''], ['null'], [undefined]])('finish_reason %j is none', (reason) => {
    expect(readAll(chunk({ content: 'x' }, { finish_reason: reason }))).toEqual([{ type: 'text', choice: 0, text: 'x' }]);
  });
});

describe('usage', () => {
  it('may stand anywhere and is given whole each time', () => {
    const usage = { prompt_tokens: 69, completion_tokens: 0, total_tokens: 69 };
    for (const frame of [{ choices: [], usage }, { usage }, { choices: [{ index: 0, delta: {} }], usage }, { choices: [], x_groq: { usage } }]) {
      expect(readAll(JSON.stringify(frame))).toEqual([
        { type: 'usage', usage: { promptTokens: 69, completionTokens: 0, totalTokens: 69, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null, reported: { dialect: 'openai', usage } } },
      ]);
    }
    expect(readAll(JSON.stringify({ choices: [], usage: null }))).toEqual([]);
    expect(readAll(JSON.stringify({ choices: [], usage: {} }))).toEqual([]);
  });

  it('reads cache hits in every spelling', () => {
    const cached = (usage: object) => readAll(JSON.stringify({ choices: [], usage: { prompt_tokens: 9, ...usage } })).map((event) => event.type === 'usage' && event.usage.cachedTokens);
    expect(cached({ prompt_tokens_details: { cached_tokens: 4 } })).toEqual([4]);
    expect(cached({ prompt_cache_hit_tokens: 5, prompt_cache_miss_tokens: 4 })).toEqual([5]);
    expect(cached({ prompt_tokens_details: { cached_tokens: 0 }, prompt_cache_hit_tokens: 0 })).toEqual([0]);
  });
});

describe('frames that are no chunk', () => {
  it.each([
    ['{', 'not JSON'],
    ['hello', 'not JSON'],
    ['[DONE', 'not JSON'],
    ['null', 'not a JSON object'],
    ['7', 'not a JSON object'],
    ['[]', 'not a JSON object'],
    ['{}', 'no chat completion chunk'],
    ['{"foo":1}', 'no chat completion chunk'],
    ['{"choices":"x"}', 'no chat completion chunk'],
    ['{"choices":[7]}', 'not an object'],
    ['{"choices":[{"index":0,"delta":"x"}]}', 'not an object'],
    ['{"choices":[{"index":0,"delta":{"content":7}}]}', 'content is neither'],
    ['{"choices":[{"index":0,"delta":{"tool_calls":{}}}]}', 'tool_calls is not'],
    ['{"object":"chat.completion","choices":[{"index":0,"message":{"content":"x"},"finish_reason":"stop"}]}', 'whole completion'],
  ])('%s is malformed and not relayed', (data, detail) => {
    expect(openai.streamReader().read(data, '')).toEqual({ data: null, name: '', events: [{ type: 'malformed', detail: expect.stringContaining(detail) }] });
  });

  it('a ping is nothing, and is not relayed', () => {
    expect(openai.streamReader().read('{"type":"ping"}', '')).toEqual({ data: null, name: '', events: [] });
  });

  it.each(['{"error":"x"}', '{"error":{"code":500}}', '{"detail":"x"}', '{"object":"error","message":"x"}', '{"error_type":"x"}', '{"choices":[],"error":{"message":"x"}}', '{"message":"x","code":"y"}'])('%s is an error', (data) => {
    const frame = openai.streamReader().read(data, '');
    expect(frame.data).toBeNull();
    expect(frame.events.at(-1)?.type).toBe('error');
  });

  it('an event called error is one whatever its data', () => {
    expect(openai.streamReader().read('{"foo":1}', 'error').events[0]?.type).toBe('error');
  });
});

describe('lines outside the framing', () => {
  it('a JSON error over many lines is one error', () => {
    const reader = openai.streamReader();
    const lines = JSON.stringify({ error: { code: 503, message: 'gone' } }, null, 2).split('\n');
    expect(lines.slice(0, -1).map((line) => reader.stray(line)).every((frame) => frame === null)).toBe(true);
    expect(reader.stray(lines.at(-1)!)).toMatchObject({ data: null, events: [{ type: 'error', failure: { class: 'overloaded', upstreamStatus: 503 } }] });
  });

  it('a page is one malformed event, however many lines it has', () => {
    const reader = openai.streamReader();
    expect(reader.stray('<html>')).toMatchObject({ events: [{ type: 'malformed' }] });
    expect([reader.stray('<body>'), reader.stray('{'), reader.stray('</html>')]).toEqual([null, null, null]);
  });

  it('JSON that never ends is given up on', () => {
    const reader = openai.streamReader();
    const frames = Array.from({ length: 100 }, () => reader.stray(`{${'x'.repeat(1000)}`)).filter((frame) => frame !== null);
    expect(frames).toMatchObject([{ events: [{ type: 'malformed' }] }]);
  });
});

it('relays a frame as the upstream wrote it', () => {
  const data = '{ "id":"x", "created":1, "model":"m", "choices":[ {"index":0,"delta":{"content":"\\u00e9","x":1e400}} ], "vendor":12345678901234567890 }';
  expect(openai.streamReader().read(data, '')).toEqual({
    data,
    name: '',
    events: [
      { type: 'identity', id: 'x', created: 1, model: 'm' },
      { type: 'choice', choice: 0 },
      { type: 'text', choice: 0, text: 'é' },
      { type: 'dropped', what: 'x' }, // relayed all the same; who writes frames of its own has no words for it
    ],
  });
});

it('survives a member called __proto__ and any other JSON', () => {
  for (const data of ['{"__proto__":{"choices":[]}}', '{"choices":[{"__proto__":1}]}', '{"choices":[{"delta":{"__proto__":{"content":"x"}}}]}', '{"choices":[{"index":-1,"delta":{}}]}', '{"choices":[{"index":"0","delta":{"content":null}}]}']) {
    expect(() => openai.streamReader().read(data, '')).not.toThrow();
  }
});

it('what is nested deeper than could be written again is malformed, in the framing or outside of it', () => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000);
  for (const data of [`{"choices":[{"index":0,"delta":{"tool_calls":[{"function":{"name":"f","arguments":${deep}}}]}}]}`, `{"error":${deep}}`]) {
    expect(openai.streamReader().read(data, '').events[0]?.type).toBe('malformed');
    expect(openai.streamReader().stray(data)?.events[0]?.type).toBe('malformed');
  }
});
