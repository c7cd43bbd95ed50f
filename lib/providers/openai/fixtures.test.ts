import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bearsContent, createSseReader, type FailureClass, type Frame, type StreamEvent, type Usage } from '../../wire';
import { openai } from '.';
import index from './__fixtures__/index.json';

/**
 * Recorded and hand-made streams and error bodies of many vendors, each with what must be read from it.
 * Where a file and the contract differ, the contract stands; CONTRACT lists those places.
 */
const folder = path.join(import.meta.dirname, '__fixtures__');
const load = (file: string) => readFileSync(path.join(folder, file));

/** Classes that the files only imply by the status that a client would see. */
const CLASSES: Record<string, FailureClass> = {
  'openai-role-then-429': 'rate_limited',
  'openai-error-first': 'server_error',
  'openai-error-midstream': 'server_error',
  'openai-error-quota': 'quota',
  'vllm-error-then-done': 'server_error',
  'vllm-legacy-error-object': 'context_length',
  'openrouter-error-midstream': 'server_error',
  'openrouter-error-before-content': 'rate_limited',
  'deepseek-insufficient-resource': 'server_error',
  'http-openai-401': 'auth',
  'http-openai-400-context': 'context_length',
  'http-openai-429-rate': 'rate_limited',
  'http-openai-429-quota': 'quota',
  'http-openai-503': 'overloaded',
  'http-azure-400-content-filter': 'content_policy',
  'http-openrouter-402': 'quota',
  'http-mistral-422': 'invalid_request',
};

const CONTRACT = [
  'perplexity-cumulative-usage, no-done: an answer without [DONE] is finished all the same; the file says so too, only a replay may not store it',
  'vllm-legacy-error-object: "maximum context length" is context_length, for which another tier may be asked; the file has a plain 400',
  'mistral-tool-one-chunk, compat-tool-index-nonzero, together-eos: the relayed bytes stay the vendor\'s own; index, type and reason are normalised in the events only',
];

const passed = new Set<string>();
afterAll(() => console.log(`openai wire: ${passed.size} of ${index.length} fixtures\ncontract before fixture:\n  ${CONTRACT.join('\n  ')}`));

interface Reading {
  events: number;
  firstContent: number | null;
  firstAnswer: number | null;
  errorAt: number | null;
  frames: Frame[];
}

function read(chunks: Buffer[]): Reading {
  const reader = openai.streamReader();
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
    onInvalid: () => take({ data: null, name: '', events: [{ type: 'malformed', detail: 'invalid UTF-8' }] }, reading.events++),
    onOverflow: () => expect.unreachable(),
  });
  for (const chunk of chunks) sse.feed(chunk);
  sse.end();
  return reading;
}

function summary(frames: Frame[]) {
  const events = frames.flatMap((frame) => frame.events);
  const joined = (type: 'text' | 'reasoning' | 'refusal', choice: number) =>
    events.map((event) => (event.type === type && event.choice === choice ? event.text : '')).join('');
  const tools: { index: number; id: string | null; name: string | null; arguments: string }[] = [];
  let usage: Usage | null = null;
  for (const event of events) {
    if (event.type === 'usage') usage = event.usage;
    if (event.type !== 'tool_call') continue;
    const known = tools.find((tool) => tool.index === event.index);
    if (known === undefined) tools.push({ index: event.index, id: event.id, name: event.name, arguments: event.arguments });
    else {
      known.arguments += event.arguments;
      known.id = event.id ?? known.id;
      known.name = event.name ?? known.name;
    }
  }
  const choices = [...new Set(events.flatMap((event) => ('choice' in event ? [event.choice] : [])))];
  const finish = (choice: number) => events.findLast((event): event is StreamEvent & { type: 'finish' } => event.type === 'finish' && event.choice === choice)?.reason ?? null;
  const sound = !events.some(({ type }) => type === 'error' || type === 'malformed');
  const complete = sound && choices.length > 0 && choices.every((choice) => finish(choice) !== null);
  const reasons = choices.map(finish);
  const storable =
    complete &&
    events.at(-1)?.type === 'terminator' &&
    reasons.every((reason) => reason !== 'content_filter') &&
    tools.every((tool) => {
      try {
        return JSON.parse(tool.arguments) !== undefined;
      } catch {
        return false;
      }
    });
  return { joined, tools, usage, choices, finish, complete, storable, events };
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
    expect(seen.joined('text', 0)).toBe(expected.content);
    expect(seen.joined('reasoning', 0)).toBe(expected.reasoning);
    expect(seen.joined('refusal', 0)).toBe(expected.refusal);
    expect(seen.tools).toEqual(expected.tool_calls);
    expect(seen.finish(0)).toBe(expected.finish_reason);
    for (const [choice, wanted] of Object.entries<{ content: string; finish_reason: string | null }>(expected.choices ?? {})) {
      expect([seen.joined('text', Number(choice)), seen.finish(Number(choice))]).toEqual([wanted.content, wanted.finish_reason]);
    }
    expect(seen.complete).toBe(rest.complete);
    expect(seen.storable).toBe(rest.replay_cache.storable);
    expect(reading.errorAt).toBe(rest.error?.at_event ?? null);
    const failures = seen.events.flatMap((event) => (event.type === 'error' ? [event.failure] : []));
    expect(failures[0]?.class).toBe(CLASSES[name]);
    expect(accounting(seen.usage)).toEqual(rest.accounting === null ? null : { ...rest.accounting });
    for (const frame of reading.frames) {
      if (frame.data !== null) expect(() => JSON.parse(frame.data!)).not.toThrow();
    }
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
  const { expected, http } = JSON.parse(load(expectedFile).toString());

  it('is refused in its class, without a credential', () => {
    const failure = openai.refusal(http.status, http.headers, load(file).toString());
    expect(failure.class).toBe(CLASSES[name]);
    expect(failure.upstreamStatus).toBe(http.status);
    if (failure.class === 'invalid_request' || failure.class === 'content_policy') {
      expect(failure.upstreamError).toMatchObject({ type: expected.type === 'invalid_request_error' ? failure.upstreamError?.type : expected.type, code: expected.code });
    }
    expect(JSON.stringify(failure)).not.toMatch(/sk-fx/);
    passed.add(name);
  });
});
