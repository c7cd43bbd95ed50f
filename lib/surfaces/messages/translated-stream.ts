import type { FinishEvent, Frame, StreamEvent, Usage } from '../../wire';
import type { AnswerContext, AnswerSoFar, ClientError, EstimatedUsage, StreamWriter } from '../surface';
import { truncationText } from './errors';
import { eventOf, lossNote, MESSAGE_STOP, PING, withNote } from './events';
import { BlockLadder, type BlockSink, type DeltaKind } from './ladder';
import { otherWord, stopReason } from './stop-reason';
import { estimatedMessagesUsage, messagesUsage, startUsage } from './usage';

/**
 * Writes message events for a tier of another dialect: `message_start` at the first content, blocks one after the
 * other, and reason and usage in the closing, since only the end shows which held.
 */
export class TranslatedStream implements StreamWriter, BlockSink {
  private out = '';
  private started = false;
  private refused = false;
  private finished: FinishEvent | null = null;
  /** Usage that came before the first content: the only kind that `message_start` can tell. */
  private early: Usage | null = null;
  private readonly losses = new Set<string>();
  private readonly ladder: BlockLadder;
  /** The common event up to its text, of the block that was written last. */
  private prefix = '';
  private prefixIndex = -1;
  private prefixKind: DeltaKind = 'text';

  constructor(private readonly context: AnswerContext) {
    this.ladder = new BlockLadder(this, context.callId);
  }

  frame(frame: Frame): string {
    if (!this.started) for (const event of frame.events) if (event.type === 'usage') this.early = event.usage;
    for (const event of frame.events) this.event(event);
    return this.taken();
  }

  bridge(): string {
    return PING;
  }

  closing(stash: readonly Frame[], answer: AnswerSoFar, malformedEvents: number, estimate: () => EstimatedUsage): string {
    let out = '';
    for (const frame of stash) out += this.frame(frame);
    this.begin();
    this.ladder.finish();
    const { finished } = this;
    const ended = stopReason({ finish: finished, calledTools: this.ladder.calledTools, refused: this.refused });
    const delta = {
      type: 'message_delta',
      delta: ended,
      usage: answer.usage === null ? estimatedMessagesUsage(estimate()) : messagesUsage(answer.usage),
    };
    const note = lossNote(malformedEvents, this.losses, otherWord(finished, ended));
    return out + this.taken() + eventOf('message_delta', withNote(JSON.stringify(delta), note)) + eventOf('message_stop', MESSAGE_STOP);
  }

  truncated(error: ClientError): string {
    return eventOf('error', truncationText(error, this.context.callId));
  }

  start(index: number, block: Record<string, unknown>): void {
    this.out += eventOf('content_block_start', JSON.stringify({ type: 'content_block_start', index, content_block: block }));
  }

  delta(index: number, kind: DeltaKind, text: string): void {
    if (index !== this.prefixIndex || kind !== this.prefixKind) {
      this.prefix = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":${DELTAS[kind]}`;
      this.prefixIndex = index;
      this.prefixKind = kind;
    }
    this.out += `${this.prefix}${JSON.stringify(text)}}}\n\n`;
  }

  citation(index: number, citation: Record<string, unknown>): void {
    this.out += eventOf('content_block_delta', JSON.stringify({ type: 'content_block_delta', index, delta: { type: 'citations_delta', citation } }));
  }

  stop(index: number): void {
    this.out += eventOf('content_block_stop', `{"type":"content_block_stop","index":${index}}`);
  }

  dropped(what: string): void {
    this.losses.add(what);
  }

  private event(event: StreamEvent): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
      case 'refusal':
      case 'tool_call':
      case 'signature':
      case 'annotation':
        if (event.choice !== 0) return void this.losses.add('choices');
        if (event.type === 'refusal') this.refused = true;
        this.begin();
        return this.ladder.add(event);
      case 'audio':
        return void this.losses.add('audio');
      case 'finish':
        if (event.choice === 0) this.finished = event;
        return;
      case 'dropped':
        return void this.losses.add(event.what);
      default:
        return;
    }
  }

  private begin(): void {
    if (this.started) return;
    this.started = true;
    const { callId, model } = this.context;
    const message = { id: `msg_${callId}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage: startUsage(this.early) };
    this.out += eventOf('message_start', JSON.stringify({ type: 'message_start', message }));
  }

  private taken(): string {
    const { out } = this;
    this.out = '';
    return out;
  }
}

const DELTAS: Record<DeltaKind, string> = {
  text: '{"type":"text_delta","text":',
  thinking: '{"type":"thinking_delta","thinking":',
  signature: '{"type":"signature_delta","signature":',
  input_json: '{"type":"input_json_delta","partial_json":',
};
