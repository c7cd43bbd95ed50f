import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createAnswer } from '../../gateway/attempt/answer';
import { BOUNDS } from '../../gateway/attempt/bounds';
import { isEnding, type Phase, transition } from '../../gateway/attempt/machine';
import { UpstreamAnswer } from '../../gateway/attempt/upstream-answer';
import { chatCompletions } from '../../surfaces';
import { bearsContent, type Failure, type FailureClass, type Frame, type Usage } from '../../wire';
import { gemini } from '.';
import index from './__fixtures__/index.json';

/**
 * Streams and error bodies, each with what must be read from it, run through the adapter, the engine's rules and the
 * chat surface. Where a file and the contract differ, the contract stands; CONTRACT lists those places.
 */
const folder = path.join(import.meta.dirname, '__fixtures__');
const load = (file: string) => readFileSync(path.join(folder, file));

/** Classes that the files only imply by the status that a client would see. */
const CLASSES: Record<string, FailureClass> = {
  'gemini-error-data': 'rate_limited',
  'gemini-error-first-naked': 'overloaded',
  'gemini-error-midstream-naked': 'overloaded',
  'gemini-malformed-function-call': 'server_error',
  'gemini-no-finish': 'cut',
  'http-gemini-400-key': 'auth',
  'http-gemini-404': 'not_found',
  'http-gemini-429': 'rate_limited',
  'http-gemini-503-array': 'overloaded',
};

const CONTRACT = [
  'native_finish_reason STOP beside stop: the same word, so it is left out',
  'statuses, types and codes of rejected calls: the class decides, and the contract has its own table for them',
];

const passed = new Set<string>();
afterAll(() => console.log(`gemini wire: ${passed.size} of ${index.length} fixtures\ncontract before fixture:\n  ${CONTRACT.join('\n  ')}`));

interface Reading {
  events: number;
  firstContent: number | null;
  firstAnswer: number | null;
  errorAt: number | null;
  phase: Phase;
  failure: Failure | null;
  usage: Usage | null;
  /** What the client got. */
  bytes: string;
}

/** One attempt without sockets and clocks: the machine decides, the surface writes. */
function read(chunks: Buffer[]): Reading {
  const answer = createAnswer();
  const writer = chatCompletions.writer({ own: false, callId: 'c', createdS: 1, model: 'm', usageWish: 'asked', request: {} });
  const reading: Reading = { events: 0, firstContent: null, firstAnswer: null, errorAt: null, phase: 'connecting', failure: null, usage: null, bytes: '' };
  let held: Frame[] = [];
  const sendHeld = () => {
    for (const frame of held) reading.bytes += writer.frame(frame);
    held = [];
  };
  const upstream = new UpstreamAnswer(counting(reading), true, 'chat', null, BOUNDS, answer, (input, why, frame) => {
    const step = transition(reading.phase, input, { complete: false, malformedBefore: false });
    reading.phase = step.phase;
    if (step.phase === 'failed' || step.phase === 'truncated') reading.failure = why ?? answer.failure;
    for (const effect of step.effects) {
      if (effect === 'hold' || effect === 'stash') held.push(frame!);
      if (effect === 'commit' || effect === 'unstash') sendHeld();
      if (effect === 'send') reading.bytes += writer.frame(frame!);
      if (effect === 'finish') reading.bytes += writer.closing(held, answer, 0, () => expect.unreachable());
    }
    return !isEnding(step.phase);
  });
  upstream.head(200, { contentType: 'text/event-stream', all: () => ({}) });
  for (const chunk of chunks) if (!isEnding(reading.phase)) upstream.data(chunk);
  if (!isEnding(reading.phase)) upstream.end();
  reading.usage = answer.usage;
  reading.bytes = reading.bytes.replace(/call_[0-9a-f]{32}/g, 'call_0');
  return reading;
}

/** The adapter, with its frames counted: what the files call events. */
function counting(reading: Reading) {
  const note = (frame: Frame | null) => {
    if (frame === null) return frame;
    const at = reading.events++;
    if (frame.events.some(({ type }) => bearsContent[type])) reading.firstContent ??= at;
    if (frame.events.some(({ type }) => bearsContent[type] && type !== 'reasoning' && type !== 'finish')) reading.firstAnswer ??= at;
    if (frame.events.some(({ type }) => type === 'error')) reading.errorAt ??= at;
    return frame;
  };
  const streamReader = () => {
    const reader = gemini.streamReader();
    return { read: (data: string, name: string) => note(reader.read(data, name))!, stray: (line: string) => note(reader.stray(line)), end: () => note(reader.end!()) };
  };
  return { ...gemini, streamReader };
}

interface Message {
  content: string;
  reasoning: string;
  tools: { index: number; id: string; name: string; arguments: string }[];
  finish: string | null;
  native: string | null;
  usage: unknown;
}

/** The answer as a client puts it together. */
function message(bytes: string): Message {
  const made: Message = { content: '', reasoning: '', tools: [], finish: null, native: null, usage: null };
  for (const event of bytes.split('\n\n')) {
    if (!event.startsWith('data: {')) continue;
    const chunk = JSON.parse(event.slice(6));
    made.usage = chunk.usage ?? made.usage;
    for (const { delta, finish_reason: finish, native_finish_reason: native } of chunk.choices) {
      made.content += delta.content ?? '';
      made.reasoning += delta.reasoning_content ?? '';
      made.finish = finish ?? made.finish;
      made.native = native ?? made.native;
      for (const call of delta.tool_calls ?? []) {
        const known = (made.tools[call.index] ??= { index: call.index, id: '', name: '', arguments: '' });
        known.id += call.id ?? '';
        known.name += call.function?.name ?? '';
        known.arguments += call.function?.arguments ?? '';
      }
    }
  }
  return made;
}

const PHASES: Record<string, Phase> = { complete: 'finished', truncated: 'truncated', 'error-after-content': 'truncated', 'error-before-content': 'failed' };

describe.each(index.filter(({ kind }) => kind === 'stream'))('$name: $description', ({ name, file, expected: expectedFile }) => {
  const bytes = load(file);
  const { expected, ...rest } = JSON.parse(load(expectedFile).toString());

  it('is read as expected', () => {
    const reading = read([bytes]);
    const seen = message(reading.bytes);
    expect(reading.events).toBe(rest.events);
    expect(reading.firstContent).toBe(rest.first_content_event_index);
    expect(reading.firstAnswer).toBe(rest.first_answer_event_index);
    expect(reading.errorAt).toBe(rest.error?.at_event ?? null);
    expect(reading.phase).toBe(PHASES[rest.outcome]);
    expect(reading.failure?.class ?? (reading.phase === 'truncated' ? 'cut' : undefined)).toBe(CLASSES[name]);
    expect(seen).toMatchObject({ content: expected.content, reasoning: expected.reasoning, tools: expected.tool_calls, finish: expected.finish_reason });
    expect(seen.native).toBe(expected.native_finish_reason === 'STOP' && seen.finish === 'stop' ? null : expected.native_finish_reason);
    expect(seen.usage).toEqual(expected.usage);
    expect(reading.bytes.endsWith('data: [DONE]\n\n')).toBe(rest.complete);
    if (rest.complete) expect(accounting(reading.usage!)).toEqual(rest.accounting);
    expect(rest.complete && seen.finish !== 'content_filter').toBe(rest.replay_cache.storable);
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

const accounting = (usage: Usage) => ({
  input_tokens: usage.promptTokens,
  cached_input_tokens: usage.cachedTokens,
  cache_write_tokens: usage.cacheWriteTokens ?? 0,
  output_tokens: usage.completionTokens,
  reasoning_tokens: usage.reasoningTokens,
});

describe.each(index.filter(({ kind }) => kind === 'http-error'))('$name: $description', ({ name, file, expected: expectedFile }) => {
  const { expected, http } = JSON.parse(load(expectedFile).toString());

  it('is refused in its class, with the delay that it names', () => {
    const failure = gemini.refusal(http.status, http.headers, load(file).toString());
    expect(failure.class).toBe(CLASSES[name]);
    expect(failure.upstreamStatus).toBe(http.status);
    expect(failure.retryAfterMs).toBe(expected.headers['retry-after'] === undefined ? null : Number(expected.headers['retry-after']) * 1000);
    passed.add(name);
  });
});
