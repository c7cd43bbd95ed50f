/**
 * The sandbox's model names are small scripts: steps separated by commas, done from left to right.
 * `text:2,reset` streams two tokens and then resets the connection. This file turns a name into data;
 * it opens no socket and waits for nothing. `STEPS` is the whole vocabulary and feeds the docs too.
 */

/** What one answer may cost: tokens of content, ms of life, bytes of padding, frames that carry nothing. */
export const LIMITS = { tokens: 10_000, durationMs: 60_000, lineBytes: 17 * 1024 * 1024, emptyFrames: 2_000, nameLength: 400 } as const;

export type Finish = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'function_call';

/** One thing to do while the answer is open. */
export type Step =
  | { do: 'headers' }
  | { do: 'role' }
  | { do: 'wait'; ms: number }
  | { do: 'pace'; ms: number }
  | { do: 'echo' }
  | { do: 'text'; tokens: number }
  | { do: 'reasoning'; tokens: number }
  | { do: 'refusal' }
  | { do: 'tool'; name: string; broken: boolean }
  | { do: 'preamble'; frames: number }
  | { do: 'comment'; lines: number }
  | { do: 'line'; bytes: number }
  | { do: 'malformed'; frames: number }
  | { do: 'finish'; reason: Finish | null };

/** How the answer ends. Everything but `complete` is a failure on command. */
export type Ending =
  | { how: 'complete' }
  | { how: 'stall' }
  | { how: 'reset' }
  | { how: 'close' }
  | { how: 'error'; status: number; code: string | null }
  | { how: 'status'; status: number; code: string | null; retryAfterS: number | null }
  | { how: 'close-before-headers' }
  | { how: 'html' }
  | { how: 'json-error' }
  | { how: 'empty' }
  | { how: 'done-only' };

export interface Script {
  steps: Step[];
  ending: Ending;
  /** Leave the finish_reason out (`[DONE]` is still sent). */
  noFinish: boolean;
  /** Leave `[DONE]` out. */
  noDone: boolean;
  usage: 'frame' | 'on-finish' | 'none';
  /** Ms between the finish frame and the usage frame. */
  usageDelayMs: number;
  /** A name for finding this answer again in the contact log; does nothing else. */
  tag: string | null;
}

export type Parsed = { ok: true; script: Script } | { ok: false; step: string; message: string };

/** Reads a model name. A bad step is named, with what would be right. */
export function parseScript(name: string): Parsed {
  if (name.length > LIMITS.nameLength) return { ok: false, step: `${name.slice(0, 20)}…`, message: `a script has at most ${LIMITS.nameLength} characters` };
  const draft: Draft = {
    script: { steps: [], ending: { how: 'complete' }, noFinish: false, noDone: false, usage: 'frame', usageDelayMs: 0, tag: null },
    headSent: false,
    ended: false,
    finished: false,
  };
  for (const text of name.split(',')) {
    const step = text.trim();
    const problem = readStep(step, draft);
    if (problem !== null) return { ok: false, step, message: problem };
  }
  addDefaultText(draft);
  const excess = overBounds(draft.script);
  if (excess !== null) return { ok: false, step: name, message: excess };
  return { ok: true, script: draft.script };
}

interface Draft {
  script: Script;
  /** An earlier step has already sent the 200 and its headers. */
  headSent: boolean;
  ended: boolean;
  finished: boolean;
}

type Kind = 'content' | 'frame' | 'pause' | 'option' | 'ending' | 'refinement';

interface StepRule {
  kind: Kind;
  /** How it is written. */
  form: string;
  /** What it does, one sentence. */
  does: string;
  /** A sentence when `arg` is wrong, else null and the draft is changed. */
  apply(arg: string | null, draft: Draft): string | null;
}

/** The vocabulary. `kind` decides what may follow what; `form` and `does` are shown to people. */
export const STEPS: Readonly<Record<string, StepRule>> = {
  echo: content('echo', 'Says the last user message back.', (arg, draft) => bare(arg, () => draft.script.steps.push({ do: 'echo' }))),
  text: content('text:N', 'Streams N tokens of content, numbered, so that a gap or a splice can be seen.', (arg, draft) =>
    count(arg, LIMITS.tokens, (tokens) => draft.script.steps.push({ do: 'text', tokens }))),
  reasoning: content('reasoning:N', 'Streams N tokens of reasoning_content.', (arg, draft) =>
    count(arg, LIMITS.tokens, (tokens) => draft.script.steps.push({ do: 'reasoning', tokens }))),
  refusal: content('refusal', 'Streams a refusal in delta.refusal.', (arg, draft) => bare(arg, () => draft.script.steps.push({ do: 'refusal' }))),
  tool: content('tool:NAME', 'Calls the tool NAME; its arguments come in four pieces.', (arg, draft) =>
    toolName(arg, (name) => draft.script.steps.push({ do: 'tool', name, broken: false }))),
  'broken-tool': content('broken-tool:NAME', 'The same with one piece in a frame that is not JSON, so that the arguments no longer parse.', (arg, draft) =>
    toolName(arg, (name) => draft.script.steps.push({ do: 'tool', name, broken: true }))),

  headers: frame('headers', 'Sends status 200 and the headers now. Otherwise they go with the first frame.', (arg, draft) =>
    bare(arg, () => draft.script.steps.push({ do: 'headers' }))),
  role: frame('role', 'Sends the role frame now: preamble, no content. Otherwise it goes just before the first content.', (arg, draft) =>
    bare(arg, () => draft.script.steps.push({ do: 'role' }))),
  preamble: frame('preamble:N', 'Sends N frames with an empty delta.', (arg, draft) =>
    count(arg, LIMITS.emptyFrames, (frames) => draft.script.steps.push({ do: 'preamble', frames }))),
  comment: frame('comment:N', 'Sends N comment lines.', (arg, draft) =>
    count(arg, LIMITS.emptyFrames, (lines) => draft.script.steps.push({ do: 'comment', lines }))),
  line: frame('line:BYTES', 'Sends one data line of exactly BYTES bytes that holds padding and no content.', (arg, draft) =>
    count(arg, LIMITS.lineBytes, (bytes) => draft.script.steps.push({ do: 'line', bytes }), 300)),
  malformed: frame('malformed[:N]', 'Sends N frames (one unless given) that are not JSON.', (arg, draft) =>
    count(arg ?? '1', 100, (frames) => draft.script.steps.push({ do: 'malformed', frames }))),
  finish: frame('finish[:REASON]', 'Sends the finish frame now, with REASON (stop, length, content_filter, tool_calls, function_call) where given.', readFinish),

  wait: { kind: 'pause', form: 'wait:500ms', does: 'Waits once, here.', apply: (arg, draft) => duration(arg, (ms) => draft.script.steps.push({ do: 'wait', ms })) },
  slow: { kind: 'pause', form: 'slow:500ms', does: 'From here on, waits that long before every token.', apply: (arg, draft) => duration(arg, (ms) => draft.script.steps.push({ do: 'pace', ms })) },

  'no-finish': option('no-finish', 'Leaves the finish_reason out.', (draft) => (draft.script.noFinish = true)),
  'no-done': option('no-done', 'Leaves [DONE] out.', (draft) => (draft.script.noDone = true)),
  'no-usage': option('no-usage', 'Reports no usage.', (draft) => (draft.script.usage = 'none')),
  'usage-on-finish': option('usage-on-finish', 'Puts the usage on the finish frame instead of a frame of its own.', (draft) => (draft.script.usage = 'on-finish')),
  'usage-late': { kind: 'option', form: 'usage-late[:500ms]', does: 'Waits that long (1 s unless given) between the finish frame and the usage frame.', apply: (arg, draft) => duration(arg ?? '1000ms', (ms) => (draft.script.usageDelayMs = ms)) },
  tag: { kind: 'option', form: 'tag:NAME', does: 'Does nothing; tells two otherwise equal scripts apart.', apply: (arg, draft) => toolName(arg, (name) => (draft.script.tag = name)) },

  stall: ending('stall', 'Goes silent and stays so until the caller leaves or the answer’s 60 s are over.', (arg) => bareEnding(arg, { how: 'stall' })),
  reset: ending('reset', 'Resets the connection (before any header when nothing was sent yet).', (arg) => bareEnding(arg, { how: 'reset' })),
  close: ending('close', 'Ends the body cleanly, without finish_reason and without [DONE].', (arg) => bareEnding(arg, { how: 'close' })),
  error: ending('error:STATUS', 'Sends an error object of that class inside the 200 and ends.', (arg) =>
    statusCode(arg, (status) => ({ how: 'error', status, code: null }))),
  status: ending('status:STATUS', 'Answers with that status and an error body.', (arg) =>
    statusCode(arg, (status) => ({ how: 'status', status, code: null, retryAfterS: null }))),
  'close-before-headers': ending('close-before-headers', 'Closes the connection without any answer.', (arg) => bareEnding(arg, { how: 'close-before-headers' })),
  html: ending('html', 'Answers 200 with an HTML page, as a proxy does.', (arg) => bareEnding(arg, { how: 'html' })),
  'json-error': ending('json-error', 'Answers 200 with a JSON error object instead of a stream.', (arg) => bareEnding(arg, { how: 'json-error' })),
  empty: ending('empty', 'Answers 200 with an empty body.', (arg) => bareEnding(arg, { how: 'empty' })),
  'done-only': ending('done-only', 'Answers 200 with [DONE] and nothing else.', (arg) => bareEnding(arg, { how: 'done-only' })),

  'retry-after': { kind: 'refinement', form: 'retry-after:SECONDS', does: 'After status: adds the Retry-After header.', apply: refineRetryAfter },
  code: { kind: 'refinement', form: 'code:CODE', does: 'After status or error: the error code, e.g. context_length_exceeded, insufficient_quota.', apply: refineCode },
};

/** Endings that are a whole answer by themselves: nothing can have been sent before. */
const WHOLE_ANSWERS = new Set(['status', 'close-before-headers', 'html', 'json-error', 'empty', 'done-only']);

function readStep(step: string, draft: Draft): string | null {
  if (step === '') return 'a step is missing between two commas, or the name is empty';
  const colon = step.indexOf(':');
  const word = colon === -1 ? step : step.slice(0, colon);
  const rule = Object.hasOwn(STEPS, word) ? STEPS[word]! : null;
  if (rule === null) return `there is no step “${word}”; the steps are ${Object.keys(STEPS).join(', ')}`;
  if (draft.ended && rule.kind !== 'option' && rule.kind !== 'refinement') return 'nothing can follow the step that ended the answer';
  if (rule.kind === 'content' && draft.finished) return 'no content can follow finish';
  if (WHOLE_ANSWERS.has(word) && draft.headSent) return 'it is an answer of its own, but an earlier step has already sent the headers';
  const problem = rule.apply(colon === -1 ? null : step.slice(colon + 1), draft);
  if (problem !== null) return `${problem}; write it as ${rule.form}`;
  if (rule.kind === 'content' || rule.kind === 'frame') draft.headSent = true;
  if (rule.kind === 'ending') draft.ended = true;
  return null;
}

/** `no-done` or `slow:500ms` alone mean an ordinary answer with that one thing changed. */
function addDefaultText({ script, ended }: Draft): void {
  const speaks = script.steps.some((step) => ['echo', 'text', 'reasoning', 'refusal', 'tool'].includes(step.do));
  if (ended || speaks) return;
  const finish = script.steps.findIndex((step) => step.do === 'finish');
  script.steps.splice(finish === -1 ? script.steps.length : finish, 0, { do: 'text', tokens: 5 });
}

function overBounds(script: Script): string | null {
  let tokens = 0;
  let bytes = 0;
  let frames = 0;
  let ms = script.usageDelayMs;
  let pace = 0;
  for (const step of script.steps) {
    if (step.do === 'text' || step.do === 'reasoning') {
      tokens += step.tokens;
      ms += pace * step.tokens;
    }
    if (step.do === 'wait') ms += step.ms;
    if (step.do === 'pace') pace = step.ms;
    if (step.do === 'line') bytes += step.bytes;
    if (step.do === 'preamble') frames += step.frames;
    if (step.do === 'comment') frames += step.lines;
  }
  if (tokens > LIMITS.tokens) return `it asks for ${tokens} tokens; an answer has at most ${LIMITS.tokens}`;
  if (ms > LIMITS.durationMs) return `it would take ${ms} ms; an answer lives at most ${LIMITS.durationMs} ms`;
  if (bytes > LIMITS.lineBytes) return `its lines hold ${bytes} bytes; an answer has at most ${LIMITS.lineBytes}`;
  if (frames > LIMITS.emptyFrames) return `it asks for ${frames} empty frames and comments; an answer has at most ${LIMITS.emptyFrames}`;
  return null;
}

type Apply = StepRule['apply'];

function content(form: string, does: string, apply: Apply): StepRule {
  return { kind: 'content', form, does, apply };
}

function frame(form: string, does: string, apply: Apply): StepRule {
  return { kind: 'frame', form, does, apply };
}

function option(form: string, does: string, set: (draft: Draft) => void): StepRule {
  return { kind: 'option', form, does, apply: (arg, draft) => bare(arg, () => set(draft)) };
}

function ending(form: string, does: string, read: (arg: string | null) => Ending | string): StepRule {
  const apply: Apply = (arg, draft) => {
    const result = read(arg);
    if (typeof result === 'string') return result;
    draft.script.ending = result;
    return null;
  };
  return { kind: 'ending', form, does, apply };
}

function bare(arg: string | null, then: () => void): string | null {
  if (arg !== null) return 'it takes no argument';
  then();
  return null;
}

const bareEnding = (arg: string | null, end: Ending): Ending | string => (arg === null ? end : 'it takes no argument');

function count(arg: string | null, max: number, then: (n: number) => void, min = 0): string | null {
  if (arg === null || !/^\d{1,9}$/.test(arg) || Number(arg) > max || Number(arg) < min) return `it needs a whole number from ${min} to ${max}`;
  then(Number(arg));
  return null;
}

function duration(arg: string | null, then: (ms: number) => void): string | null {
  const match = /^(\d{1,6})(ms|s)$/.exec(arg ?? '');
  const ms = match === null ? NaN : Number(match[1]) * (match[2] === 's' ? 1000 : 1);
  if (!(ms <= LIMITS.durationMs)) return `it needs a time from 0ms to ${LIMITS.durationMs / 1000}s`;
  then(ms);
  return null;
}

function toolName(arg: string | null, then: (name: string) => void): string | null {
  if (arg === null || !/^[A-Za-z0-9_-]{1,64}$/.test(arg)) return 'it needs a name of letters, digits, _ and -, at most 64';
  then(arg);
  return null;
}

function statusCode(arg: string | null, make: (status: number) => Ending): Ending | string {
  if (arg === null || !/^[345]\d\d$/.test(arg)) return 'it needs a status from 300 to 599';
  return make(Number(arg));
}

const FINISHES: readonly string[] = ['stop', 'length', 'content_filter', 'tool_calls', 'function_call'] satisfies Finish[];

function readFinish(arg: string | null, draft: Draft): string | null {
  if (arg !== null && !FINISHES.includes(arg)) return `the reason is one of ${FINISHES.join(', ')}`;
  if (draft.finished) return 'the answer is already finished';
  draft.finished = true;
  draft.script.steps.push({ do: 'finish', reason: arg as Finish | null });
  return null;
}

function refineRetryAfter(arg: string | null, draft: Draft): string | null {
  const end = draft.script.ending;
  if (end.how !== 'status') return 'it belongs after a status step';
  return count(arg, 86_400, (seconds) => (end.retryAfterS = seconds));
}

function refineCode(arg: string | null, draft: Draft): string | null {
  const end = draft.script.ending;
  if (end.how !== 'status' && end.how !== 'error') return 'it belongs after a status or an error step';
  return toolName(arg, (code) => (end.code = code));
}
