import type { FinishEvent, Frame, SignatureEvent, StreamEvent, ToolCallEvent } from '../../wire';
import { openAiUsage } from '../openai-usage';
import type { AnswerContext, AnswerSoFar, ClientError, EstimatedUsage, StreamWriter } from '../surface';
import { chunkText, DONE, EMPTY_DELTA, eventOf, withMember } from './chunk';
import { annotationOf, type CallSpelling, callSpelling, type Delta, finishOf, fragmentOf, reasoningDetail, SignedTexts } from './parts';

/**
 * Writes chat.completion.chunk frames for a tier of another dialect: one id, one `created`, and the served tier's
 * model in all of them. Every frame is written as its event arrives; nothing is collected.
 */
export class TranslatedStream implements StreamWriter {
  /** The opening of every frame, up to the choices. */
  private readonly opening: string;
  /** The opening of a frame that gives the first choice more to its content. */
  private readonly textOpening: string;
  private readonly spelling: CallSpelling;
  /** Calls of custom tools, `choice index`; null until there is one. */
  private customCalls: Set<string> | null = null;
  private readonly begun = new Set<number>();
  private readonly dropped = new Set<string>();
  /** Written last: some upstreams name a reason in every frame, and only the end shows which one held. */
  private readonly finishes = new Map<number, FinishEvent>();
  /** Signatures that came before anything that shows: they wait, since the first byte fixes the status. */
  private waiting: SignatureEvent[] = [];
  private logprobs: unknown = null;
  /** Made with the first signature. */
  private signed: SignedTexts | null = null;

  constructor(private readonly context: AnswerContext) {
    const { callId, createdS, model, request } = context;
    this.opening = chunkText(`chatcmpl-${callId}`, createdS, model, {}).slice(0, -1);
    this.textOpening = `data: ${this.opening},"choices":[{"index":0,"delta":{"content":`;
    this.spelling = callSpelling(request);
  }

  frame(frame: Frame): string {
    const [first] = frame.events;
    // The common frame: more text.
    if (frame.events.length === 1 && first!.type === 'text' && first!.choice === 0 && this.logprobs === null && this.begun.has(0)) return this.textOpening + JSON.stringify(first!.text) + TEXT_CLOSING;
    let out = '';
    for (const event of frame.events) out += this.event(event);
    return out;
  }

  bridge(): string {
    return eventOf(this.chunk([EMPTY_DELTA]));
  }

  closing(stash: readonly Frame[], answer: AnswerSoFar, malformedEvents: number, estimate: () => EstimatedUsage): string {
    let out = '';
    for (const frame of stash) out += this.frame(frame);
    for (const [index, event] of this.finishes) out += this.role(index) + eventOf(this.chunk([this.ending(index, event)]));
    const notes: string[] = [];
    if (malformedEvents > 0) notes.push(`"malformed_events":${malformedEvents}`);
    if (this.dropped.size > 0) notes.push(`"dropped":${JSON.stringify([...this.dropped])}`);
    const note = notes.length === 0 ? null : `"ohm":{${notes.join(',')}}`;
    const { usageWish } = this.context;
    if (usageWish !== 'declined') {
      const last = `${this.opening},"choices":${usageWish === 'asked' ? '[]' : JSON.stringify([EMPTY_DELTA])},"usage":${JSON.stringify(openAiUsage(answer.usage, estimate))}}`;
      out += eventOf(note === null ? last : withMember(last, note));
    } else if (note !== null) {
      out += eventOf(withMember(this.chunk([EMPTY_DELTA]), note));
    }
    return out + DONE;
  }

  /** With what was told of the text only behind it. */
  private ending(index: number, event: FinishEvent): object {
    const { logprobs } = this;
    this.logprobs = null;
    return { index, delta: {}, ...finishOf(event, this.spelling.legacy), ...(logprobs === null ? {} : { logprobs }) };
  }

  truncated(error: ClientError): string {
    return eventOf(JSON.stringify({ error }));
  }

  private event(event: StreamEvent): string {
    switch (event.type) {
      case 'text':
        return this.delta(event.choice, `{"content":${JSON.stringify(event.text)}}`);
      case 'reasoning':
        this.signed?.said(event.text);
        return this.delta(event.choice, `{"${event.spelled ?? 'reasoning_content'}":${JSON.stringify(event.text)}}`);
      case 'refusal':
        return this.delta(event.choice, `{"refusal":${JSON.stringify(event.text)}}`);
      case 'tool_call':
        // Nearly all of them: more of the arguments.
        if (event.id === null && event.name === null && event.spelled === undefined && !this.spelling.legacy && this.customCalls === null) return this.delta(event.choice, `{"tool_calls":[{"index":${event.index},"function":{"arguments":${JSON.stringify(event.arguments)}}}]}`);
        return this.parts(event.choice, fragmentOf(event, this.spelling.legacy, this.isCustom(event)));
      case 'signature':
        if (this.begun.has(event.choice)) return this.parts(event.choice, reasoningDetail(event, (this.signed ??= new SignedTexts()).closedBy(event)));
        this.waiting.push(event);
        return '';
      case 'annotation':
        return this.parts(event.choice, { annotations: [annotationOf(event.annotation)] });
      case 'logprobs':
        this.logprobs = event.logprobs;
        return '';
      case 'finish':
        this.finishes.set(event.choice, event);
        return '';
      case 'dropped':
        this.dropped.add(event.what);
        return '';
      default:
        return '';
    }
  }

  private isCustom({ choice, index, name }: ToolCallEvent): boolean {
    const { custom } = this.spelling;
    if (custom === null) return false;
    if (name !== null && custom.has(name)) (this.customCalls ??= new Set()).add(`${choice} ${index}`);
    return this.customCalls?.has(`${choice} ${index}`) === true;
  }

  private parts(choice: number, delta: Delta): string {
    return this.delta(choice, JSON.stringify(delta));
  }

  private delta(choice: number, delta: string): string {
    const logprobs = this.logprobs === null ? '' : `,"logprobs":${JSON.stringify(this.logprobs)}`;
    this.logprobs = null;
    return `${this.role(choice)}data: ${this.opening},"choices":[{"index":${choice},"delta":${delta},"finish_reason":null${logprobs}}]}\n\n`;
  }

  /** The first frame of a choice names the role, as OpenAI's does. */
  private role(choice: number): string {
    if (this.begun.has(choice)) return '';
    this.begun.add(choice);
    let out = eventOf(this.chunk([{ index: choice, delta: { role: 'assistant', content: '' }, finish_reason: null }]));
    const { waiting } = this;
    this.waiting = [];
    for (const event of waiting) out += this.event(event);
    return out;
  }

  private chunk(choices: object[]): string {
    return `${this.opening},"choices":${JSON.stringify(choices)}}`;
  }
}

const TEXT_CLOSING = '},"finish_reason":null}]}\n\n';
