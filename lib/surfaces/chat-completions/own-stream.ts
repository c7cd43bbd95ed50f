import type { Frame } from '../../wire';
import type { AnswerContext, AnswerSoFar, ClientError, EstimatedUsage, StreamWriter } from '../surface';
import { chunkText, DONE, EMPTY_DELTA, eventOf, withMember } from './chunk';

/** Relays the frames of a tier that speaks OpenAI itself: their own bytes, but for the usage that the client did not ask for. */
export class OwnStream implements StreamWriter {
  private usageSent = false;

  constructor(private readonly context: AnswerContext) {}

  frame(frame: Frame): string {
    // The common frame: text, nothing to rewrite.
    const data = frame.events.length === 1 && frame.events[0]!.type !== 'usage' ? frame.data : this.payload(frame);
    return data === null ? '' : eventOf(data);
  }

  bridge(answer: AnswerSoFar): string {
    return eventOf(this.chunk(answer, { choices: [EMPTY_DELTA] }));
  }

  closing(stash: readonly Frame[], answer: AnswerSoFar, malformedEvents: number, estimate: () => EstimatedUsage): string {
    const { usageWish } = this.context;
    const payloads = stash.map((frame) => this.payload(frame)).filter((data) => data !== null);
    if (!this.usageSent && usageWish !== 'declined' && answer.usage === null) {
      const { usage, estimated } = estimate();
      payloads.push(this.chunk(answer, { choices: usageWish === 'asked' ? [] : [EMPTY_DELTA], usage: { ...usage, source: 'estimate', estimated } }));
    }
    if (malformedEvents > 0) {
      const last = payloads.pop() ?? this.chunk(answer, { choices: [EMPTY_DELTA] });
      payloads.push(withMember(last, `"ohm":{"malformed_events":${malformedEvents}}`));
    }
    return payloads.map(eventOf).join('') + DONE;
  }

  truncated(error: ClientError): string {
    return eventOf(JSON.stringify({ error }));
  }

  private payload(frame: Frame): string | null {
    if (frame.data === null) return null;
    if (!frame.events.some((event) => event.type === 'usage')) return frame.data;
    const alone = !frame.events.some((event) => event.type !== 'usage' && event.type !== 'identity');
    if (!alone) {
      this.usageSent = true;
      return frame.data;
    }
    if (this.context.usageWish === 'declined') return null;
    this.usageSent = true;
    return this.context.usageWish === 'asked' ? frame.data : withEmptyDelta(frame.data);
  }

  /** A frame of our own carries the id, time and model already sent. */
  private chunk(answer: AnswerSoFar, rest: object): string {
    const { id, created, model } = answer.identity ?? { id: this.context.callId, created: this.context.createdS, model: '' };
    return chunkText(id, created, model, rest);
  }
}

/** OpenAI sends usage with `choices: []`; clients that index `choices[0]` without having asked for it must not break. */
function withEmptyDelta(data: string): string {
  const parsed = JSON.parse(data) as Record<string, unknown>;
  parsed.choices = [EMPTY_DELTA];
  return JSON.stringify(parsed);
}
