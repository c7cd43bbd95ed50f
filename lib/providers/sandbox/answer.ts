import { randomBytes } from 'node:crypto';
import { unreachable } from '../../std';
import { LIMITS, type Finish, type Script, type Step } from './script';
import { DISCLOSURE, echoTokens, errorObject, FINGERPRINT, promptTokens, reasoningToken, REFUSAL_TOKENS, textToken, TOOL_ARGUMENTS } from './words';

/**
 * What the server has to do for one answer, in order. Pure: a script and a request in, actions out.
 * The server performs one action at a time and asks for the next when the client has taken it.
 */
export type Action =
  | { do: 'head'; contentType: string }
  | { do: 'write'; text: string }
  /** `bytes` filler characters, in pieces. */
  | { do: 'pad'; bytes: number }
  | { do: 'wait'; ms: number }
  | { do: 'stall' }
  | { do: 'reset' }
  | { do: 'drop' }
  | { do: 'end' }
  | { do: 'whole'; status: number; contentType: string; retryAfterS: number | null; body: string };

export interface AnswerRequest {
  /** The script as it was asked for: the answer's `model`. */
  model: string;
  messages: unknown;
  stream: boolean;
  includeUsage: boolean;
  nowMs: number;
}

/** Counted while the actions are taken: what was really said so far. */
export interface Tally {
  promptTokens: number;
  completionTokens: number;
  reasoningTokens: number;
}

export function answer(script: Script, request: AnswerRequest, tally: Tally): Generator<Action, void, void> {
  tally.promptTokens = promptTokens(request.messages);
  return request.stream ? streamed(script, request, tally) : whole(script, request, tally);
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const JSON_TYPE = 'application/json';

function* streamed(script: Script, request: AnswerRequest, tally: Tally): Generator<Action, void, void> {
  const early = wholeAnswer(script, EVENT_STREAM);
  const frames = frameWriter(request);
  let head = false;
  let role = false;
  let finished = false;
  let pace = 0;
  const begin = function* (): Generator<Action, void, void> {
    if (!head) yield { do: 'head', contentType: EVENT_STREAM };
    head = true;
  };
  const speak = function* (delta: object): Generator<Action, void, void> {
    if (pace > 0) yield { do: 'wait', ms: pace };
    yield* begin();
    if (!role) yield { do: 'write', text: frames.delta({ role: 'assistant', content: '' }) };
    role = true;
    yield { do: 'write', text: frames.delta(delta) };
  };
  const finish = function* (reason: Finish): Generator<Action, void, void> {
    yield* begin();
    if (!role) yield { do: 'write', text: frames.delta({ role: 'assistant', content: '' }) };
    role = finished = true;
    yield { do: 'write', text: frames.finish(reason, script.usage === 'on-finish' && request.includeUsage ? usageOf(tally) : null) };
  };

  for (const step of script.steps) {
    if (step.do === 'wait') yield { do: 'wait', ms: step.ms };
    else if (step.do === 'pace') pace = step.ms;
    else if (step.do === 'headers') yield* begin();
    else if (step.do === 'finish') yield* finish(step.reason ?? usualFinish(script));
    else if (step.do === 'role') {
      yield* begin();
      role = true;
      yield { do: 'write', text: frames.delta({ role: 'assistant', content: '' }) };
    } else if (step.do === 'preamble' || step.do === 'comment' || step.do === 'malformed' || step.do === 'line') {
      yield* begin();
      yield* fillers(step, frames);
    } else {
      for (const piece of spoken(step, request, tally)) {
        if (piece.broken) yield { do: 'write', text: `data: {"choices":[{"index":0,"delta":${JSON.stringify(piece.delta)},\n\n` };
        else yield* speak(piece.delta);
      }
    }
  }

  const end = script.ending;
  if (early !== null) return yield early;
  if (end.how === 'stall' || end.how === 'reset') return yield { do: end.how };
  if (end.how === 'close-before-headers') return yield { do: 'drop' };
  yield* begin();
  if (end.how === 'error') {
    // The number names the status, as several vendors spell it; a code given by the script stands instead.
    yield { do: 'write', text: `data: ${JSON.stringify({ error: { ...errorObject(end.status, end.code), code: end.code ?? end.status } })}\n\n` };
  }
  if (end.how === 'complete') {
    if (!finished && !script.noFinish) yield* finish(usualFinish(script));
    if (script.usageDelayMs > 0) yield { do: 'wait', ms: script.usageDelayMs };
    if (script.usage === 'frame' && request.includeUsage) yield { do: 'write', text: frames.usage(usageOf(tally)) };
    if (!script.noDone) yield { do: 'write', text: 'data: [DONE]\n\n' };
  }
  yield { do: 'end' };
}

/** The same script without streaming: the body comes at the end, and failures after content cut it in half. */
function* whole(script: Script, request: AnswerRequest, tally: Tally): Generator<Action, void, void> {
  const message: Record<string, unknown> = { role: 'assistant', content: null };
  let begun = false;
  let broken = false;
  let padding = 0;
  let pace = 0;
  let head = false;
  let reason: Finish | null = script.noFinish ? null : usualFinish(script);
  for (const step of script.steps) {
    if (step.do === 'wait') yield { do: 'wait', ms: step.ms };
    else if (step.do === 'pace') pace = step.ms;
    else if (step.do === 'headers') {
      head = true;
      yield { do: 'head', contentType: JSON_TYPE };
    } else if (step.do === 'finish') reason = step.reason ?? reason;
    else if (step.do === 'malformed') broken = true;
    else if (step.do === 'line') padding += step.bytes;
    else if (step.do !== 'role' && step.do !== 'preamble' && step.do !== 'comment') {
      begun = true;
      for (const piece of spoken(step, request, tally)) {
        if (pace > 0) yield { do: 'wait', ms: pace };
        addToMessage(message, piece.delta);
        broken ||= piece.broken;
      }
    }
  }
  const early = wholeAnswer(script, JSON_TYPE);
  if (early !== null) return yield early;
  const end = script.ending;
  if (end.how === 'close-before-headers') return yield { do: 'drop' };
  if (end.how === 'error') {
    if (!head) yield { do: 'head', contentType: JSON_TYPE };
    yield { do: 'write', text: JSON.stringify({ error: { ...errorObject(end.status, end.code), code: end.code ?? end.status } }) };
    return yield { do: 'end' };
  }
  if (!begun && end.how !== 'complete' && end.how !== 'close') return yield { do: end.how as 'stall' | 'reset' };
  if (!head) yield { do: 'head', contentType: JSON_TYPE };
  const body = completion(request, message, reason, script.usage === 'none' ? null : usageOf(tally));
  if (padding > 0) {
    yield { do: 'write', text: '{"padding":"' };
    yield { do: 'pad', bytes: padding };
    yield { do: 'write', text: '",' };
  }
  const text = padding > 0 ? body.slice(1) : body;
  if (end.how === 'complete') {
    yield { do: 'write', text: broken ? `${text.slice(0, -1)},` : text };
    return yield { do: 'end' };
  }
  yield { do: 'write', text: text.slice(0, Math.floor(text.length / 2)) };
  yield end.how === 'close' ? { do: 'end' } : { do: end.how as 'stall' | 'reset' };
}

interface Piece {
  delta: Record<string, unknown>;
  /** Goes out as a frame that is not JSON. */
  broken: boolean;
}

type Speech = Extract<Step, { do: 'echo' | 'text' | 'reasoning' | 'refusal' | 'tool' }>;

/** The content of a step, one token at a time; each is counted when it is taken. */
function* spoken(step: Speech, request: AnswerRequest, tally: Tally): Generator<Piece, void, void> {
  const say = (delta: Record<string, unknown>, broken = false): Piece => {
    tally.completionTokens += 1;
    return { delta, broken };
  };
  switch (step.do) {
    case 'echo':
      for (const content of echoTokens(request.messages, LIMITS.tokens)) yield say({ content });
      return;
    case 'text':
      for (let n = 1; n <= step.tokens; n++) yield say({ content: textToken(n) });
      return;
    case 'reasoning':
      for (let n = 1; n <= step.tokens; n++) {
        tally.reasoningTokens += 1;
        yield say({ reasoning_content: reasoningToken(n) });
      }
      return;
    case 'refusal':
      for (const refusal of REFUSAL_TOKENS) yield say({ refusal });
      return;
    case 'tool': {
      const id = `call_sandbox_${randomBytes(6).toString('hex')}`;
      yield say({ tool_calls: [{ index: 0, id, type: 'function', function: { name: step.name, arguments: '' } }] });
      for (const [at, piece] of TOOL_ARGUMENTS.entries()) {
        yield say({ tool_calls: [{ index: 0, function: { arguments: piece } }] }, step.broken && at === 1);
      }
      return;
    }
    default:
      unreachable(step, 'sandbox step');
  }
}

function* fillers(step: Extract<Step, { do: 'preamble' | 'comment' | 'malformed' | 'line' }>, frames: FrameWriter): Generator<Action, void, void> {
  if (step.do === 'line') {
    const [before, after] = frames.padding();
    yield { do: 'write', text: before };
    yield { do: 'pad', bytes: step.bytes - before.length - after.length };
    return yield { do: 'write', text: `${after}\n\n` };
  }
  const times = step.do === 'preamble' ? step.frames : step.do === 'comment' ? step.lines : step.frames;
  for (let n = 1; n <= times; n++) {
    if (step.do === 'preamble') yield { do: 'write', text: frames.delta({}) };
    else if (step.do === 'comment') yield { do: 'write', text: `: ${DISCLOSURE}, comment ${n}\n\n` };
    else yield { do: 'write', text: 'data: {"choices":[{"index":0,"delta":{"content":"this frame is not JS\n\n' };
  }
}

/** Endings that replace the answer as a whole. */
function wholeAnswer(script: Script, okType: string): Action | null {
  const end = script.ending;
  const page = { do: 'whole', status: 200, retryAfterS: null } as const;
  switch (end.how) {
    case 'status':
      return { do: 'whole', status: end.status, contentType: JSON_TYPE, retryAfterS: end.retryAfterS, body: JSON.stringify({ error: errorObject(end.status, end.code) }) };
    case 'html':
      return { ...page, contentType: 'text/html; charset=utf-8', body: `<!doctype html><title>${DISCLOSURE}</title><h1>${DISCLOSURE}</h1><p>This page stands where a proxy would put its own.</p>\n` };
    case 'json-error':
      return { ...page, contentType: JSON_TYPE, body: JSON.stringify({ error: errorObject(500, null) }) };
    case 'empty':
      return { ...page, contentType: okType, body: '' };
    case 'done-only':
      return { ...page, contentType: okType, body: 'data: [DONE]\n\n' };
    default:
      return null;
  }
}

const usualFinish = (script: Script): Finish => (script.steps.some((step) => step.do === 'tool') ? 'tool_calls' : 'stop');

function usageOf(tally: Tally): object {
  return {
    prompt_tokens: tally.promptTokens,
    completion_tokens: tally.completionTokens,
    total_tokens: tally.promptTokens + tally.completionTokens,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: tally.reasoningTokens },
  };
}

type FrameWriter = ReturnType<typeof frameWriter>;

function frameWriter(request: AnswerRequest) {
  const identity = { id: newCompletionId(), object: 'chat.completion.chunk', created: Math.floor(request.nowMs / 1000), model: request.model, system_fingerprint: FINGERPRINT };
  const usage = request.includeUsage ? { usage: null } : {};
  const line = (rest: object) => `data: ${JSON.stringify({ ...identity, ...rest })}\n\n`;
  return {
    delta: (delta: object) => line({ choices: [{ index: 0, delta, finish_reason: null }], ...usage }),
    finish: (reason: Finish, figures: object | null) => line({ choices: [{ index: 0, delta: {}, finish_reason: reason }], ...(figures === null ? usage : { usage: figures }) }),
    usage: (figures: object) => line({ choices: [], usage: figures }),
    /** An empty delta with a member to fill: what stands before and after the filler. */
    padding: (): [string, string] => {
      const text = JSON.stringify({ ...identity, choices: [{ index: 0, delta: {}, finish_reason: null }], padding: '' });
      return [`data: ${text.slice(0, -2)}`, text.slice(-2)];
    },
  };
}

function completion(request: AnswerRequest, message: object, reason: Finish | null, usage: object | null): string {
  return JSON.stringify({
    id: newCompletionId(),
    object: 'chat.completion',
    created: Math.floor(request.nowMs / 1000),
    model: request.model,
    system_fingerprint: FINGERPRINT,
    choices: [{ index: 0, message, finish_reason: reason }],
    ...(usage === null ? {} : { usage }),
  });
}

const newCompletionId = (): string => `chatcmpl-sandbox-${randomBytes(9).toString('hex')}`;

interface ToolCall {
  function: { arguments: string };
}

function addToMessage(message: Record<string, unknown>, delta: Record<string, unknown>): void {
  for (const key of ['content', 'reasoning_content', 'refusal']) {
    if (typeof delta[key] === 'string') message[key] = `${(message[key] as string | null) ?? ''}${delta[key]}`;
  }
  if (!Array.isArray(delta.tool_calls)) return;
  const { index: _index, ...call } = delta.tool_calls[0] as ToolCall & { index: number; id?: string };
  const calls = (message.tool_calls ??= []) as ToolCall[];
  if (call.id !== undefined) calls.push(call);
  else calls.at(-1)!.function.arguments += call.function.arguments;
}
