import { isObject, nonEmpty, type StreamEvent, type ToolCallEvent } from '../../wire';
import { callSignature, SIGNATURE_FORMAT } from '../gemini/signature';
import { readDetails } from './reasoning-details';

/**
 * What one delta (of a stream) or one message (of a whole answer) holds, added to `events`. Returns a
 * complaint when a member has a type that no client could read, else null.
 *
 * `audio` stands for any medium that is passed on unread, images included.
 */
export function readDelta(delta: Record<string, unknown>, choice: number, tools: ToolCalls, events: StreamEvent[]): string | null {
  readReasoning(delta, choice, events); // first, as it was thought: a whole message names it in any place
  const { content } = delta;
  if (typeof content === 'string') {
    if (content !== '') events.push({ type: 'text', choice, text: content });
  } else if (Array.isArray(content)) {
    readParts(content, choice, events);
  } else if (content !== null && content !== undefined) {
    return 'content is neither a string nor a list';
  }
  if (delta.refusal !== undefined && nonEmpty(delta.refusal) !== null) events.push({ type: 'refusal', choice, text: delta.refusal as string });
  if (isObject(delta.audio) || (Array.isArray(delta.images) && delta.images.length > 0)) events.push({ type: 'audio', choice });
  if (delta.tool_calls !== undefined && delta.tool_calls !== null) {
    if (!Array.isArray(delta.tool_calls)) return 'tool_calls is not a list';
    for (let at = 0; at < delta.tool_calls.length; at++) {
      const call: unknown = delta.tool_calls[at];
      if (!isObject(call)) return 'a tool call is not an object';
      const event = tools.read(call, choice, at);
      events.push(event);
      if (saysSomething(call.extra_content)) events.push(signatureOf(call.extra_content, choice, event.index) ?? { type: 'dropped', what: 'extra_content' });
    }
  }
  if (isObject(delta.function_call)) {
    const { name, arguments: text } = delta.function_call;
    events.push({ type: 'tool_call', choice, index: 0, id: null, name: nonEmpty(name), arguments: argumentsOf(text), spelled: 'function_call' });
  }
  if (Array.isArray(delta.annotations)) readAnnotations(delta.annotations, choice, events);
  for (const name in delta) if (!READ.has(name) && saysSomething(delta[name])) events.push({ type: 'dropped', what: name });
  return null;
}

/** The members that are read above, and those of `function_call` and `audio` with them. */
const READ: ReadonlySet<string> = new Set(['role', 'content', 'reasoning_content', 'reasoning', 'reasoning_details', 'refusal', 'audio', 'images', 'tool_calls', 'function_call', 'annotations']);

const saysSomething = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(typeof value === 'object' && Object.keys(value).length === 0);

function readReasoning(delta: Record<string, unknown>, choice: number, events: StreamEvent[]): void {
  if (delta.reasoning_details !== undefined && saysSomething(delta.reasoning_details)) return readDetails(delta, choice, events);
  const text = nonEmpty(delta.reasoning_content);
  const spelledShort = nonEmpty(delta.reasoning);
  if (text !== null) events.push({ type: 'reasoning', choice, text });
  else if (spelledShort !== null) events.push({ type: 'reasoning', choice, text: spelledShort, spelled: 'reasoning' });
  if (text !== null && spelledShort !== null) events.push({ type: 'dropped', what: 'reasoning' });
}

/** What Google's own endpoint of this wire wants back with a call: https://ai.google.dev/gemini-api/docs/thought-signatures */
function signatureOf(extra: unknown, choice: number, tool: number): StreamEvent | null {
  if (!isObject(extra) || Object.keys(extra).length > 1) return null;
  const data = callSignature({ extra_content: extra });
  return data === undefined ? null : { type: 'signature', choice, format: SIGNATURE_FORMAT, kind: 'signature', data, tool };
}

function readAnnotations(annotations: unknown[], choice: number, events: StreamEvent[]): void {
  for (const annotation of annotations) {
    const cited = isObject(annotation) && annotation.type === 'url_citation' && isObject(annotation.url_citation) ? annotation.url_citation : null;
    if (cited === null || typeof cited.url !== 'string') {
      events.push({ type: 'dropped', what: 'annotations' });
      continue;
    }
    const { url, title, start_index: start, end_index: end } = cited;
    const place = (index: unknown) => (typeof index === 'number' ? index : null);
    events.push({ type: 'annotation', choice, annotation: { url, title: typeof title === 'string' ? title : null, startIndex: place(start), endIndex: place(end) } });
  }
}

/** A list of parts: Mistral's `thinking` (a string or parts of its own) and `text`, and media. */
function readParts(parts: unknown[], choice: number, events: StreamEvent[]): void {
  for (const part of parts) {
    if (!isObject(part)) continue;
    if (part.type === 'thinking') {
      const { thinking } = part;
      const text = typeof thinking === 'string' ? thinking : Array.isArray(thinking) ? thinking.map((inner) => (isObject(inner) ? (nonEmpty(inner.text) ?? '') : '')).join('') : '';
      if (text !== '') events.push({ type: 'reasoning', choice, text });
    } else if (nonEmpty(part.text) !== null) {
      events.push({ type: 'text', choice, text: part.text as string });
    } else if (part.type === 'image_url' || part.type === 'audio') {
      events.push({ type: 'audio', choice });
    }
  }
}

export interface ToolCalls {
  read(call: Record<string, unknown>, choice: number, position: number): ToolCallEvent;
}

interface Call {
  id: string | null;
  named: boolean;
  /** Ours: 0, 1, … in order of appearance within the choice. */
  index: number;
}

/** The calls of one choice, as they are looked for: one that takes another's place hides it. */
interface CallsOfChoice {
  count: number;
  /** By the upstream's index. */
  indexed: Map<number, Call>;
  /** By the place in their list, of those without an index. */
  placed: Map<number, Call>;
  byId: Map<string, Call>;
}

/**
 * Tells the tool calls of one answer apart. The key is the upstream's index (which may start at 1), else the
 * position and id. A delta that names a function under another id opens a new call even where it reuses the
 * index; an id alone does not, since some servers make up a new one for every delta. An empty id or name
 * never overwrites.
 */
export function createToolCalls(): ToolCalls {
  return new CallsSoFar();
}

/** A class because every answer has one, and most have no tool calls. Looked up, never searched for: an upstream may send any number. */
class CallsSoFar implements ToolCalls {
  private choices: Map<number, CallsOfChoice> | null = null;

  read(raw: Record<string, unknown>, choice: number, position: number): ToolCallEvent {
    const made = isObject(raw.function) ? raw.function : isObject(raw.custom) ? raw.custom : NONE;
    const key = typeof raw.index === 'number' ? raw.index : null;
    const id = nonEmpty(raw.id);
    const name = nonEmpty(made.name);
    const calls = this.callsOf(choice);
    let call = find(calls, key, position, id, name);
    if (call === undefined) {
      call = { id: null, named: false, index: calls.count++ };
      if (key === null) calls.placed.set(position, call);
      else calls.indexed.set(key, call);
    }
    const event: ToolCallEvent = {
      type: 'tool_call',
      choice,
      index: call.index,
      id: call.id === null ? id : null,
      name: call.named ? null : name,
      arguments: argumentsOf(made.arguments ?? made.input),
    };
    if (isObject(made.arguments ?? made.input)) event.spelled = 'other';
    if (call.id === null && id !== null) {
      call.id = id;
      if (!calls.byId.has(id)) calls.byId.set(id, call);
    }
    call.named ||= name !== null;
    return event;
  }

  private callsOf(choice: number): CallsOfChoice {
    this.choices ??= new Map();
    let calls = this.choices.get(choice);
    if (calls === undefined) {
      calls = { count: 0, indexed: new Map(), placed: new Map(), byId: new Map() };
      this.choices.set(choice, calls);
    }
    return calls;
  }
}

function find(calls: CallsOfChoice, key: number | null, position: number, id: string | null, name: string | null): Call | undefined {
  if (key === null && id !== null) {
    const known = calls.byId.get(id);
    if (known !== undefined) return known;
  }
  const last = key === null ? calls.placed.get(position) : calls.indexed.get(key);
  if (last === undefined || id === null || last.id === null || last.id === id) return last;
  return name !== null || key === null ? undefined : last;
}

const NONE: Record<string, unknown> = {};

function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
