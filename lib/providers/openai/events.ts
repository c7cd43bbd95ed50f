import { type Frame, isObject, type StreamEvent } from '../../wire';
import type { StreamReader } from '../adapter';
import { isTooHeavy } from '../heavy';
import { strayText } from '../stray-text';
import { createToolCalls, readDelta } from './delta';
import { saysError } from './error-body';
import { errorInside } from './failure';
import { badFinish, readFinish } from './finish';
import { likeFrames } from './like-frames';
import { isGarbled, readUsage } from './usage';

/**
 * Reads one chat.completion.chunk stream of any OpenAI-like vendor. Their differences are met by shape, never
 * by name: usage on any frame (also in `x_groq`) with the last one standing, frames without choices, a role in
 * every delta, a finish reason key that comes late. A frame that can be relayed keeps the vendor's own text.
 */
export function streamReader(): StreamReader {
  const begun = new Set<number>();
  const tools = createToolCalls();
  const alike = likeFrames();
  const stray = strayText(judgeStray);
  let identified = false;

  function read(sent: string, eventName: string): Frame {
    // Lines of one event are joined by LF, which is white space in JSON: relayed as one line, or half of it would be lost.
    const data = sent.includes('\n') ? sent.replaceAll('\n', ' ') : sent;
    stray.reset();
    const text = eventName === '' ? alike.textOf(data) : null;
    if (text !== null) return { data, name: '', events: [{ type: 'text', choice: alike.choice, text }] };
    const frame = parse(data, eventName);
    const only = onlyText(frame);
    if (only !== null && eventName === '') alike.learn(data, only.choice, (other) => onlyText(parse(other, ''))?.text ?? null);
    return frame;
  }

  function parse(data: string, eventName: string): Frame {
    if (data === '[DONE]') return TERMINATOR; // told apart first: an exception costs as much as ten frames
    if (isTooHeavy(data)) return malformed('an event of too many values');
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      return data.trim() === '[DONE]' ? TERMINATOR : malformed('the data is not JSON');
    }
    if (!isObject(value)) return malformed('the data is not a JSON object');
    if (eventName === 'error' || saysError(value)) return error(value);
    const events: StreamEvent[] = [];
    if (!identified && typeof value.id === 'string' && value.id !== '') {
      identified = true;
      events.push({ type: 'identity', id: value.id, created: typeof value.created === 'number' ? value.created : 0, model: typeof value.model === 'string' ? value.model : '' });
    }
    const { choices } = value;
    if (Array.isArray(choices)) {
      for (let at = 0; at < choices.length; at++) {
        const complaint = readChoice(choices[at], at, events);
        if (complaint !== null) return malformed(complaint);
      }
    } else if (value.type === 'ping') {
      return { data: null, name: '', events: [] };
    } else if (!isChunk(value)) {
      return malformed('the data is no chat completion chunk');
    }
    if (tellsSources(value)) events.push({ type: 'dropped', what: 'citations' });
    const usage = readUsage(value.usage) ?? (isObject(value.x_groq) ? readUsage(value.x_groq.usage) : null);
    if (usage !== null) events.push({ type: 'usage', usage });
    if (isGarbled(value.usage)) events.push({ type: 'dropped', what: 'usage' });
    const failed = events.some((event) => event.type === 'error');
    return { data: failed ? null : data, name: '', events };
  }

  function readChoice(choice: unknown, position: number, events: StreamEvent[]): string | null {
    if (!isObject(choice)) return 'a choice is not an object';
    const index = typeof choice.index === 'number' ? choice.index : position;
    const { delta } = choice;
    if (isObject(delta)) {
      if (!begun.has(index)) {
        begun.add(index);
        events.push({ type: 'choice', choice: index });
      }
      if (isObject(choice.logprobs)) events.push({ type: 'logprobs', choice: index, logprobs: choice.logprobs });
      const complaint = readDelta(delta, index, tools, events);
      if (complaint !== null) return complaint;
    } else if (delta !== undefined && delta !== null) {
      return 'a delta is not an object';
    } else if (isObject(choice.message) || typeof choice.text === 'string') {
      return 'a whole completion inside a stream';
    }
    const finish = readFinish(choice.finish_reason, index);
    if (finish !== null) events.push(finish === 'failed' ? { type: 'error', failure: badFinish(choice.finish_reason) } : finish);
    return null;
  }

  return { read, stray: stray.line };
}

const TERMINATOR: Frame = { data: null, name: '', events: [{ type: 'terminator' }] };

function onlyText({ events }: Frame): Extract<StreamEvent, { type: 'text' }> | null {
  const [first] = events;
  return events.length === 1 && first!.type === 'text' ? first! : null;
}

/** Perplexity's sources stand beside the choices. */
export const tellsSources = ({ citations, search_results }: Record<string, unknown>): boolean =>
  (Array.isArray(citations) && citations.length > 0) || (Array.isArray(search_results) && search_results.length > 0);

/** Frames without choices that are part of a stream: usage, filter results, moderation, vendor notes. */
function isChunk(value: Record<string, unknown>): boolean {
  if (value.choices !== undefined && value.choices !== null) return false;
  if (typeof value.object === 'string' && value.object.startsWith('chat.completion')) return true;
  return isObject(value.usage) || isObject(value.x_groq) || isObject(value.moderation) || Array.isArray(value.prompt_filter_results);
}

function malformed(detail: string): Frame {
  return { data: null, name: '', events: [{ type: 'malformed', detail }] };
}

function error(value: Record<string, unknown>): Frame {
  const events: StreamEvent[] = [{ type: 'error', failure: errorInside(value) }];
  const usage = readUsage(value.usage);
  if (usage !== null) events.unshift({ type: 'usage', usage });
  return { data: null, name: '', events };
}

/** Whole JSON outside of the framing: an error, or nothing that could be told apart. */
function judgeStray(value: unknown): Frame {
  const object: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(object) && saysError(object) ? error(object) : malformed('JSON outside of the event framing');
}
