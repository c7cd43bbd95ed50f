import type { FinishReason, Frame, StreamEvent } from '../../wire';
import { DONE, eventOf, withMember } from '../chat-completions/chunk';
import { openAiUsage } from '../openai-usage';
import type { AnswerContext, AnswerSoFar, ClientError, EstimatedUsage, StreamWriter } from '../surface';

/** Writes text_completion chunks. This API has text and nothing else: what more there was is named at the end. */
export class CompletionStream implements StreamWriter {
  /** The opening of every frame, up to the choices. */
  private readonly opening: string;
  private readonly finishes = new Map<number, FinishReason>();
  private readonly dropped = new Set<string>();

  constructor(private readonly context: AnswerContext) {
    const { callId, createdS, model } = context;
    this.opening = JSON.stringify({ id: `cmpl-${callId}`, object: 'text_completion', created: createdS, model }).slice(0, -1);
  }

  frame(frame: Frame): string {
    let out = '';
    for (const event of frame.events) out += this.event(event);
    return out;
  }

  bridge(): string {
    return eventOf(`${this.opening},"choices":[${choiceOf(0, '""')}]}`);
  }

  closing(stash: readonly Frame[], answer: AnswerSoFar, malformedEvents: number, estimate: () => EstimatedUsage): string {
    let out = '';
    for (const frame of stash) out += this.frame(frame);
    for (const [index, reason] of this.finishes) out += eventOf(`${this.opening},"choices":[${choiceOf(index, '""', legacyReason(reason))}]}`);
    const notes: string[] = [];
    if (malformedEvents > 0) notes.push(`"malformed_events":${malformedEvents}`);
    if (this.dropped.size > 0) notes.push(`"dropped":${JSON.stringify([...this.dropped])}`);
    const { usageWish } = this.context;
    if (usageWish !== 'declined') {
      const last = `${this.opening},"choices":[${usageWish === 'asked' ? '' : choiceOf(0, '""')}],"usage":${JSON.stringify(openAiUsage(answer.usage, estimate))}}`;
      out += eventOf(notes.length === 0 ? last : withMember(last, `"ohm":{${notes.join(',')}}`));
    } else if (notes.length > 0) {
      out += eventOf(`${this.opening},"choices":[${choiceOf(0, '""')}],"ohm":{${notes.join(',')}}}`);
    }
    return out + DONE;
  }

  truncated(error: ClientError): string {
    return eventOf(JSON.stringify({ error }));
  }

  private event(event: StreamEvent): string {
    switch (event.type) {
      case 'text':
      case 'refusal': // a refusal is said in text here
        return eventOf(`${this.opening},"choices":[${choiceOf(event.choice, JSON.stringify(event.text))}]}`);
      case 'finish':
        this.finishes.set(event.choice, event.reason);
        return '';
      default:
        if (lost(event) !== null) this.dropped.add(lost(event)!);
        return '';
    }
  }
}

/** One choice; `text` and what follows it as JSON text. */
const choiceOf = (index: number, text: string, reason: string | null = null): string => `{"text":${text},"index":${index},"logprobs":null,"finish_reason":${reason === null ? 'null' : JSON.stringify(reason)}}`;

/** What of an answer this API has no place for; null for what is nothing by itself. */
export function lost(event: StreamEvent): string | null {
  if (event.type === 'dropped') return event.what;
  return event.type === 'reasoning' || event.type === 'tool_call' || event.type === 'audio' || event.type === 'annotation' ? event.type : null;
}

/** There are no tools here: whatever a model called, its text is at an end. */
export const legacyReason = (reason: FinishReason): string => (reason === 'tool_calls' || reason === 'function_call' ? 'stop' : reason);
