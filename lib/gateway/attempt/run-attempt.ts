import type { AttemptRow } from '../../metering/call-row';
import type { WireAdapter, WireRequest } from '../../providers/adapter';
import type { Failure, Frame } from '../../wire';
import type { Holder } from '../held-bytes';
import type { OpenCall } from '../open-call';
import type { TierConfig } from '../ports';
import type { UpstreamError, UpstreamExchange, UpstreamHandler, UpstreamHeaders } from '../upstream';
import { type Answer, createAnswer } from './answer';
import { attemptRow } from './attempt-row';
import { AttemptClock, type Due, type Timed } from './clock';
import type { AttemptMoment } from './failure';
import { failureOf } from './failure-of';
import { type Effect, type Ending, type Input, isEnding, isUncommitted, type Phase, transition } from './machine';
import { UpstreamAnswer } from './upstream-answer';
import { failureWithoutSecret } from './without-secret';

/** One upstream request, ready to go. */
export interface AttemptPlan {
  /** 1-based. */
  tierNumber: number;
  tier: TierConfig;
  adapter: WireAdapter;
  target: { origin: string; path: string; guard: 'public' | 'sandbox' };
  request: WireRequest;
  /** The tier speaks the client's dialect: its answer keeps its own bytes. */
  own: boolean;
  /** Hints of the client's that got lost on the way to this tier's wire. */
  dropped: readonly string[];
  /** On a connection of its own: the one retry. */
  fresh: boolean;
  /** The credential that goes with it, so that it can be taken out of whatever the upstream says. */
  secret: string | null;
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
class Attempt implements UpstreamHandler, Timed {
  phase: Phase = 'connecting';
  private readonly answer: Answer;
  private readonly upstream: UpstreamAnswer;
  private readonly clock: AttemptClock;
  readonly startedAt: number;
  private headersAt: number | null = null;
  private contentAt: number | null = null;
  private exchange: UpstreamExchange | null = null;
  private failure: Failure | null = null;
  /** Frames kept back: the preamble or the whole answer before the commit, the ending after it. */
  private held: Frame[] = [];
  private heldCharacters = 0;
  private readonly holder: Holder;
  /** Output of the current read, sent in one write. */
  private out = '';
  private bytes = 0;
  /** Chunks of a stream whose read may hold more. */
  private read: Buffer[] = [];

  constructor(
    private readonly call: OpenCall,
    readonly plan: AttemptPlan,
    private readonly resolve: (result: AttemptResult) => void,
  ) {
    const { bounds, clock, contentTable } = call.engine;
    this.answer = createAnswer(contentTable, call.replay?.recorder() ?? null);
    this.upstream = new UpstreamAnswer(plan.adapter, call.stream, call.surface.operation, plan.secret, bounds, this.answer, (input, why, frame) => this.input(input, why, frame), call.surface.wanted?.(call.request.parsed) ?? null);
    this.holder = { bytes: 0, place: -1, owner: call.caller.workspace.id, overflow: () => this.upstream.letGo() };
    this.startedAt = clock.monotonic();
    this.clock = new AttemptClock(clock, bounds, this);
  }

  open(): void {
    const { call, plan } = this;
    call.current = this;
    plan.request.headers.via = call.engine.via;
    this.clock.start();
    this.exchange = call.engine.outbound.open(
      {
        origin: plan.target.origin,
        path: plan.target.path,
        method: 'POST',
        headers: plan.request.headers,
        body: plan.request.body,
        guard: plan.target.guard,
        fresh: plan.fresh,
        connectTimeoutMs: call.engine.bounds.connectMs,
      },
      this,
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

  onHead(status: number, headers: UpstreamHeaders): void {
    this.headersAt = this.call.engine.clock.monotonic();
    this.upstream.head(status, headers);
  }

  onData(chunk: Buffer): void {
    if (this.read.push(chunk) > 1) return;
    if (this.call.stream) queueMicrotask(this.readDone);
    else this.readDone();
  }

  onEnd(): void {
    this.readDone();
    this.upstream.end();
    if (isEnding(this.phase)) this.clock.stop();
    this.flush();
  }

  onError(error: UpstreamError): void {
    this.readDone();
    this.upstream.broke(error);
    this.flush();
  }

  /**
   * All chunks of one read from the socket are in. They are taken, and the client gets them, in one piece: a read
   * may hold dozens of HTTP chunks, each of which comes as a call of its own.
   */
  private readonly readDone = (): void => {
    const { read } = this;
    if (read.length === 0) return;
    this.read = [];
    if (isEnding(this.phase)) return;
    this.upstream.data(read.length === 1 ? read[0]! : Buffer.concat(read));
    if (isEnding(this.phase)) return; // what it held is released
    this.clock.touch();
    this.account();
    this.flush();
  };

  onDue(due: Due): void {
    if (due === 'bridge') this.out += this.call.writer!.bridge(this.answer);
    else if (due === 'silence' && this.upstream.refusing) this.upstream.refuse();
    else this.input(due);
    this.flush();
  }

  /** Asks the machine what `input` means now and does it. False once the attempt is over. */
  private input(input: Input, why: Failure | null = null, frame: Frame | null = null): boolean {
    if (isEnding(this.phase)) return false;
    const from = this.phase;
    const { phase, effects } = transition(from, input, { complete: this.call.complete, malformedBefore: this.upstream.malformedEvents > 0 });
    this.phase = phase;
    if (phase === 'failed' || phase === 'truncated') {
      this.failure = failureWithoutSecret(why ?? failureOf(input, from, this.answer, this.upstream.status), this.plan.secret);
      if (input === 'malformed') this.upstream.malformedEvents++;
    }
    if (this.contentAt === null && (input === 'content' || input === 'finish' || input === 'whole')) this.contentAt = this.call.engine.clock.monotonic();
    for (const effect of effects) this.perform(effect, frame);
    // An effect may have led further (a bound exceeded while holding): only the last phase counts.
    if (this.phase !== phase) return !isEnding(this.phase);
    if (isEnding(phase)) this.settle(phase);
    else if (phase !== from) this.clock.phaseChanged();
    return !isEnding(phase);
  }

  private perform(effect: Effect, frame: Frame | null): void {
    switch (effect) {
      case 'hold':
      case 'stash':
        return this.hold(frame!);
      case 'commit':
        if (!this.plan.own) this.upstream.translate((events) => this.call.translate(this.plan, events, this.answer));
        this.call.commit(this.plan, this.upstream.body);
        return this.sendHeld();
      case 'unstash':
        return this.sendHeld();
      case 'send':
        this.out += this.call.writer!.frame(frame!);
        return;
      case 'drop':
        this.upstream.malformedEvents++;
        return;
      case 'finish':
        if (this.call.stream) this.out += this.call.writer!.closing(this.held, this.answer, this.upstream.malformedEvents, () => this.call.estimate(this.answer));
        return;
      case 'hang_up':
        return this.hangUp();
      case 'truncate':
      case 'fail':
        return; // the caller writes the error, or asks the next tier: both need the whole call
    }
  }

  private hold(frame: Frame): void {
    const { preambleBytes, preambleEvents, completeBytes } = this.call.engine.bounds;
    this.held.push(frame);
    if (this.phase === 'holding') this.clock.heldOne();
    this.heldCharacters += frame.data?.length ?? 0;
    if (this.phase === 'preamble' || this.phase === 'closing') {
      if (this.held.length > preambleEvents || this.heldCharacters > preambleBytes) this.upstream.overflow('a preamble without end');
    } else if (this.phase === 'holding' && this.heldCharacters > completeBytes) {
      this.call.complete = false; // the header must say what happened
      this.input('spill');
    }
  }

  private sendHeld(): void {
    for (const frame of this.held) this.out += this.call.writer!.frame(frame);
    this.held = [];
    this.heldCharacters = 0;
  }

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
    const bytes = this.upstream.heldBytes + this.heldCharacters;
    if (bytes !== this.holder.bytes) this.call.engine.held.set(this.holder, bytes);
  }

  private hangUp(): void {
    if (this.upstream.ended) return;
    const { exchange } = this;
    if (this.phase !== 'finished') return exchange?.abort();
    // After its terminator a well-behaved upstream ends by itself; waiting keeps the connection for the next call.
    exchange?.resume();
    this.clock.linger(() => exchange?.abort());
  }

  private settle(ending: Ending): void {
    const { call, upstream, answer, failure } = this;
    if (ending !== 'finished' || upstream.ended) this.clock.stop();
    // A finished answer stays counted until it is handed to the socket.
    if (ending === 'finished' && this.holder.bytes > 0) call.unsent = this.holder;
    else call.engine.held.release(this.holder);
    upstream.close();
    if (ending !== 'finished') answer.recorder?.release();
    if ((ending === 'truncated' || ending === 'aborted') && call.committed !== null) answer.unsent(this.held); // before the commit all is held, and was said all the same
    this.held = [];
    if (call.current === this) call.current = null;
    this.resolve({
      ending,
      failure,
      moment: upstream.moment(failure),
      answer,
      malformedEvents: upstream.malformedEvents,
      tail: upstream.body ?? (ending === 'finished' || ending === 'truncated' ? this.out : ''),
      row: attemptRow(this.plan, ending, failure, upstream.status, this.bytes, answer, {
        call: call.startedAt,
        started: this.startedAt,
        headers: this.headersAt,
        content: this.contentAt,
        ended: call.engine.clock.monotonic(),
      }),
    });
  }
}
