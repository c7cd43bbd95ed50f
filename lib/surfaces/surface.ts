import type { UsageRow } from '../metering/call-row';
import type { Canonical, Dialect, FinishReason, Frame, Operation, StreamEvent, TextSlot, Usage } from '../wire';

export type SurfaceId = 'chat.completions' | 'completions' | 'messages' | 'messages.count_tokens' | 'responses' | 'embeddings';

/**
 * One API that clients speak: how its requests are read and its answers written. Pure: values and strings in and
 * out; whoever calls it owns the socket. Everything between (tiers, commits, failover, metering) is the same for all.
 */
export interface Surface {
  /** As the ledger calls it. */
  id: SurfaceId;
  path: string;
  /** A tier whose wire speaks the same dialect gets the client's own bytes, and its answer keeps its own. Null: no wire does. */
  dialect: Dialect | null;
  operation: Operation;
  /** Top-level members that the gateway itself reads: twice the same one would be read differently by the provider. */
  once: readonly string[];
  /** Canonical member names that this surface spells differently, canonical -> the client's: for errors that name a member. */
  names: Readonly<Record<string, string>>;
  /** Request headers of this API that change what is answered, in lower case. */
  answerHeaders?: readonly string[];
  /** Checked as far as the gateway itself depends on it. Everything else is the provider's to judge. */
  read(body: Record<string, unknown>): SurfaceRequest | SurfaceFault;
  /** The request in the canonical language, for a tier of another dialect. Only asked when there is one. */
  canonical(body: Record<string, unknown>): Canonical;
  /** What a tier of this dialect cannot take although the client wrote it, taken out of the text; null (or no such function) where nothing is. */
  ownText?(text: string, body: Record<string, unknown>): OwnText | null;
  /** The texts that savers may rewrite, oldest first; none where the texts are the very thing that is asked about. */
  slots(body: Readonly<Record<string, unknown>>): TextSlot[];
  /** How many results of their own it asks for, so that an answer with another number of them is none; null (or no such function) where nobody can say. */
  wanted?(body: Readonly<Record<string, unknown>>): number | null;
  /** Characters of all that the request sends to a model: what an estimate of the input rests on. */
  characters(body: Record<string, unknown>): number;
  /** Writes one streamed answer. */
  writer(context: AnswerContext): StreamWriter;
  /** The end of a stream that another process wrote and left; without this, `writer(…).truncated` knows all that is needed. */
  cutOff?(context: AnswerContext, seen: StreamSeen, error: ClientError): string;
  /** A whole answer from the events of another dialect's. Usage that nobody reported is estimated and says so. */
  whole(events: readonly StreamEvent[], context: AnswerContext, estimate: () => EstimatedUsage): string;
  /**
   * A tier of this dialect gave this answer and the client got its bytes: would it say the same when it is written
   * again from the events alone? Without this it would.
   */
  comesBack?(events: readonly StreamEvent[], request: Readonly<Record<string, unknown>>): boolean;
  /** One JSON error: the status may be the dialect's own (Anthropic says 529 where others say 503). */
  refusal(error: ClientError, status: number, requestId: string): { status: number; body: string };
}

export interface SurfaceRequest {
  model: string;
  stream: boolean;
  usageWish: UsageWish;
  /** The request itself asks for reasoning. */
  asksForReasoning: boolean;
}

export interface OwnText {
  text: string;
  /** What was taken out, by the client's names. */
  dropped: readonly string[];
}

export interface SurfaceFault {
  param: string;
  message: string;
}

/** `asked`: the client wants usage in the stream; `silent`: it said nothing; `declined`: it wants none. */
export type UsageWish = 'asked' | 'silent' | 'declined';

export interface AnswerContext {
  /** The tier speaks this surface's dialect: its frames are relayed with their own bytes. */
  own: boolean;
  /** The call's id. */
  callId: string;
  /** Seconds since the epoch: the time that every frame of our own making carries. */
  createdS: number;
  /** The served tier's configured model. */
  model: string;
  usageWish: UsageWish;
  /** The client's request, for what an answer repeats of it. */
  request: Readonly<Record<string, unknown>>;
}

/** A stream's first chunk and its last one, which ends with a whole frame. */
export interface StreamSeen {
  first: string;
  last: string;
}

/** Writes one stream in the client's dialect. Strings out; called in order. */
export interface StreamWriter {
  /** What the client gets for an upstream frame; empty when it gets nothing. */
  frame(frame: Frame): string;
  /** Something without meaning, to bridge a long gap: comments crash real clients. */
  bridge(answer: AnswerSoFar): string;
  /** Everything after the last content: stashed frames, usage, a note of dropped frames, the terminator. */
  closing(stash: readonly Frame[], answer: AnswerSoFar, malformedEvents: number, estimate: () => EstimatedUsage): string;
  /** The end of a stream that was cut: an error that every client sees, and no terminator. */
  truncated(error: ClientError): string;
}

/** What is known of an answer while it is written. */
export interface AnswerSoFar {
  readonly identity: { id: string; created: number; model: string } | null;
  readonly usage: Usage | null;
  /** Reason of the first choice, null while it is open. */
  readonly finishReason: FinishReason | null;
}

export interface EstimatedUsage {
  usage: UsageRow;
  estimated: (keyof UsageRow)[];
}

/** An error as OpenAI shapes it; surfaces of other dialects translate. */
export interface ClientError {
  message: string;
  type: string;
  code: string;
  param: string | null;
  metadata?: Record<string, unknown>;
}

export const isFault = (read: SurfaceRequest | SurfaceFault): read is SurfaceFault => 'param' in read;
