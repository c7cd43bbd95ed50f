import type { StreamReader, WholeBody, WireAdapter, WireRequest } from '../../providers/adapter';
import type { AttemptRow } from '../../metering/call-row';
import { createSseReader, failure, type Failure, type Frame, type SseReader } from '../../wire';
import type { OpenCall } from '../open-call';
import type { TierConfig } from '../ports';
import type { UpstreamError, UpstreamExchange } from '../upstream';
import { type Answer, createAnswer } from './answer';
import { attemptRow } from './attempt-row';
import type { Bounds } from './bounds';
import { type AttemptClock, createAttemptClock } from './clock';
import type { AttemptMoment } from './failure';
import { failureOf } from './failure-of';
import { type Effect, type Ending, type Input, isEnding, isUncommitted, type Phase, transition } from './machine';

/** One upstream request, ready to go. */
export interface AttemptPlan {
  /** 1-based. */
  tierNumber: number;
  tier: TierConfig;
  adapter: WireAdapter;
  target: { origin: string; path: string; guard: 'public' | 'sandbox' };
  request: WireRequest;
  /** On a connection of its own: the one retry. */
  fresh: boolean;
  /** Dispatch to first content for a stream, to the whole body otherwise. */
  budgetMs: number;
  idleMs: number;
  /** Monotonic ms; covers everything up to the commit. */
  deadlineAt: number;
}

export interface AttemptResult {
  ending: Ending;
  /** Null unless the attempt failed or was truncated. */
  failure: Failure | null;
  moment: AttemptMoment;
  answer: Answer;
  malformedEvents: number;
  /** What the client has not been sent yet: everything since the last flush, and the closing of a finished answer. */
  tail: string | Buffer;
  row: AttemptRow;
}

/**
 * Performs one attempt: opens the upstream, turns what it does into the machine's inputs, performs the effects.
 * Resolves once, with the ending; never rejects for anything an upstream does.
 * The caller sends `tail` after the ledger has the row.
 */
export function runAttempt(call: OpenCall, plan: AttemptPlan): Promise<AttemptResult> {
  return new Promise((resolve) => new Attempt(call, plan, resolve).open());
}

/** A class because a thousand of them stand open at once: one shape, few closures. */
class Attempt {
  private phase: Phase = 'connecting';
  private readonly answer: Answer;
  private readonly startedAt: number;
  private exchange: UpstreamExchange | null = null;
  private status: number | null = null;
  private headers: Record<string, string | string[] | undefined> = {};
  private headersAt: number | null = null;
  private contentAt: number | null = null;
  private bodyEnded = false;
  /** Chunks have come whose read may hold more. */
  private readOpen = false;
  /** The address guard refused to connect: asking again would not help. */
  private addressRefused = false;
  /** A bound was exceeded: asking again would only exceed it again. */
  private overflowed = false;
  private failure: Failure | null = null;
  private malformedEvents = 0;
  /** Frames kept back: the preamble or the whole answer before the commit, the ending after it. */
  private held: Frame[] = [];
  private heldCharacters = 0;
  /** Pieces of a body that is read whole: a JSON answer, an error. */
  private pieces: Buffer[] = [];
  private pieceBytes = 0;
  private readonly stream: SseReader;
  private readonly holder = { bytes: 0, overflow: () => this.input('overflow', failure('overloaded', 'the gateway holds too many unsent bytes')) };
  private readonly reader: StreamReader;
  private readonly clock: AttemptClock;
  private readonly bounds: Bounds;
  /** Output of the current read, sent in one write. */
  private out = '';
  private tail: string | Buffer = '';
  private bytes = 0;
  private currentFrame: Frame | null = null;

  constructor(
    private readonly call: OpenCall,
    private readonly plan: AttemptPlan,
    private readonly resolve: (result: AttemptResult) => void,
  ) {
    this.bounds = call.engine.bounds;
    this.answer = createAnswer(call.engine.contentTable);
    this.stream = createSseReader({
      onEvent: (data, eventName) => this.frame(this.reader.read(data, eventName)),
      onInvalid: () => this.frame({ data: null, events: [{ type: 'malformed', detail: 'invalid UTF-8' }] }),
      onStray: (line) => this.stray(line),
      onOverflow: () => this.input('overflow', failure('malformed', `an event of more than ${this.bounds.eventBytes} bytes`)),
      maxEventBytes: this.bounds.eventBytes,
    });
    this.reader = plan.adapter.streamReader();
    this.startedAt = call.engine.clock.monotonic();
    this.clock = createAttemptClock(call.engine.clock, {
      bounds: this.bounds,
      startedAt: this.startedAt,
      budgetMs: plan.budgetMs,
      idleMs: plan.idleMs,
      deadlineAt: plan.deadlineAt,
      phase: () => this.phase,
      onDue: (due) => this.due(due),
    });
  }

  open(): void {
    const { call, plan } = this;
    call.current = this;
    this.clock.start();
    this.exchange = call.engine.outbound.open(
      {
        origin: plan.target.origin,
        path: plan.target.path,
        method: 'POST',
        headers: { ...plan.request.headers, via: call.engine.via },
        body: plan.request.body,
        guard: plan.target.guard,
        fresh: plan.fresh,
        connectTimeoutMs: this.bounds.connectMs,
      },
      {
        onHead: (status, headers) => this.head(status, headers),
        onData: (chunk) => this.data(chunk),
        onEnd: () => this.end(),
        onError: (error) => this.broke(error),
      },
    );
    if (isEnding(this.phase)) this.exchange.abort();
  }

  /** From outside: the client left, the process drains. */
  interrupt(input: 'client_left' | 'drain'): void {
    this.input(input);
    this.flush();
  }

  /** The client takes bytes again. */
  resume(): void {
    if (!this.clock.paused) return;
    this.clock.resume();
    this.exchange?.resume();
  }

  // --- what the upstream does ---

  private head(status: number, headers: Record<string, string | string[] | undefined>): void {
    this.status = status;
    this.headers = headers;
    this.headersAt = this.call.engine.clock.monotonic();
    if (this.isAnswer()) this.input('opened');
  }

  /** A 2xx of the right kind. Anything else is read as an error body and refused when it is whole. */
  private isAnswer(): boolean {
    if (this.status === null || this.status < 200 || this.status > 299) return false;
    return !this.call.stream || this.plan.adapter.isEventStream(String(this.headers['content-type'] ?? ''));
  }

  private data(chunk: Buffer): void {
    if (isEnding(this.phase)) return;
    if (this.phase === 'connecting' || !this.call.stream) this.piece(chunk);
    else this.stream.feed(chunk);
    if (this.readOpen) return;
    this.readOpen = true;
    queueMicrotask(this.readDone);
  }

  /**
   * All chunks of one read from the socket are in. The client gets them in one write: a read may hold dozens of
   * HTTP chunks, each of which comes as a call of its own.
   */
  private readonly readDone = (): void => {
    this.readOpen = false;
    if (isEnding(this.phase)) return;
    this.clock.touch();
    this.account();
    this.flush();
  };

  private piece(chunk: Buffer): void {
    this.pieces.push(chunk);
    this.pieceBytes += chunk.length;
    if (this.phase === 'connecting' && this.pieceBytes > this.bounds.errorBodyBytes) this.refuse();
    else if (this.pieceBytes > this.bounds.wholeBodyBytes) {
      this.input('overflow', failure('malformed', `a body of more than ${this.bounds.wholeBodyBytes} bytes`));
    }
  }

  private end(): void {
    this.bodyEnded = true;
    if (isEnding(this.phase)) return this.exchange?.abort();
    if (this.phase === 'connecting') return this.refuse();
    if (!this.call.stream) return this.whole();
    this.stream.end();
    if (!isEnding(this.phase)) this.input('end');
    this.flush();
  }

  private broke(error: UpstreamError): void {
    this.bodyEnded = true;
    this.addressRefused = error.refused;
    if (isEnding(this.phase)) return;
    if (this.phase === 'connecting' && this.status !== null) return this.refuse();
    const cls = error.phase === 'body' ? 'cut' : error.code === 'CONNECT_TIMEOUT' ? 'timeout' : 'connect';
    this.input('cut', failure(cls, error.message));
    this.flush();
  }

  /** The body of an answer that is no answer is in: name the failure. */
  private refuse(): void {
    const body = Buffer.concat(this.pieces).subarray(0, this.bounds.errorBodyBytes).toString('utf8');
    const success = this.status !== null && this.status >= 200 && this.status <= 299;
    this.input('refused', success ? this.notAStream(body) : this.plan.adapter.refusal(this.status ?? 0, this.headers, body));
  }

  private notAStream(body: string): Failure {
    const whole = this.plan.adapter.wholeBody(body);
    if (!whole.ok && whole.failure.class !== 'malformed') return { ...whole.failure, upstreamStatus: whole.failure.upstreamStatus ?? this.status };
    return failure('not_a_stream', `answered with ${this.headers['content-type'] ?? 'no content type'} instead of an event stream`, { upstreamStatus: this.status });
  }

  private whole(): void {
    const body = Buffer.concat(this.pieces, this.pieceBytes);
    this.pieces = [];
    const read: WholeBody = this.plan.adapter.wholeBody(body.toString('utf8'));
    if (!read.ok) return this.input(read.failure.class === 'malformed' ? 'malformed' : 'error', read.failure);
    this.answer.takeWhole(read.events);
    this.tail = body;
    this.input('whole');
  }

  private stray(line: string): void {
    const frame = this.reader.stray(line);
    if (frame !== null) this.frame(frame);
  }

  private frame(frame: Frame): void {
    if (isEnding(this.phase)) return;
    this.currentFrame = frame;
    const input = this.answer.take(frame);
    if (input === 'malformed' || (input === 'finish' && this.malformedEvents > 0 && !this.answer.toolArgumentsParse())) {
      this.input('malformed', failure('malformed', this.answer.malformedDetail ?? 'tool arguments do not parse after a lost frame'));
    } else this.input(input);
    this.currentFrame = null;
  }

  private due(due: 'silence' | 'deadline' | 'bridge' | 'client_stalled'): void {
    if (due === 'bridge') {
      this.out += this.call.writer.bridge(this.answer);
      this.flush();
      return;
    }
    if (due === 'silence' && this.phase === 'connecting' && this.status !== null) return this.refuse();
    this.input(due === 'client_stalled' ? 'client_left' : due);
    this.flush();
  }

  // --- the machine ---

  private input(input: Input, why: Failure | null = null): void {
    if (isEnding(this.phase)) return;
    const from = this.phase;
    const { phase, effects } = transition(from, input, { complete: this.call.complete, malformedBefore: this.malformedEvents > 0 });
    this.phase = phase;
    if (input === 'overflow') this.overflowed = true;
    if (phase === 'failed' || phase === 'truncated') {
      this.failure = why ?? failureOf(input, from, this.answer, this.status);
    }
    if (this.contentAt === null && (input === 'content' || input === 'finish' || input === 'whole')) {
      this.contentAt = this.call.engine.clock.monotonic();
    }
    for (const effect of effects) this.perform(effect);
    // An effect may have led further (a bound exceeded while holding): only the last phase counts.
    if (this.phase !== phase) return;
    if (isEnding(phase)) this.settle(phase);
    else if (phase !== from) this.clock.phaseChanged();
  }

  private perform(effect: Effect): void {
    switch (effect) {
      case 'hold':
      case 'stash':
        return this.hold(this.currentFrame!);
      case 'commit':
        this.call.commit(this.plan, this.tail);
        return this.sendHeld();
      case 'unstash':
        return this.sendHeld();
      case 'send':
        this.out += this.call.writer.frame(this.currentFrame!);
        return;
      case 'drop':
        this.malformedEvents++;
        return;
      case 'finish':
        if (this.call.stream) {
          this.out += this.call.writer.closing(this.held, this.answer, this.malformedEvents, () => this.call.estimate(this.answer));
        }
        return;
      case 'hang_up':
        return this.hangUp();
      case 'truncate':
      case 'fail':
        return; // the caller writes the error, or asks the next tier: both need the whole call
    }
  }

  private hold(frame: Frame): void {
    this.held.push(frame);
    this.heldCharacters += frame.data?.length ?? 0;
    if (this.phase === 'preamble' || this.phase === 'closing') {
      if (this.held.length > this.bounds.preambleEvents || this.heldCharacters > this.bounds.preambleBytes) {
        this.input('overflow', failure('malformed', 'a preamble without end'));
      }
    } else if (this.phase === 'holding' && this.heldCharacters > this.bounds.completeBytes) {
      this.call.complete = false; // the header must say what happened
      this.input('spill');
    }
  }

  private sendHeld(): void {
    for (const frame of this.held) this.out += this.call.writer.frame(frame);
    this.held = [];
    this.heldCharacters = 0;
  }

  // --- bytes ---

  /** One write per read. */
  private flush(): void {
    if (this.out === '' || isEnding(this.phase) || isUncommitted(this.phase)) return;
    const out = this.out;
    this.out = '';
    this.bytes += this.call.count(out);
    this.clock.sent();
    if (this.call.write(out)) return;
    this.clock.pause();
    this.exchange?.pause();
  }

  private account(): void {
    const bytes = isEnding(this.phase) ? 0 : this.stream.heldBytes + this.heldCharacters + this.pieceBytes;
    if (bytes !== this.holder.bytes) this.call.engine.held.set(this.holder, bytes);
  }

  private hangUp(): void {
    if (this.bodyEnded) return;
    const exchange = this.exchange;
    // After its terminator a well-behaved upstream ends by itself; waiting keeps the connection for the next call.
    if (this.phase === 'finished' && this.status !== null) {
      exchange?.resume();
      this.clock.linger(() => {
        if (!this.bodyEnded) exchange?.abort();
      });
    } else exchange?.abort();
  }

  private settle(ending: Ending): void {
    if (ending !== 'finished' || this.bodyEnded) this.clock.stop();
    this.call.engine.held.release(this.holder);
    this.stream.close();
    this.held = [];
    this.pieces = [];
    if (this.call.current === this) this.call.current = null;
    this.resolve({
      ending,
      failure: this.failure,
      moment: this.moment(),
      answer: this.answer,
      malformedEvents: this.malformedEvents,
      tail: ending === 'aborted' || ending === 'failed' ? '' : this.call.stream ? this.out : this.tail,
      row: attemptRow(this.plan, ending, this.failure, this.status, this.bytes, this.answer, {
        call: this.call.startedAt,
        started: this.startedAt,
        headers: this.headersAt,
        content: this.contentAt,
        ended: this.call.engine.clock.monotonic(),
      }),
    });
  }

  private moment(): AttemptMoment {
    if (this.status === null) return this.addressRefused ? 'refused' : 'before_response';
    if (this.status < 200 || this.status > 299) return 'refused';
    // A body that was cut or had to be let go had begun, though it held no event yet.
    const begun = this.answer.events > 0 || this.overflowed || (this.pieceBytes > 0 && this.failure?.class === 'cut');
    return begun ? 'after_event' : 'before_event';
  }
}
