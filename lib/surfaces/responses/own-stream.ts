import { type Frame, isObject } from '../../wire';
import type { AnswerContext, AnswerSoFar, ClientError, EstimatedUsage, StreamWriter } from '../surface';
import { eventOf, lossNote, withNote } from './events';
import { estimatedResponsesUsage, responseObject, type ResponseIdentity } from './response-object';

/** Relays the events of a tier that speaks this API itself, with their own bytes. What the gateway adds carries the response's own id. */
export class OwnStream implements StreamWriter {
  private identity: ResponseIdentity;
  /** Of the last event that was relayed. */
  private sequence = -1;

  constructor(private readonly context: AnswerContext) {
    const { callId, createdS, model } = context;
    this.identity = { id: `resp_${callId}`, createdS, model };
  }

  frame({ data, name, events }: Frame): string {
    if (data === null) return '';
    this.sequence = sequenceIn(data) ?? this.sequence;
    const [first] = events;
    if (first?.type === 'identity') this.identity = { id: first.id, createdS: first.created, model: first.model };
    return eventOf(name === '' ? 'message' : name, data);
  }

  /** The number is that of the last event: the next one is the upstream's, and a client that skips what it has seen must not skip that. */
  bridge(): string {
    return eventOf('response.in_progress', `{"type":"response.in_progress","sequence_number":${Math.max(0, this.sequence)},"response":${this.response().short('in_progress')}}`);
  }

  closing(stash: readonly Frame[], answer: AnswerSoFar, malformedEvents: number, estimate: () => EstimatedUsage): string {
    const note = lossNote(malformedEvents, []);
    const last = stash.findLastIndex(({ data }) => data !== null);
    let out = '';
    for (const [at, frame] of stash.entries()) {
      const ends = answer.usage === null && frame.events.some(({ type }) => type === 'finish');
      const data = ends && frame.data !== null ? withUsage(frame.data, estimate) : frame.data;
      out += this.frame({ data: at === last && data !== null ? withNote(data, note) : data, name: frame.name, events: frame.events });
    }
    return out;
  }

  /** `error` stands beside the response too: there every client of OpenAI's looks, and raises. */
  truncated(error: ClientError): string {
    const response = this.response().text({ status: 'failed', output: '[]', usage: 'null', error });
    return eventOf('response.failed', `{"type":"response.failed","sequence_number":${this.sequence + 1},"response":${response},"error":${JSON.stringify(error)}}`);
  }

  private response() {
    return responseObject(this.identity, this.context.request);
  }
}

/** In a string its quotes would be escaped: where it stands, it is a member. */
const SEQUENCE = '"sequence_number":';

function sequenceIn(data: string): number | null {
  const at = data.indexOf(SEQUENCE);
  const number = at === -1 ? Number.NaN : Number.parseInt(data.slice(at + SEQUENCE.length, at + SEQUENCE.length + 20), 10);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** The event that ends the response, with an estimate where its provider told no usage. */
function withUsage(data: string, estimate: () => EstimatedUsage): string {
  const event = JSON.parse(data) as Record<string, unknown>;
  if (isObject(event.response)) event.response.usage = estimatedResponsesUsage(estimate());
  return JSON.stringify(event);
}
