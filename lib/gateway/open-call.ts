import { estimateUsage } from '../metering';
import type { Rostered } from '../std';
import type { Answer } from './attempt/answer';
import type { AttemptPlan } from './attempt/run-attempt';
import type { CallFacts } from './call-facts';
import type { Holder } from './held-bytes';
import { type ReplayPlace, type StoredAnswer, storedFrames, storedWhole } from '../replay';
import { modelAsked } from './model-asked';
import { cutInLastWrite } from './plain-row';
import type { CallRequest, RouteConfig, Sink } from './ports';
import type { SaverId } from '../savers';
import type { ClientRequest } from './read-request';
import { answerHeaders, sendHead, storedHeaders } from './respond';
import type { AnswerContext, EstimatedUsage, StreamWriter } from '../surfaces';
import type { FinishReason, StreamEvent, Usage } from '../wire';

/** What stands between a call and its upstream right now: an attempt, or the wait before the one retry. */
export interface Interruptible {
  interrupt(input: 'client_left' | 'drain'): void;
  resume(): void;
}

/** One admitted call while it is open: everything that attempts, the walk and the settlement share. */
export interface OpenCall extends CallFacts, Rostered {
  routeLabel: string;
  requestedModel: string;
  readonly route: RouteConfig;
  readonly request: ClientRequest;
  /** What tiers are sent: `request`, unless savers have rewritten it. */
  sent: ClientRequest;
  /** Savers that work on this request, whether or not it is left alone for comparison. */
  readonly savers: readonly SaverId[];
  /** `X-Ohm-Fallback: off`: the first tier only. */
  readonly firstTierOnly: boolean;
  /** W3C trace context, passed on as it came. */
  readonly traceparent: string | null;
  /** The client's own headers, for what a wire of its dialect passes on. */
  readonly requestHeaders: CallRequest['headers'];
  readonly sink: Sink;
  /** Where an answer to this request is kept; null: nothing is looked for and nothing kept. */
  replay: ReplayPlace | null;
  /** Set with the commit. */
  writer: StreamWriter | null;
  current: Interruptible | null;
  /** The client left, or the process must go; no attempt starts after that. */
  interrupted: 'client_left' | 'drain' | null;
  /** The attempt that the client is answered from. */
  committed: AttemptPlan | null;
  /** Bytes of the last write, made after the row was settled. */
  lastWriteBytes: number | null;
  /** What a finished answer holds until it is handed to the socket, which counts it from then on. */
  unsent: Holder | null;
  /** The call is answered from this attempt. `body` is the whole answer of a non-streamed call. */
  commit(plan: AttemptPlan, body: Buffer | null): void;
  /** The call is answered with this stored answer: its text, behind its status and headers. */
  commitStored(stored: StoredAnswer): string;
  /** Counts bytes that are about to be handed to the socket. */
  count(out: string | Buffer): number;
  /** Hands bytes to the socket, behind status and headers. False: the client is slow. */
  write(out: string | Buffer): boolean;
  /** Hands the last bytes to the socket, in one piece with status and headers where those are still to be sent. */
  end(last: string | Buffer): void;
  /** Status and headers are out: nothing but the body can change. */
  readonly headSent: boolean;
  estimate(answer: Answer | null): EstimatedUsage;
  /** A whole answer of another dialect, in the client's. */
  translate(plan: AttemptPlan, events: readonly StreamEvent[], answer: Answer): string;
}

export function openCall(
  facts: CallFacts,
  route: RouteConfig,
  request: ClientRequest,
  options: { firstTierOnly: boolean; traceparent: string | null; saversOff: boolean },
  headers: CallRequest['headers'],
  sink: Sink,
): OpenCall {
  const call = new Call(facts, route, request, options, headers, sink);
  sink.owner = facts.caller.workspace.id;
  sink.onClose(() => clientLeft(call));
  sink.onDrain(() => call.current?.resume());
  return call;
}

/**
 * A class because everything on the hot path reads it: an object put together by spreading, with a getter among
 * its members, is a hash table to the engine, and each call's has a shape of its own.
 */
class Call implements OpenCall {
  readonly engine: CallFacts['engine'];
  readonly id: string;
  readonly createdAt: number;
  readonly startedAt: number;
  readonly caller: CallFacts['caller'];
  readonly surface: CallFacts['surface'];
  routeLabel: string;
  requestedModel: string;
  stream: boolean;
  complete: boolean;
  requestBytes: number;
  readonly tag: string | null;
  readonly attempts: CallFacts['attempts'];
  eco: CallFacts['eco'];
  upstreamRequests: number;
  flushedBytes: number;
  status: number | null;
  resolvedBy: CallFacts['resolvedBy'];
  replayed: CallFacts['replayed'];
  replay: ReplayPlace | null = null;
  limitHeaders: CallFacts['limitHeaders'];
  endLimits: CallFacts['endLimits'];
  coveredNanoUsd: number | null = null;
  sent: ClientRequest;
  readonly savers: readonly SaverId[];
  saving: CallFacts['saving'] = null;
  readonly firstTierOnly: boolean;
  readonly traceparent: string | null;
  writer: StreamWriter | null = null;
  current: Interruptible | null = null;
  interrupted: OpenCall['interrupted'] = null;
  committed: AttemptPlan | null = null;
  lastWriteBytes: number | null = null;
  unsent: Holder | null = null;
  headSent = false;
  place = -1;
  private head: Record<string, string> | null = null;
  /** Whose characters `sentCharacters` are: limits and prices ask for them again and again. */
  private measured: ClientRequest | null = null;
  private sentCharacters = 0;

  constructor(
    facts: CallFacts,
    readonly route: RouteConfig,
    readonly request: ClientRequest,
    options: { firstTierOnly: boolean; traceparent: string | null; saversOff: boolean },
    readonly requestHeaders: CallRequest['headers'],
    readonly sink: Sink,
  ) {
    this.engine = facts.engine;
    this.id = facts.id;
    this.createdAt = facts.createdAt;
    this.startedAt = facts.startedAt;
    this.caller = facts.caller;
    this.surface = facts.surface;
    this.routeLabel = facts.routeLabel!;
    this.requestedModel = facts.requestedModel!;
    this.stream = facts.stream;
    this.complete = facts.complete;
    this.requestBytes = facts.requestBytes;
    this.tag = facts.tag;
    this.attempts = facts.attempts;
    this.eco = facts.eco;
    this.upstreamRequests = facts.upstreamRequests;
    this.flushedBytes = facts.flushedBytes;
    this.status = facts.status;
    this.resolvedBy = facts.resolvedBy;
    this.replayed = facts.replayed;
    this.limitHeaders = facts.limitHeaders;
    this.endLimits = facts.endLimits;
    this.sent = request;
    this.savers = options.saversOff ? NO_SAVERS : facts.caller.key.saving.savers;
    this.firstTierOnly = options.firstTierOnly;
    this.traceparent = options.traceparent;
  }

  commit(plan: AttemptPlan, body: Buffer | null): void {
    this.committed = plan;
    this.status = 200;
    this.engine.health.succeeded(plan.tier.connection, modelAsked(this, plan.tier));
    if (this.stream) this.writer = this.surface.writer(this.context(plan));
    this.head = answerHeaders(this, plan, body);
    this.letGo(plan);
  }

  /** What was sent upstream is not needed any more, and may be long. */
  private letGo(plan: AttemptPlan): void {
    plan.request.body = '';
    this.request.letGo();
    this.sent.letGo();
  }

  commitStored(stored: StoredAnswer): string {
    this.replayed = 'HIT';
    this.status = 200;
    const body = stored.body ?? (this.stream ? this.replayedStream(stored) : this.replayedWhole(stored));
    this.head = storedHeaders(this, stored, body);
    return body;
  }

  count(out: string | Buffer): number {
    const bytes = Buffer.byteLength(out);
    this.flushedBytes += bytes;
    return bytes;
  }

  write(out: string | Buffer): boolean {
    this.sendHead();
    return this.sink.write(out);
  }

  end(last: string | Buffer): void {
    this.sendHead();
    releaseUnsent(this);
    this.sink.end(last);
  }

  private sendHead(): void {
    if (!this.headSent) sendHead(this.sink, 200, this.head!, this.engine.report);
    this.headSent = true;
  }

  estimate(answer: Answer | null): EstimatedUsage {
    if (this.measured !== this.sent) {
      this.measured = this.sent;
      this.sentCharacters = this.surface.characters(this.sent.parsed);
    }
    return estimateUsage({ sentCharacters: this.sentCharacters, flushedCharacters: answer?.characters ?? 0 });
  }

  translate(plan: AttemptPlan, events: readonly StreamEvent[], answer: Answer): string {
    return this.surface.whole(events, this.context(plan), () => this.estimate(answer));
  }

  private replayedWhole(stored: StoredAnswer): string {
    return storedWhole(this.surface, stored, this.contextOf(false, stored.origin.modelNamed), () => this.estimate(null));
  }

  /** In frames of this surface's own: complete in what was said, new in id and time. */
  private replayedStream({ events, origin, usage, usageEstimated, finishReason }: StoredAnswer): string {
    const writer = this.surface.writer(this.contextOf(false, origin.modelNamed));
    const estimate = (): EstimatedUsage => (usage === null ? this.estimate(null) : { usage, estimated: usageEstimated });
    let out = '';
    for (const frame of storedFrames(events)) out += writer.frame(frame);
    return out + writer.closing([], { identity: null, usage: usageOf(events), finishReason: finishReason as FinishReason | null }, 0, estimate);
  }

  private context(plan: AttemptPlan): AnswerContext {
    return this.contextOf(plan.own, plan.tier.model);
  }

  private contextOf(own: boolean, model: string): AnswerContext {
    return {
      own,
      callId: this.id,
      createdS: Math.floor(this.createdAt / 1000),
      model,
      usageWish: this.request.usageWish,
      request: this.request.parsed,
    };
  }
}

/** Does nothing the second time. */
export function releaseUnsent(call: OpenCall): void {
  if (call.unsent !== null) call.engine.held.release(call.unsent);
  call.unsent = null;
}

const NO_SAVERS: readonly SaverId[] = [];

const usageOf = (events: readonly StreamEvent[]): Usage | null => events.findLast((event) => event.type === 'usage')?.usage ?? null;

/** The client left or the process must go: the upstream is closed at once and no further tier is tried. */
export function interrupt(call: OpenCall, why: 'client_left' | 'drain'): void {
  call.interrupted ??= why;
  call.current?.interrupt(why);
}

/** Before everything was handed over, or without the last of it having arrived. */
function clientLeft(call: OpenCall): void {
  if (call.lastWriteBytes === null) return interrupt(call, 'client_left');
  // The row says finished, but the last write never arrived, or not all of it.
  call.engine.ledger.correct(call.id, cutInLastWrite(call.flushedBytes, call.lastWriteBytes));
}

/** While the row was written: the last bytes were never handed over, and that is known. */
export function leftBeforeLast(call: OpenCall, last: string | Buffer): void {
  call.engine.ledger.correct(call.id, { state: 'aborted', flushed_bytes: call.flushedBytes - Buffer.byteLength(last) });
}
