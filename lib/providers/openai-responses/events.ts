import { type Failure, type Frame, isObject, type StreamEvent } from '../../wire';
import type { StreamReader } from '../adapter';
import { isTooHeavy } from '../heavy';
import { saysError } from '../openai/error-body';
import { errorInside } from '../openai/failure';
import { strayText } from '../stray-text';
import { endingOf } from './ending';
import { errorEvent } from './failure';
import { likeDeltas } from './like-deltas';
import { type DeltaKind, OutputItems } from './output-items';

/**
 * Reads one stream of response.* events. The finish stands in the event that ends the response and nowhere else: a
 * stream that ends without it was cut, whatever came before. Events of unknown types are relayed and mean nothing.
 */
export function streamReader(): StreamReader {
  const reader = new ResponsesReader();
  const stray = strayText((json) => (isObject(json) && saysError(json) ? failed(errorInside(json)) : malformed('JSON outside of the event framing')));
  return {
    read(data, eventName) {
      stray.reset();
      return reader.read(data, eventName);
    },
    stray: (line) => stray.line(line),
  };
}

/** A class because one stands behind every open stream. */
class ResponsesReader {
  private readonly items = new OutputItems();
  private readonly alike = likeDeltas();
  private begun = false;
  private identified = false;

  read(sent: string, eventName: string): Frame {
    // Lines of one event are joined by LF, which is white space in JSON: relayed as one line, or half of it would be lost.
    const data = sent.includes('\n') ? sent.replaceAll('\n', ' ') : sent;
    if (eventName === '' || eventName === TEXT_DELTA) {
      const text = this.alike.textOf(data);
      if (text !== null) return { data, name: TEXT_DELTA, events: [{ type: 'text', choice: 0, text }] };
    }
    return this.parse(data, eventName);
  }

  private parse(data: string, eventName: string): Frame {
    if (data === '[DONE]') return TERMINATOR; // no part of this API, but some relays end every stream so
    if (isTooHeavy(data)) return malformed('an event of too many values');
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      return data.trim() === '[DONE]' ? TERMINATOR : malformed('the data is not JSON');
    }
    if (!isObject(value)) return malformed('the data is not a JSON object');
    const { type } = value;
    if (type === 'error' || eventName === 'error' || value.error) return failed(errorEvent(value));
    if (typeof type !== 'string') return saysError(value) ? failed(errorEvent(value)) : malformed('the data is no event of a response');
    if (type === 'keepalive' || type === 'ping') return NOTHING;
    const events: StreamEvent[] = [];
    const complaint = this.event(type, value, events);
    if (complaint !== null) return malformed(complaint);
    if (type === TEXT_DELTA && events.length === 1) this.alike.learn(data, value);
    const lost = events.some((event) => event.type === 'error');
    return { data: lost ? null : data, name: eventName !== '' ? eventName : nameOf(type), events };
  }

  private event(type: string, value: Record<string, unknown>, events: StreamEvent[]): string | null {
    const { items } = this;
    const deltas = DELTAS[type];
    if (deltas !== undefined) return items.delta(deltas, value, events);
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return isObject(value.response) ? this.identify(value.response, events) : null;
      case 'response.output_item.added':
      case 'response.output_item.done':
        if (!isObject(value.item)) return 'an item is not an object';
        if (type === 'response.output_item.added') items.begin(value.item, value.output_index, events);
        else items.end(value.item, value.output_index, events);
        return null;
      case 'response.content_part.added':
      case 'response.content_part.done':
        if (isObject(value.part)) items.part(value.part, value.output_index, value.content_index, events);
        return null;
      case 'response.output_text.done':
        return this.done('text', value.text, value, value.content_index, events);
      case 'response.refusal.done':
        return this.done('refusal', value.refusal, value, value.content_index, events);
      case 'response.reasoning_summary_text.done':
        return this.done('summary', value.text, value, value.summary_index, events);
      case 'response.reasoning_text.done':
        return this.done('reasoning', value.text, value, value.content_index, events);
      case 'response.function_call_arguments.done':
        return this.done('arguments', value.arguments, value, 0, events);
      case 'response.custom_tool_call_input.done':
        return this.done('arguments', value.input, value, 0, events);
      case 'response.output_text.annotation.added':
        items.annotation(value.annotation, events);
        return null;
      case 'response.audio.delta':
        events.push({ type: 'audio', choice: 0 });
        return null;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.end(type.slice('response.'.length), value, events);
    }
    return null;
  }

  private done(kind: DeltaKind, text: unknown, { output_index: output }: Record<string, unknown>, part: unknown, events: StreamEvent[]): null {
    this.items.whole(kind, text, output, part, events);
    return null;
  }

  private identify({ id, created_at: created, model }: Record<string, unknown>, events: StreamEvent[]): null {
    if (!this.identified && typeof id === 'string' && id !== '') {
      this.identified = true;
      events.push({ type: 'identity', id, created: typeof created === 'number' ? created : 0, model: typeof model === 'string' ? model : '' });
    }
    if (!this.begun) events.push({ type: 'choice', choice: 0 });
    this.begun = true;
    return null;
  }

  private end(status: string, value: Record<string, unknown>, events: StreamEvent[]): string | null {
    const { response } = value;
    if (!isObject(response)) return 'an ending without its response';
    this.identify(response, events);
    // Where nothing came on the way, the whole answer may stand in its last event.
    if (!this.items.any && Array.isArray(response.output)) {
      for (const [at, item] of response.output.entries()) if (isObject(item)) this.items.end(item, at, events);
    }
    const why = endingOf(response, response.status === 'failed' || response.status === 'cancelled' ? response.status : status, this.items, events);
    if (why !== null) events.push({ type: 'error', failure: why });
    return null;
  }
}

const TEXT_DELTA = 'response.output_text.delta';
const DELTAS: Readonly<Record<string, DeltaKind>> = Object.assign(Object.create(null) as Record<string, DeltaKind>, {
  [TEXT_DELTA]: 'text',
  'response.refusal.delta': 'refusal',
  'response.reasoning_summary_text.delta': 'summary',
  'response.reasoning_text.delta': 'reasoning',
  'response.function_call_arguments.delta': 'arguments',
  'response.custom_tool_call_input.delta': 'arguments',
});

const TERMINATOR: Frame = { data: null, name: '', events: [{ type: 'terminator' }] };
const NOTHING: Frame = { data: null, name: '', events: [] };

/** Clients are told what an event is by its `event:` line; a type that would break out of the line is none. */
const nameOf = (type: string): string => (/^[\w.-]{1,100}$/.test(type) ? type : '');

const failed = (why: Failure): Frame => ({ data: null, name: '', events: [{ type: 'error', failure: why }] });
const malformed = (detail: string): Frame => ({ data: null, name: '', events: [{ type: 'malformed', detail }] });
