import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { adapterFor } from '../../providers';
import { createSseReader, type Frame, type StreamEvent } from '../../wire';
import { messages } from './index';
import { CONTEXT, ESTIMATE, finish, reasoning, signature, text, tool, USAGE } from './test-events';

const folder = new URL('./__fixtures__/', import.meta.url);
const NOTHING_YET = { identity: null, usage: null, finishReason: null };

interface SseEvent {
  name: string;
  data: Record<string, unknown>;
}

/** Events as a client's parser gives them. */
function parsed(stream: string): SseEvent[] {
  return stream.split('\n\n').filter((event) => event !== '').map((event) => {
    const [first, second] = event.split('\n') as [string, string];
    if (!first.startsWith('event: ') || !second.startsWith('data: ')) throw new Error(`not an event of this API: ${event}`);
    return { name: first.slice(7), data: JSON.parse(second.slice(6)) as Record<string, unknown> };
  });
}

/** What the surface writes for events of another dialect, the last of them stashed as the engine would. */
function written(events: StreamEvent[], { usage = USAGE as typeof USAGE | null, malformed = 0 } = {}): SseEvent[] {
  const writer = messages.writer(CONTEXT);
  const last = events.findIndex(({ type }) => type === 'finish');
  const frame = (event: StreamEvent): Frame => ({ data: '{}', name: '', events: [event] });
  const head = (last === -1 ? events : events.slice(0, last)).map((event) => writer.frame(frame(event))).join('');
  const stash = last === -1 ? [] : events.slice(last).map(frame);
  return parsed(head + writer.closing(stash, { ...NOTHING_YET, usage }, malformed, ESTIMATE));
}

const shape = (events: SseEvent[]) =>
  events.map(({ name, data }) => {
    if (name === 'content_block_start') return `start ${String(data.index)} ${String((data.content_block as { type: string }).type)}`;
    if (name === 'content_block_delta') {
      const { type, ...value } = data.delta as Record<string, unknown>;
      return `${String(data.index)} ${String(type)} ${JSON.stringify(Object.values(value)[0])}`;
    }
    if (name === 'content_block_stop') return `stop ${String(data.index)}`;
    return name === 'message_delta' ? `${name} ${String((data.delta as { stop_reason: string }).stop_reason)}` : name;
  });

describe('recorded OpenAI streams become the recorded message events', () => {
  const recorded = readdirSync(folder).filter((file) => file.endsWith('.in.sse')).map((file) => file.replace('.in.sse', ''));
  let equal = 0;
  afterAll(() => console.log(`messages surface: ${equal} of ${recorded.length} reverse fixtures`));
  for (const name of recorded) {
    test(name, () => {
      const events = fromOpenAi(readFileSync(new URL(`${name}.in.sse`, folder)));
      const expected = parsed(readFileSync(new URL(`${name}.anthropic.sse`, folder), 'utf8'));
      const got = name.startsWith('error') ? failing(events) : written(events.filter(({ type }) => type !== 'usage'), { usage: usageIn(events) });
      expect(withoutIds(got)).toEqual(withoutIds(expected));
      equal++;
    });
  }

  function fromOpenAi(bytes: Buffer): StreamEvent[] {
    const events: StreamEvent[] = [];
    const reader = adapterFor('openai').streamReader();
    const fail = () => expect.unreachable();
    const sse = createSseReader({ onEvent: (data, name) => void events.push(...reader.read(data, name).events), onInvalid: fail, onStray: fail, onOverflow: fail });
    sse.feed(bytes);
    sse.end();
    return events.filter(({ type }) => type !== 'terminator');
  }

  function failing(events: StreamEvent[]): SseEvent[] {
    const writer = messages.writer(CONTEXT);
    const shown = events.filter(({ type }) => type !== 'error').map((event) => writer.frame({ data: '{}', name: '', events: [event] }));
    return parsed(shown.join('') + writer.truncated({ message: 'upstream closed', type: 'upstream_error', code: 'stream_truncated', param: null }));
  }

  const usageIn = (events: StreamEvent[]) => (events.findLast(({ type }) => type === 'usage') as { usage: typeof USAGE } | undefined)?.usage ?? null;

  /** Ids and the gateway's own additions to an error are not part of the comparison. */
  const withoutIds = (events: SseEvent[]) =>
    events.map(({ name, data }) => {
      if (name === 'message_start') return { name, data: { ...data, message: { ...(data.message as object), id: 'msg' } } };
      const { type, message } = (data.error ?? {}) as Record<string, unknown>;
      return name === 'error' ? { name, data: { type: 'error', error: { type, message } } } : { name, data };
    });
});

describe('blocks never interleave', () => {
  test('tool calls that do are told apart, and the first streams while the second waits', () => {
    const events = [tool(0, '{"a"', 'call_A', 'f'), tool(1, '{"b"', 'call_B', 'g'), tool(0, ':1}'), tool(1, ':2}'), finish('tool_calls')];
    expect(shape(written(events))).toEqual([
      'message_start',
      'start 0 tool_use', '0 input_json_delta "{\\"a\\""', '0 input_json_delta ":1}"', 'stop 0',
      'start 1 tool_use', '1 input_json_delta "{\\"b\\""', '1 input_json_delta ":2}"', 'stop 1',
      'message_delta tool_use', 'message_stop',
    ]);
  });

  test('a brace in a string does not end a call', () => {
    const events = [tool(0, '{"a":"}\\"', 'A', 'f'), tool(1, '{}', 'B', 'g'), tool(0, '}"}'), finish('tool_calls')];
    expect(shape(written(events))).toEqual(['message_start', 'start 0 tool_use', '0 input_json_delta "{\\"a\\":\\"}\\\\\\""', '0 input_json_delta "}\\"}"', 'stop 0', 'start 1 tool_use', '1 input_json_delta "{}"', 'stop 1', 'message_delta tool_use', 'message_stop']);
  });

  test('text behind an unfinished call waits for it, and what never finishes is written at the end as it is', () => {
    const events = [tool(0, '{"a', 'A', 'f'), text('so'), tool(1, '{"b', 'B', 'g'), finish('length')];
    expect(shape(written(events))).toEqual([
      'message_start', 'start 0 tool_use', '0 input_json_delta "{\\"a"', 'stop 0', 'start 1 text', '1 text_delta "so"', 'stop 1', 'start 2 tool_use', '2 input_json_delta "{\\"b"', 'stop 2', 'message_delta max_tokens', 'message_stop',
    ]);
  });

  test('a call without arguments gets an empty object, an id and its name', () => {
    const events = written([tool(0, '', null, 'now'), finish('tool_calls')]);
    expect(events[1]!.data.content_block).toMatchObject({ type: 'tool_use', name: 'now', id: 'toolu_call_1_0', input: {} });
    expect(shape(events)[2]).toBe('0 input_json_delta "{}"');
  });

  test('a hundred thousand interleaved pieces take no time to speak of', () => {
    const events: StreamEvent[] = [];
    for (let piece = 0; piece < 100_000; piece++) events.push(tool(piece % 1_000, piece < 1_000 ? '{"a":"' : piece >= 99_000 ? '"}' : 'x', `id${piece % 1_000}`, 'f'));
    const started = performance.now();
    const blocks = written([...events, finish('tool_calls')]).filter(({ name }) => name === 'content_block_start');
    expect([blocks.length, performance.now() - started < 3_000]).toEqual([1_000, true]);
  });
});

describe('reasoning', () => {
  test('a signature ends its thinking block, an encrypted block stands alone', () => {
    const events = [reasoning('hm'), signature('c2ln'), signature('ZW5j', { kind: 'encrypted' }), reasoning('so'), text('4'), finish('stop')];
    expect(shape(written(events))).toEqual([
      'message_start', 'start 0 thinking', '0 thinking_delta "hm"', '0 signature_delta "c2ln"', 'stop 0', 'start 1 redacted_thinking', 'stop 1',
      'start 2 thinking', '2 thinking_delta "so"', 'stop 2', 'start 3 text', '3 text_delta "4"', 'stop 3', 'message_delta end_turn', 'message_stop',
    ]);
  });

  test("another wire's signature never passes for one of this API's, and is known again when it comes back", () => {
    const google = { format: 'google-gemini-v1' };
    const events = written([reasoning('hm'), signature('Zw==', google), tool(0, '{}', 'call_A', 'f'), signature('dG9vbA==', { ...google, tool: 0 }), finish('tool_calls')]);
    const marked = (events.find(({ data }) => (data.delta as { type?: string } | undefined)?.type === 'signature_delta')!.data.delta as { signature: string }).signature;
    const redacted = events.map(({ data }) => data.content_block as { type: string; data: string } | undefined).find((block) => block?.type === 'redacted_thinking')!;
    const turn = { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: marked }, { type: 'tool_use', id: 'call_A', name: 'f', input: {} }, redacted] };
    const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }, turn, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_A', content: 'ok' }] }] };
    const canonical = messages.canonical(body);
    expect(canonical.ok && (canonical.chat.body.messages as object[])[1]).toMatchObject({
      reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 'Zw==', format: 'google-gemini-v1' }],
      tool_calls: [{ id: 'call_A', extra_content: { google: { thought_signature: 'dG9vbA==' } } }],
    });
    const own = JSON.parse(messages.ownText!(JSON.stringify(body), body)!.text) as typeof body;
    expect((own.messages[1] as typeof turn).content).toEqual([{ type: 'tool_use', id: 'call_A', name: 'f', input: {} }]);
  });
});

describe('the ending', () => {
  const reason = (events: StreamEvent[], rest = {}) => written([text('x'), ...events], rest).find(({ name }) => name === 'message_delta')!.data;
  test.each([
    ['stop', {}, { stop_reason: 'end_turn', stop_sequence: null }],
    ['stop', { stopSequence: 'X' }, { stop_reason: 'stop_sequence', stop_sequence: 'X' }],
    ['length', {}, { stop_reason: 'max_tokens', stop_sequence: null }],
    ['tool_calls', {}, { stop_reason: 'tool_use', stop_sequence: null }],
    ['function_call', {}, { stop_reason: 'tool_use', stop_sequence: null }],
    ['content_filter', {}, { stop_reason: 'refusal', stop_sequence: null }],
  ] as const)('%s %o', (word, rest, expected) => expect(reason([finish(word, rest)]).delta).toEqual(expected));

  test('a message with tool calls ends in tool_use whatever the upstream called it', () => {
    expect(reason([tool(0, '{}', 'A', 'f'), finish('stop')]).delta).toMatchObject({ stop_reason: 'tool_use' });
  });

  test('a refusal is text and says so in the reason', () => {
    const events = written([{ type: 'refusal', choice: 0, text: 'no' }, finish('stop')]);
    expect(shape(events)).toEqual(['message_start', 'start 0 text', '0 text_delta "no"', 'stop 0', 'message_delta refusal', 'message_stop']);
  });

  test('an answer with nothing in it is still a message', () => {
    expect(shape(written([finish('stop')]))).toEqual(['message_start', 'message_delta end_turn', 'message_stop']);
  });

  test('what was lost, and the upstream’s own word, are named in message_delta', () => {
    const data = reason([{ type: 'dropped', what: 'image' }, { type: 'audio', choice: 0 }, finish('content_filter', { native: 'SAFETY' })], { malformed: 1 });
    expect(data.ohm).toEqual({ malformed_events: 1, dropped: ['image', 'audio'], native_finish_reason: 'SAFETY' });
    expect(reason([finish('stop')])).not.toHaveProperty('ohm');
  });

  test('tokens read from and written to the cache are counted apart', () => {
    const usage = { promptTokens: 100, completionTokens: 5, totalTokens: 105, cachedTokens: 60, cacheWriteTokens: 30, reasoningTokens: 3 };
    expect(reason([finish('stop')], { usage }).usage).toEqual({ input_tokens: 10, cache_creation_input_tokens: 30, cache_read_input_tokens: 60, output_tokens: 5, output_tokens_details: { thinking_tokens: 3 } });
  });

  test('a figure of the cache that nobody told is null, and not made up as 0', () => {
    const usage = { promptTokens: 10, completionTokens: 2, totalTokens: 12, cachedTokens: 0, cacheWriteTokens: null, reasoningTokens: null };
    expect(reason([finish('stop')], { usage }).usage).toEqual({ input_tokens: 10, cache_creation_input_tokens: null, cache_read_input_tokens: 0, output_tokens: 2 });
  });

  test('an estimate says that it is one', () => {
    expect(reason([finish('stop')], { usage: null }).usage).toEqual({ input_tokens: 4, output_tokens: 2, source: 'estimate', estimated: ['input_tokens', 'output_tokens'] });
  });

  test('usage that came before the first content is in message_start', () => {
    const [start] = written([{ type: 'usage', usage: USAGE }, text('x'), finish('stop')]);
    expect((start!.data.message as { usage: object }).usage).toMatchObject({ input_tokens: 10, output_tokens: 0 });
  });

  test('a cut stream ends in an error of the failure’s own kind, with everything that other surfaces tell', () => {
    const metadata = { state: 'committed', class: 'overloaded', upstream_status: 529, flushed_bytes: 7, provider: 'p', model: 'm', request_id: 'call_1' };
    const error = { message: 'cut', type: 'upstream_error', code: 'stream_truncated', param: null, metadata };
    expect(parsed(messages.writer(CONTEXT).truncated(error))).toEqual([
      { name: 'error', data: { type: 'error', error: { type: 'overloaded_error', message: 'cut', code: 'stream_truncated', metadata }, request_id: 'call_1' } },
    ]);
  });
});

test('citations of pages stand in their text block, and elsewhere are named as lost', () => {
  const annotation: StreamEvent = { type: 'annotation', choice: 0, annotation: { url: 'https://example.com', title: null, startIndex: null, endIndex: null } };
  expect(shape(written([text('x'), annotation, finish('stop')]))[3]).toContain('0 citations_delta');
  expect(written([reasoning('x'), annotation, finish('stop')]).at(-2)!.data.ohm).toEqual({ dropped: ['annotations'] });
});

describe('a tier of the same dialect', () => {
  const relayed = (frames: Frame[], stash: Frame[] = [], malformed = 0) => {
    const writer = messages.writer({ ...CONTEXT, own: true });
    return frames.map((frame) => writer.frame(frame)).join('') + writer.closing(stash, NOTHING_YET, malformed, ESTIMATE);
  };
  const delta: Frame = { data: '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1.0}   }', name: 'message_delta', events: [finish('stop')] };

  test('keeps its own bytes and gets the event line that a relay left out', () => {
    const odd = '{"type": "ping"   }';
    expect(relayed([{ data: odd, name: 'ping', events: [] }, { data: odd, name: '', events: [] }, { data: null, name: 'x', events: [] }], [delta])).toBe(
      `event: ping\ndata: ${odd}\n\nevent: ping\ndata: ${odd}\n\nevent: message_delta\ndata: ${delta.data!}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`,
    );
  });

  test('a lost frame is counted in message_delta', () => {
    expect(parsed(relayed([], [delta], 1))[0]!.data.ohm).toEqual({ malformed_events: 1 });
    expect(parsed(relayed([], [], 1))[0]).toMatchObject({ name: 'message_stop', data: { ohm: { malformed_events: 1 } } });
  });
});
