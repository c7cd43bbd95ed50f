import type { StreamReader, WireAdapter } from '../../providers/adapter';
import { utf8Text } from '../../std';
import { createSseReader, failure, type Failure, type Frame, type Operation, type SseReader, type SseReaderOptions, type StreamEvent } from '../../wire';
import type { UpstreamError, UpstreamHeaders } from '../upstream';
import type { Answer } from './answer';
import type { Bounds } from './bounds';
import type { AttemptMoment } from './failure';
import type { Input } from './machine';
import { textWithoutSecret } from './without-secret';

/** Who is told what the upstream's bytes mean. False: the attempt is over, nothing more is of interest. */
export type Listener = (input: Input, why: Failure | null, frame: Frame | null) => boolean;

/**
 * Reads one upstream answer and names the machine's input for each thing in it: a stream's frames, a whole JSON
 * body, an error's body. A class because there is one per attempt on the hot path.
 */
export class UpstreamAnswer implements SseReaderOptions {
  status: number | null = null;
  /** The body has ended, or will never come. */
  ended = false;
  /** A whole, non-streamed answer, in the upstream's own bytes unless it was translated. */
  body: Buffer | null = null;
  private wholeEvents: readonly StreamEvent[] = [];
  malformedEvents = 0;
  /** Of an answer that is no answer. */
  private headers: UpstreamHeaders | null = null;
  private opened = false;
  private over = false;
  private pieces: Buffer[] = [];
  private pieceBytes = 0;
  /** A bound was exceeded: asking again would only exceed it again. */
  private overflowed = false;
  /** The address guard refused to connect: asking again would not help. */
  private addressRefused = false;
  /** Of a streamed call. */
  private readonly reader: StreamReader | null;
  readonly maxEventBytes: number;
  private readonly events: SseReader | null;

  constructor(
    private readonly adapter: WireAdapter,
    private readonly stream: boolean,
    private readonly operation: Operation,
    private readonly secret: string | null,
    private readonly bounds: Bounds,
    private readonly answer: Answer,
    private readonly listener: Listener,
    /** How many results a whole answer has to have; null where nobody can say. */
    private readonly wanted: number | null = null,
  ) {
    this.reader = stream ? adapter.streamReader() : null;
    this.maxEventBytes = bounds.eventBytes;
    this.events = this.reader === null ? null : createSseReader(this);
  }

  /** Bytes held for an unfinished line or an unfinished body. */
  get heldBytes(): number {
    return (this.events?.heldBytes ?? 0) + this.pieceBytes;
  }

  head(status: number, headers: UpstreamHeaders): void {
    this.status = status;
    // Anything but a 2xx of the right kind is read as an error's body, and refused when that is whole.
    this.opened = this.succeeded && (!this.stream || this.adapter.isEventStream(headers.contentType));
    if (this.opened) this.tell('opened');
    else this.headers = headers;
  }

  data(chunk: Buffer): void {
    if (this.opened && this.events !== null) return this.events.feed(chunk);
    this.pieces.push(chunk);
    this.pieceBytes += chunk.length;
    if (!this.opened && this.pieceBytes > this.bounds.errorBodyBytes) this.refuse();
    else if (this.pieceBytes > this.bounds.wholeBodyBytes) this.overflow(`a body of more than ${this.bounds.wholeBodyBytes} bytes`);
  }

  // --- what the reader of events reports ---

  onEvent(data: string, eventName: string): void {
    this.frame(this.reader!.read(data, eventName));
  }

  onInvalid(): void {
    this.frame({ data: null, name: '', events: [{ type: 'malformed', detail: 'invalid UTF-8' }] });
  }

  onStray(line: string): void {
    const frame = this.reader!.stray(line);
    if (frame !== null) this.frame(frame);
  }

  onOverflow(): void {
    this.overflow(`an event of more than ${this.maxEventBytes} bytes`);
  }

  // --- what the exchange reports ---

  end(): void {
    this.ended = true;
    if (!this.opened) return this.refuse();
    if (this.events === null) return this.whole();
    this.events.end();
    const unfinished = this.reader?.end?.() ?? null;
    if (unfinished !== null) this.frame(unfinished);
    this.concludeReopened();
    if (this.adapter.endsWithBody) this.answer.terminated = true;
    this.tell('end');
  }

  broke(error: UpstreamError): void {
    this.ended = true;
    this.addressRefused = error.refused;
    if (this.refusing) return this.refuse();
    const cls = error.phase === 'body' ? 'cut' : error.code === 'CONNECT_TIMEOUT' ? 'timeout' : 'connect';
    this.tell('cut', failure(cls, error.message));
  }

  /** An error status has come and its body is on the way. */
  get refusing(): boolean {
    return this.status !== null && !this.opened;
  }

  /** The body of an answer that is no answer is in, or as much of it as will come: name the failure. */
  refuse(): void {
    const body = textWithoutSecret(Buffer.concat(this.pieces).subarray(0, this.bounds.errorBodyBytes).toString('utf8'), this.secret);
    this.tell('refused', this.succeeded ? this.notAStream(body) : this.adapter.refusal(this.status ?? 0, this.headers?.all() ?? {}, body));
  }

  /** The process holds too much, and this is the largest holder. */
  letGo(): void {
    this.overflowed = true;
    this.tell('overflow', failure('overloaded', 'the gateway holds too many unsent bytes'));
  }

  overflow(what: string): void {
    this.overflowed = true;
    this.tell('overflow', failure('malformed', what));
  }

  /** Puts the whole answer, if there is one, into the client's words. */
  translate(write: (events: readonly StreamEvent[]) => string): void {
    if (this.body !== null) this.body = Buffer.from(write(this.wholeEvents), 'utf8');
  }

  /** Reads nothing more and lets go of what it holds. */
  close(): void {
    this.over = true;
    this.events?.close();
    this.pieces = [];
  }

  /** Where the attempt was when it failed, as the retry rule sees it. */
  moment(why: Failure | null): AttemptMoment {
    if (this.status === null) return this.addressRefused ? 'refused' : 'before_response';
    if (!this.succeeded) return 'refused';
    // A body that was cut or had to be let go had begun, though it held no event yet.
    const begun = this.answer.events > 0 || this.overflowed || (this.pieceBytes > 0 && why?.class === 'cut');
    return begun ? 'after_event' : 'before_event';
  }

  private get succeeded(): boolean {
    return this.status !== null && this.status >= 200 && this.status <= 299;
  }

  private notAStream(body: string): Failure {
    const whole = this.adapter.wholeBody(body, this.operation, this.wanted);
    if (!whole.ok && whole.failure.class !== 'malformed') return { ...whole.failure, upstreamStatus: whole.failure.upstreamStatus ?? this.status };
    return failure('not_a_stream', `answered with ${this.headers?.contentType || 'no content type'} instead of an event stream`, { upstreamStatus: this.status });
  }

  private whole(): void {
    const body = this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces, this.pieceBytes);
    const text = utf8Text(body);
    // Its bytes would be passed on as they are, and other words be translated and counted.
    if (text === null) return this.tell('malformed', failure('malformed', 'the answer is not valid UTF-8'));
    const read = this.adapter.wholeBody(text, this.operation, this.wanted);
    if (!read.ok) return this.tell(read.failure.class === 'malformed' ? 'malformed' : 'error', read.failure);
    this.answer.takeWhole(read.events);
    if (this.answer.toolCalls > this.bounds.toolCalls) return this.tooManyCalls();
    this.body = body;
    this.wholeEvents = read.events;
    this.tell('whole');
  }

  private frame(frame: Frame): void {
    if (this.over) return;
    if (frame.events[0]?.type === 'terminator') this.concludeReopened();
    const input = this.answer.take(frame);
    if (input === 'malformed' || (input === 'finish' && this.malformedEvents > 0 && !this.answer.toolArgumentsParse())) {
      this.tell('malformed', failure('malformed', this.answer.malformedDetail ?? 'tool arguments do not parse after a lost frame'));
    } else if (this.answer.toolCalls > this.bounds.toolCalls) {
      this.answer.unsent([frame]);
      this.tooManyCalls();
    } else if (!this.over && !this.listener(input, null, frame)) this.over = true;
  }

  /** No `overflow`: behind the last finish reason that would be a lawful end, of an answer that goes on. */
  private tooManyCalls(): void {
    this.overflowed = true;
    this.tell('error', failure('malformed', `an answer of more than ${this.bounds.toolCalls} tool calls`));
  }

  /** Some upstreams name a finish reason in every frame: only their end shows which was the last. */
  private concludeReopened(): void {
    if (!this.over && this.answer.closeReopened()) this.tell('finish', null, EMPTY_FRAME);
  }

  private tell(input: Input, why: Failure | null = null, frame: Frame | null = null): void {
    if (!this.over && !this.listener(input, why, frame)) this.over = true;
  }
}

const EMPTY_FRAME: Frame = { data: null, name: '', events: [] };
