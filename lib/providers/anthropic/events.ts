import { type Frame, isObject, nonEmpty, type StreamEvent } from '../../wire';
import type { StreamReader } from '../adapter';
import { isTooHeavy } from '../heavy';
import { saysError } from '../openai/error-body';
import { strayText } from '../stray-text';
import { type Block, createBlocks } from './blocks';
import { badStop, errorInside } from './failure';
import type { Members } from './json-values';
import { likeDeltas } from './like-deltas';
import { explains, isCut, readStop } from './stop-reason';
import { usageTally } from './usage';

/**
 * Reads one Messages stream. Every event that a client of this API may see keeps the upstream's own text and name,
 * also those that mean nothing elsewhere; unknown ones are such. `message_stop` alone ends the stream.
 */
export function streamReader(): StreamReader {
  const blocks = createBlocks();
  const usage = usageTally();
  const alike = likeDeltas();
  const stray = strayText(judgeStray);
  /** The open block whose deltas are recognised, and what is in them. */
  let known: { block: Block; kind: keyof typeof KINDS } | null = null;
  let messageId: string | null = null;
  let started = false;

  function read(sent: string, eventName: string): Frame {
    // Lines of one event are joined by LF, which is white space in JSON: relayed as one line, or half of it would be lost.
    const data = sent.includes('\n') ? sent.replaceAll('\n', ' ') : sent;
    stray.reset();
    if (known !== null && (eventName === DELTA || eventName === '')) {
      const text = alike.textOf(data);
      if (text !== null) return { data, name: DELTA, events: [likeEvent(text)] };
    }
    return parse(data, eventName);
  }

  function likeEvent(text: string): StreamEvent {
    const { block, kind } = known!;
    if (kind === 'arguments') {
      block.sent = true;
      return { type: 'tool_call', choice: 0, index: block.tool, id: null, name: null, arguments: text };
    }
    if (kind === 'text') blocks.passed(text.length);
    return { type: kind, choice: 0, text };
  }

  function parse(data: string, eventName: string): Frame {
    if (data === '[DONE]') return TERMINATOR; // some relays add it
    if (isTooHeavy(data)) return malformed('an event of too many values');
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      return malformed('the data is not JSON');
    }
    if (!isObject(value)) return malformed('the data is not a JSON object');
    const type = nonEmpty(value.type) ?? eventName;
    if (type === 'error' || eventName === 'error' || value.error) return error(value);
    const events: StreamEvent[] = [];
    switch (type) {
      case 'message_start':
        return begin(value, data, eventName, events);
      case 'content_block_start':
        forget(); // an index may be used again
        return framed(blocks.start(indexOf(value), value.content_block, events), data, eventName || type, events);
      case DELTA:
        return delta(value, data, eventName, events);
      case 'content_block_stop':
        stop(indexOf(value), events);
        break;
      case 'message_delta':
        return end(value, data, eventName, events);
      case 'message_stop':
        return TERMINATOR;
      case '':
        return saysError(value) ? error(value) : malformed('the data is no event of a message');
      default:
        if (value.type === undefined && eventName !== 'ping') return malformed('the data is no event of a message');
    }
    return { data, name: eventName || type, events };
  }

  /** The same beginning twice is one; another one means that somebody glued two answers together. */
  function begin({ message }: Members, data: string, eventName: string, events: StreamEvent[]): Frame {
    if (!isObject(message)) return malformed('a message_start without a message');
    const id = nonEmpty(message.id);
    if (started) {
      const same = id === messageId && (id !== null || !blocks.hasBegun());
      return same ? { data: null, name: '', events } : error(SPLICED);
    }
    started = true;
    messageId = id;
    if (id !== null) events.push({ type: 'identity', id, created: 0, model: nonEmpty(message.model) ?? '' });
    events.push({ type: 'choice', choice: 0 });
    const counted = usage.begun(message.usage);
    if (counted !== null) events.push({ type: 'usage', usage: counted });
    return { data, name: eventName || 'message_start', events };
  }

  function delta(value: Members, data: string, eventName: string, events: StreamEvent[]): Frame {
    const index = indexOf(value);
    const frame = framed(blocks.delta(index, value.delta, events), data, eventName || DELTA, events);
    if (known === null && (eventName === DELTA || eventName === '')) learn(index, frame);
    return frame;
  }

  function learn(index: number, { data, events }: Frame): void {
    const block = blocks.open(index);
    const [event] = events;
    if (block === null || data === null || event === undefined || events.length !== 1) return;
    const kind = event.type === 'text' || event.type === 'reasoning' ? event.type : event.type === 'tool_call' ? 'arguments' : null;
    if (kind === null) return;
    if (alike.learn(data, (other) => soleText(other, index, kind))) known = { block, kind };
  }

  function stop(index: number, events: StreamEvent[]): void {
    if (known !== null && blocks.open(index) === known.block) forget();
    blocks.stop(index, events);
  }

  function forget(): void {
    known = null;
    alike.forget();
  }

  function end(value: Members, data: string, eventName: string, events: StreamEvent[]): Frame {
    const change = isObject(value.delta) ? value.delta : {};
    const reason = readStop(change.stop_reason);
    if (reason !== null) {
      forget();
      blocks.end(isCut(change.stop_reason), events);
    }
    const counted = usage.add(value.usage);
    if (counted !== null) events.push({ type: 'usage', usage: counted });
    if (reason === 'unknown') return { data: null, name: '', events: [...events, { type: 'error', failure: badStop(change.stop_reason) }] };
    if (explains(change.stop_details)) events.push({ type: 'dropped', what: 'stop_details' });
    if (reason !== null) events.push({ type: 'finish', choice: 0, reason, native: change.stop_reason as string, stopSequence: nonEmpty(change.stop_sequence) });
    return { data, name: eventName || 'message_delta', events };
  }

  return { read, stray: stray.line };
}

const DELTA = 'content_block_delta';
const SPLICED = { error: { type: 'api_error', message: 'another answer begins inside of this one' } };
const TERMINATOR: Frame = { data: null, name: 'message_stop', events: [{ type: 'terminator' }] };

/** A relay that leaves the index out sends one block at a time. */
const indexOf = ({ index }: Members): number => (typeof index === 'number' ? index : -1);

const KINDS = { text: ['text_delta', 'text'], reasoning: ['thinking_delta', 'thinking'], arguments: ['input_json_delta', 'partial_json'] } as const;

/** The text of a delta that holds nothing else, of this block and of this kind. */
function soleText(data: string, index: number, kind: keyof typeof KINDS): string | null {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return null; // not the event that was to be learnt
  }
  if (!isObject(value) || value.type !== DELTA || indexOf(value) !== index || value.error || !isObject(value.delta)) return null;
  const { delta } = value;
  const [type, member] = KINDS[kind];
  return delta.type === type ? nonEmpty(delta[member]) : null;
}

const framed = (complaint: string | null, data: string, name: string, events: StreamEvent[]): Frame => (complaint === null ? { data, name, events } : malformed(complaint));

function judgeStray(json: unknown): Frame {
  const value: unknown = Array.isArray(json) ? json[0] : json;
  return isObject(value) && saysError(value) ? error(value) : malformed('JSON outside of the event framing');
}

function malformed(detail: string): Frame {
  return { data: null, name: '', events: [{ type: 'malformed', detail }] };
}

function error(value: Members): Frame {
  return { data: null, name: '', events: [{ type: 'error', failure: errorInside(value) }] };
}
