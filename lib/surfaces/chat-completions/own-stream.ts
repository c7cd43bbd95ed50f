import { type Frame, replaceMembers, scanTopLevel, type StreamEvent } from '../../wire';
import { openAiUsage } from '../openai-usage';
import type { AnswerContext, AnswerSoFar, ClientError, EstimatedUsage, StreamWriter } from '../surface';
import { chunkText, DONE, EMPTY_DELTA, eventOf, withMember } from './chunk';

/**
 * Relays the frames of a tier that speaks OpenAI itself: their own bytes, but for the usage. That vendors put into a
 * frame of its own, the last one, or all of them; a client gets it once, at the end, in the shape that it asked for.
 */
export class OwnStream implements StreamWriter {
  /** The provider's own last frame of usage, where it had one that says nothing else. */
  private usageFrame: string | null = null;

  constructor(private readonly context: AnswerContext) {}

  frame(frame: Frame): string {
    // The common frame: text, nothing to rewrite.
    const data = frame.events.length === 1 && !isUsage(frame.events[0]!) ? frame.data : this.payload(frame);
    return data === null ? '' : eventOf(data);
  }

  bridge(answer: AnswerSoFar): string {
    return eventOf(this.chunk(answer, { choices: [EMPTY_DELTA] }));
  }

  closing(stash: readonly Frame[], answer: AnswerSoFar, malformedEvents: number, estimate: () => EstimatedUsage): string {
    const payloads = stash.map((frame) => this.payload(frame)).filter((data) => data !== null);
    if (this.context.usageWish !== 'declined') payloads.push(this.usage(answer, estimate));
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
    const { data, events } = frame;
    if (data === null || !events.some(isUsage)) return data;
    const reported = events.some(({ type }) => type === 'usage');
    const alone = events.every((event) => isUsage(event) || event.type === 'identity');
    if (reported) this.usageFrame = alone && !events.some(({ type }) => type === 'dropped') ? data : null;
    return alone ? null : withoutUsage(data);
  }

  /**
   * OpenAI sends usage with `choices: []`; clients that index `choices[0]` without having asked for it must not break.
   * The provider's own frame keeps its other bytes.
   */
  private usage(answer: AnswerSoFar, estimate: () => EstimatedUsage): string {
    const choices = this.context.usageWish === 'asked' ? [] : [EMPTY_DELTA];
    const { usageFrame } = this;
    if (usageFrame !== null) {
      const scan = scanTopLevel(usageFrame);
      if (scan.members.some(({ name, valueStart }) => name === 'usage' && usageFrame[valueStart] === '{')) return replaceMembers(usageFrame, { choices: JSON.stringify(choices) }, scan);
    }
    return this.chunk(answer, { choices, usage: openAiUsage(answer.usage, estimate) });
  }

  /** A frame of our own carries the id, time and model already sent. */
  private chunk(answer: AnswerSoFar, rest: object): string {
    const { id, created, model } = answer.identity ?? { id: this.context.callId, created: this.context.createdS, model: '' };
    return chunkText(id, created, model, rest);
  }
}

/** The usage itself, or something in its place that is none. */
const isUsage = (event: StreamEvent): boolean => event.type === 'usage' || (event.type === 'dropped' && event.what === 'usage');

/** As OpenAI writes all frames but the last. */
function withoutUsage(data: string): string {
  const scan = scanTopLevel(data);
  return scan.members.some(({ name }) => name === 'usage') ? replaceMembers(data, { usage: 'null' }, scan) : data; // some tell it elsewhere
}
