import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createAnswer } from '../../gateway/attempt/answer';
import { isEnding, type Input, type Phase, transition } from '../../gateway/attempt/machine';
import { chatCompletions } from '../../surfaces';
import { bearsContent, billed, createSseReader, type FailureClass, type FinishEvent, type Frame, type Usage } from '../../wire';
import { anthropic } from '.';
import index from './__fixtures__/index.json';

/**
 * Recorded and hand-made streams and error bodies, each with what must be read from it, and what a client of chat
 * completions must see. Where a file and the contract differ, the contract stands; CONTRACT lists those places.
 */
const folder = path.join(import.meta.dirname, '__fixtures__');
const load = (file: string) => readFileSync(path.join(folder, file));

/** Classes that the files only imply by the status that a client would see. */
const CLASSES: Record<string, FailureClass> = {
  'anthropic-api-error-overloaded': 'overloaded',
  'anthropic-error-first': 'overloaded',
  'anthropic-invalid-request-in-stream': 'context_length',
  'anthropic-overloaded-after-thinking': 'overloaded',
  'anthropic-overloaded-before-content': 'overloaded',
  'anthropic-overloaded-midstream': 'overloaded',
  'anthropic-spliced-message-start': 'server_error',
  'http-anthropic-400-context': 'context_length',
  'http-anthropic-400-credit': 'quota',
  'http-anthropic-400-temperature': 'invalid_request',
  'http-anthropic-401': 'auth',
  'http-anthropic-413': 'too_large',
  'http-anthropic-429': 'rate_limited',
  'http-anthropic-429-spend': 'quota',
  'http-anthropic-529': 'overloaded',
};

const CONTRACT = [
  'cut and failed streams: the file has no usage; the ledger has the input that message_start reported, with the output estimated',
];

/** Answers that are whole by protocol and must not be served again: by the upstream's own word. */
const UNFINISHED = new Set(['pause_turn', 'compaction', 'model_context_window_exceeded']);

const passed = new Set<string>();
afterAll(() => console.log(`anthropic wire: ${passed.size} of ${index.length} fixtures\ncontract before fixture:\n  ${CONTRACT.join('\n  ')}`));

interface Reading {
  firstContent: number | null;
  firstAnswer: number | null;
  errorAt: number | null;
  frames: Frame[];
  /** How an attempt with this stream ends. */
  ending: Phase;
  usage: Usage | null;
  failure: FailureClass | null;
  /** What the chat surface writes, as far as the attempt lets it. */
  written: string;
}

/** The frames of a body that comes in these pieces. Everything else follows from them. */
function framesOf(chunks: Buffer[]): Frame[] {
  const reader = anthropic.streamReader();
  const frames: Frame[] = [];
  const sse = createSseReader({
    onEvent: (data, name) => frames.push(reader.read(data, name)),
    onStray: () => expect.unreachable(),
    onInvalid: () => expect.unreachable(),
    onOverflow: () => expect.unreachable(),
  });
  for (const chunk of chunks) sse.feed(chunk);
  sse.end();
  return frames;
}

function read(body: Buffer): Reading {
  const answer = createAnswer();
  const writer = chatCompletions.writer({ own: false, callId: 'c', createdS: 1, model: 'served', usageWish: 'asked', request: {} });
  const reading: Reading = { firstContent: null, firstAnswer: null, errorAt: null, frames: framesOf([body]), ending: 'preamble', usage: null, failure: null, written: '' };
  let held: Frame[] = [];
  const step = (input: Input, frame: Frame | null) => {
    if (isEnding(reading.ending)) return;
    const { phase, effects } = transition(reading.ending, input, { complete: false, malformedBefore: false });
    reading.ending = phase;
    for (const effect of effects) {
      if (effect === 'hold' || effect === 'stash') held.push(frame!);
      if (effect === 'commit' || effect === 'unstash') {
        for (const each of held) reading.written += writer.frame(each);
        held = [];
      }
      if (effect === 'send') reading.written += writer.frame(frame!);
      if (effect === 'finish') reading.written += writer.closing(held, answer, 0, () => expect.unreachable());
    }
  };
  for (const [at, frame] of reading.frames.entries()) {
    if (frame.events.some(({ type }) => bearsContent[type])) reading.firstContent ??= at;
    if (frame.events.some(({ type }) => bearsContent[type] && type !== 'reasoning' && type !== 'finish')) reading.firstAnswer ??= at;
    if (frame.events.some(({ type }) => type === 'error')) reading.errorAt ??= at;
    if (!isEnding(reading.ending)) step(answer.take(frame), frame);
  }
  step('end', null);
  return Object.assign(reading, { usage: answer.usage, failure: answer.failure?.class ?? null });
}

/** What a client collects from chat completion chunks. */
function collected(written: string) {
  const message = { content: '', reasoning: '', tool_calls: [] as { index: number; id: string; name: string; arguments: string }[], annotations: [] as unknown[], finish_reason: null, native_finish_reason: null, usage: null };
  for (const line of written.split('\n\n')) {
    if (line === '' || line === 'data: [DONE]') continue;
    const chunk = JSON.parse(line.slice('data: '.length));
    if (chunk.usage) message.usage = chunk.usage;
    for (const { delta, finish_reason: finish, native_finish_reason: native } of chunk.choices) {
      message.content += delta.content ?? '';
      message.reasoning += delta.reasoning_content ?? '';
      message.annotations.push(...(delta.annotations ?? []));
      for (const { index: at, id, function: made } of delta.tool_calls ?? []) {
        const call = (message.tool_calls[at] ??= { index: at, id, name: made.name, arguments: '' });
        call.arguments += made.arguments;
      }
      message.finish_reason = finish ?? message.finish_reason;
      message.native_finish_reason = native ?? message.native_finish_reason;
    }
  }
  return message;
}

const OUTCOMES: Record<string, (reading: Reading) => Phase> = {
  complete: () => 'finished',
  'error-before-content': () => 'failed',
  'error-after-content': () => 'truncated',
  truncated: ({ firstContent }) => (firstContent === null ? 'failed' : 'truncated'),
};

describe.each(index.filter(({ kind }) => kind === 'stream'))('$name', ({ name, file, expected: expectedFile }) => {
  const bytes = load(file);
  const { expected, ...rest } = JSON.parse(load(expectedFile).toString());

  it('is read as expected, and written so for a client of chat completions', () => {
    const reading = read(bytes);
    expect(reading.frames.length).toBe(rest.events);
    expect(reading.firstContent).toBe(rest.first_content_event_index);
    expect(reading.firstAnswer).toBe(rest.first_answer_event_index);
    expect(reading.errorAt).toBe(rest.error?.at_event ?? null);
    expect(reading.ending).toBe(OUTCOMES[rest.outcome]!(reading));
    expect(reading.ending === 'finished').toBe(rest.complete);
    expect(reading.failure ?? undefined).toBe(CLASSES[name]);

    const seen = collected(reading.written);
    expect(seen).toMatchObject({ content: expected.content, reasoning: expected.reasoning, tool_calls: expected.tool_calls, annotations: expected.annotations ?? [] });
    expect(seen).toMatchObject({ finish_reason: expected.finish_reason, native_finish_reason: expected.native_finish_reason, usage: expected.usage });
    expect(reading.written.endsWith('data: [DONE]\n\n')).toBe(rest.complete);
    expect(storable(reading)).toBe(rest.replay_cache.storable);
    expect(accounting(reading)).toEqual(rest.accounting);
    passed.add(name);
  });

  it('keeps the bytes and the names of what a client of its own dialect may see', () => {
    const lines = bytes.toString().split('\n');
    for (const frame of read(bytes).frames) {
      if (frame.data === null) continue;
      expect(lines).toContain(`data: ${frame.data}`);
      expect(lines).toContain(`event: ${frame.name}`);
      expect((JSON.parse(frame.data) as { type: string }).type).toBe(frame.name);
    }
  });

  it('is the same however its bytes are cut', () => {
    const whole = JSON.stringify(framesOf([bytes]));
    const sound = passed.delete(name); // counted again when this one holds too
    for (let at = 1; at < bytes.length; at++) expect(JSON.stringify(framesOf([bytes.subarray(0, at), bytes.subarray(at)]))).toBe(whole);
    expect(JSON.stringify(framesOf([...bytes].map((byte) => Buffer.from([byte]))))).toBe(whole);
    if (sound) passed.add(name);
  });
});

function storable({ ending, frames }: Reading): boolean {
  const events = frames.flatMap((frame) => frame.events);
  const finish = events.findLast((event): event is FinishEvent => event.type === 'finish');
  if (ending !== 'finished' || events.at(-1)?.type !== 'terminator') return false;
  const tools = new Map<number, string>();
  for (const event of events) if (event.type === 'tool_call') tools.set(event.index, (tools.get(event.index) ?? '') + event.arguments);
  return finish!.reason !== 'content_filter' && !UNFINISHED.has(finish!.native!) && [...tools.values()].every(parses);
}

function parses(json: string): boolean {
  try {
    return JSON.parse(json) !== undefined;
  } catch {
    return false; // the answer to the question
  }
}

/** Of an answer that was not finished the files bill nothing; what is known of it is held apart, below. */
function accounting({ ending, usage }: Reading) {
  if (ending !== 'finished') {
    expect(usage === null || (usage.promptTokens === 12 && usage.completionTokens === null)).toBe(true);
    return null;
  }
  const { promptTokens, cachedTokens, cacheWriteTokens, completionTokens, reasoningTokens } = billed(usage!);
  return {
    input_tokens: promptTokens,
    cached_input_tokens: cachedTokens,
    cache_write_tokens: cacheWriteTokens,
    output_tokens: completionTokens,
    reasoning_tokens: reasoningTokens,
  };
}

describe.each(index.filter(({ kind }) => kind === 'http-error'))('$name', ({ name, file, expected: expectedFile }) => {
  const { expected, http } = JSON.parse(load(expectedFile).toString());

  it('is refused in its class', () => {
    const failure = anthropic.refusal(http.status, http.headers, load(file).toString());
    expect(failure.class).toBe(CLASSES[name]);
    expect(failure.upstreamStatus).toBe(http.status);
    expect(failure.retryAfterMs).toBe(http.headers['retry-after'] === undefined ? null : Number(http.headers['retry-after']) * 1000);
    if (failure.class === 'invalid_request') expect(failure.upstreamError).toMatchObject({ type: expected.type, code: expected.code });
    passed.add(name);
  });
});
