import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bearsContent, createSseReader, type FailureClass, type Frame, type StreamEvent, type Usage } from '../../wire';
import { openaiResponses } from '.';
import index from './__fixtures__/index.json';

/** Hand-made streams and error bodies, each with what must be read from it. */
const folder = path.join(import.meta.dirname, '__fixtures__');
const load = (file: string) => readFileSync(path.join(folder, file));

const CLASSES: Record<string, FailureClass> = {
  'responses-error-flat': 'server_error',
  'responses-failed-first': 'quota',
  'http-openai-401': 'auth',
  'http-openai-400-context': 'context_length',
  'http-openai-429-rate': 'rate_limited',
  'http-openai-429-quota': 'quota',
  'http-openai-503': 'overloaded',
};

const passed = new Set<string>();
afterAll(() => console.log(`openai-responses wire: ${passed.size} of ${index.length} fixtures`));

interface Reading {
  events: number;
  firstContent: number | null;
  firstAnswer: number | null;
  errorAt: number | null;
  frames: Frame[];
}

function read(chunks: Buffer[]): Reading {
  const reader = openaiResponses.streamReader();
  const reading: Reading = { events: 0, firstContent: null, firstAnswer: null, errorAt: null, frames: [] };
  const take = (frame: Frame, at: number | null) => {
    reading.frames.push(frame);
    if (frame.events.some(({ type }) => bearsContent[type])) reading.firstContent ??= at;
    if (frame.events.some(({ type }) => bearsContent[type] && type !== 'reasoning' && type !== 'finish')) reading.firstAnswer ??= at;
    if (frame.events.some(({ type }) => type === 'error')) reading.errorAt ??= at;
  };
  const sse = createSseReader({
    onEvent: (data, name) => take(reader.read(data, name), reading.events++),
    onStray: (line) => {
      const frame = reader.stray(line);
      if (frame !== null) take(frame, null);
    },
    onInvalid: () => expect.unreachable(),
    onOverflow: () => expect.unreachable(),
  });
  for (const chunk of chunks) sse.feed(chunk);
  sse.end();
  return reading;
}

function summary(frames: Frame[]) {
  const events = frames.flatMap((frame) => frame.events);
  const joined = (type: 'text' | 'reasoning' | 'refusal') => events.map((event) => (event.type === type ? event.text : '')).join('');
  const tools: { index: number; id: string | null; name: string | null; arguments: string }[] = [];
  for (const event of events) {
    if (event.type !== 'tool_call') continue;
    const { index, id, name } = event;
    const tool = (tools[index] ??= { index, id, name, arguments: '' });
    tool.arguments += event.arguments;
  }
  const usage = events.reduce<Usage | null>((last, event) => (event.type === 'usage' ? event.usage : last), null);
  const finish = events.findLast((event): event is StreamEvent & { type: 'finish' } => event.type === 'finish') ?? null;
  const complete = finish !== null && !events.some(({ type }) => type === 'error' || type === 'malformed');
  return { joined, tools, usage, finish, complete, failures: events.flatMap((event) => (event.type === 'error' ? [event.failure] : [])) };
}

describe.each(index.filter(({ kind }) => kind === 'stream'))('$name', ({ name, file, expected: expectedFile }) => {
  const bytes = load(file);
  const { expected, ...rest } = JSON.parse(load(expectedFile).toString());

  it('is read as expected', () => {
    const reading = read([bytes]);
    const seen = summary(reading.frames);
    expect(reading.events).toBe(rest.events);
    expect(reading.firstContent).toBe(rest.first_content_event_index);
    expect(reading.firstAnswer).toBe(rest.first_answer_event_index);
    expect([seen.joined('text'), seen.joined('reasoning'), seen.joined('refusal')]).toEqual([expected.content, expected.reasoning, expected.refusal]);
    expect(seen.tools).toEqual(expected.tool_calls);
    expect([seen.finish?.reason ?? null, seen.finish?.native ?? null]).toEqual([expected.finish_reason, expected.native_finish_reason]);
    expect(seen.complete).toBe(rest.complete);
    // The event with the finish is this API's terminator: what is complete may be stored.
    expect(seen.complete && seen.finish!.reason !== 'content_filter').toBe(rest.replay_cache.storable);
    expect(reading.errorAt).toBe(rest.error?.at_event ?? null);
    expect(seen.failures[0]?.class).toBe(CLASSES[name]);
    expect(accounting(seen.usage)).toEqual(rest.accounting);
    // A relayed frame keeps its own text and its name.
    const sent = [...bytes.toString().matchAll(/event: (.*)\ndata: (.*)\n/g)].map(([, event, data]) => ({ event, data }));
    for (const [at, frame] of reading.frames.entries()) if (frame.data !== null) expect({ event: frame.name, data: frame.data }).toEqual(sent[at]);
    passed.add(name);
  });

  it('is the same however its bytes are cut', () => {
    const whole = read([bytes]);
    const sound = passed.delete(name); // counted again when this one holds too
    for (let at = 1; at < bytes.length; at++) expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
    if (sound) passed.add(name);
  });
});

function accounting(usage: Usage | null) {
  return (
    usage && {
      input_tokens: usage.promptTokens,
      cached_input_tokens: usage.cachedTokens ?? 0,
      cache_write_tokens: usage.cacheWriteTokens ?? 0,
      output_tokens: usage.completionTokens,
      reasoning_tokens: usage.reasoningTokens,
    }
  );
}

describe.each(index.filter(({ kind }) => kind === 'http-error'))('$name', ({ name, file, expected: expectedFile }) => {
  const { http } = JSON.parse(load(expectedFile).toString());

  it('is refused in its class, without a credential', () => {
    const failure = openaiResponses.refusal(http.status, http.headers, load(file).toString());
    expect([failure.class, failure.upstreamStatus]).toEqual([CLASSES[name], http.status]);
    expect(JSON.stringify(failure)).not.toMatch(/sk-fx/);
    passed.add(name);
  });
});
