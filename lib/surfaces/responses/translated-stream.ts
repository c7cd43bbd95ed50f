import { type FinishEvent, type Frame, isObject, type SignatureEvent, type StreamEvent, type Usage } from '../../wire';
import type { AnswerContext, AnswerSoFar, ClientError, EstimatedUsage, StreamWriter } from '../surface';
import { eventOf, lossNote, withNote } from './events';
import { type Emitter, OutputLadder } from './output-ladder';
import { estimatedResponsesUsage, responseObject, type ResponseObject, responsesUsage } from './response-object';

/**
 * Writes response.* events for a tier of another dialect, each as its canonical event arrives. The response begins
 * with the first thing that shows, and its end waits for the closing, since only that shows which finish held.
 */
export class TranslatedStream implements StreamWriter, Emitter {
  private out = '';
  private sequence = 0;
  private begun = false;
  private finished: FinishEvent | null = null;
  /** Signatures that came before anything that shows: they wait, since the first byte fixes the status. */
  private waiting: SignatureEvent[] = [];
  private readonly dropped = new Set<string>();
  private readonly response: ResponseObject;
  private readonly ladder: OutputLadder;

  constructor({ callId, createdS, model, request }: AnswerContext) {
    this.response = responseObject({ id: `resp_${callId}`, createdS, model }, request);
    this.ladder = new OutputLadder(this, callId, customTools(request.tools));
  }

  frame(frame: Frame): string {
    for (const event of frame.events) this.event(event);
    return this.taken();
  }

  bridge(): string {
    this.begin();
    this.emit('response.in_progress', `"response":${this.response.short('in_progress')}`);
    return this.taken();
  }

  closing(stash: readonly Frame[], answer: AnswerSoFar, malformedEvents: number, estimate: () => EstimatedUsage): string {
    let out = '';
    for (const frame of stash) out += this.frame(frame);
    this.begin();
    this.ladder.finish(this.isWhole ? 'completed' : 'incomplete');
    const status = this.isWhole ? 'completed' : 'incomplete';
    const event = `{"type":"response.${status}","sequence_number":${this.sequence++},"response":${this.whole(answer.usage, estimate)}}`;
    return out + this.taken() + eventOf(`response.${status}`, withNote(event, this.note(malformedEvents)));
  }

  /** `error` stands beside the response too: there every client of OpenAI's looks, and raises. */
  truncated(error: ClientError): string {
    this.begin();
    this.emit('response.failed', `"response":${this.response.text({ status: 'failed', output: this.ladder.output(), usage: 'null', error })},"error":${JSON.stringify(error)}`);
    return this.taken();
  }

  emit(type: string, rest: string): void {
    this.out += `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.sequence++},${rest}}\n\n`;
  }

  /** The response object at its end. */
  whole(usage: Usage | null, estimate: () => EstimatedUsage): string {
    return this.response.text({
      status: this.isWhole ? 'completed' : 'incomplete',
      ...(this.isWhole ? {} : { reason: this.incompleteReason }),
      output: this.ladder.output(),
      usage: JSON.stringify(usage === null ? estimatedResponsesUsage(estimate()) : responsesUsage(usage)),
    });
  }

  /** Closes what is open without a word about it: for an answer that is told whole. */
  closeQuietly(): void {
    this.begin();
    this.ladder.finish(this.isWhole ? 'completed' : 'incomplete');
    this.out = '';
  }

  note(malformedEvents: number): string | null {
    const said = this.finished?.native ?? null;
    const native = said === (this.isWhole ? 'completed' : `incomplete:${this.incompleteReason}`) ? null : said; // `status` says it already
    return lossNote(malformedEvents, this.dropped, { ...(native === null ? {} : { native_finish_reason: native }), ...(this.ladder.overflowed ? { output_omitted: true } : {}) });
  }

  private get incompleteReason(): 'max_output_tokens' | 'content_filter' {
    return this.finished?.reason === 'length' ? 'max_output_tokens' : 'content_filter';
  }

  private get isWhole(): boolean {
    return this.finished?.reason !== 'length' && this.finished?.reason !== 'content_filter';
  }

  private event(event: StreamEvent): void {
    if ('choice' in event && event.choice !== 0) return void this.dropped.add('choices');
    switch (event.type) {
      case 'signature':
        if (this.begun) this.ladder.add(event);
        else this.waiting.push(event);
        return;
      case 'logprobs':
        return this.ladder.add(event);
      case 'text':
      case 'reasoning':
      case 'refusal':
      case 'tool_call':
      case 'annotation':
        this.begin();
        return this.ladder.add(event);
      case 'audio':
        return void this.dropped.add('audio');
      case 'finish':
        this.finished = event;
        return;
      case 'dropped':
        return void this.dropped.add(event.what);
    }
  }

  private begin(): void {
    if (this.begun) return;
    this.begun = true;
    const response = this.response.text({ status: 'in_progress', output: '[]', usage: 'null' });
    this.emit('response.created', `"response":${response}`);
    this.emit('response.in_progress', `"response":${response}`);
    const { waiting } = this;
    this.waiting = [];
    for (const event of waiting) this.ladder.add(event);
  }

  private taken(): string {
    const { out } = this;
    this.out = '';
    return out;
  }
}

/** A response made of another dialect's whole answer: what its stream would have come to. */
export function wholeResponse(events: readonly StreamEvent[], context: AnswerContext, estimate: () => EstimatedUsage): string {
  const stream = new TranslatedStream(context);
  stream.frame({ data: null, name: '', events: events as StreamEvent[] });
  stream.closeQuietly();
  const usage = events.findLast((event) => event.type === 'usage')?.usage ?? null;
  return withNote(stream.whole(usage, estimate), stream.note(0));
}

function customTools(tools: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  for (const tool of Array.isArray(tools) ? tools : []) if (isObject(tool) && tool.type === 'custom' && typeof tool.name === 'string') names.add(tool.name);
  return names;
}
