import type { ChatRequest, Dialect, Failure, Frame, Operation, StreamEvent, TopLevel, Unrepresentable, Usage } from '../wire';
import type { Quirks } from './quirks';

/** What every wire's adapter does. Pure: bytes and values in, values out; no sockets, no clocks, no randomness but for made-up ids. */
export interface WireAdapter {
  dialect: Dialect;
  /** What a tier of this wire can be asked for. */
  operations: readonly Operation[];
  /** The upstream request for what the client asked, or the member that this wire has no words for. */
  request(input: WireRequestInput): WireRequest | Unrepresentable;
  /** How the vendor's list of models is asked for: a GET, added to the base URL. */
  modelList(apiKey: string | null, quirks: Quirks): { path: string; headers: Record<string, string> };
  /** The names in such a list, or null when it is none. */
  listedModels(list: unknown): string[] | null;
  /** Status other than 2xx: which class, and what may be passed on. `body` is at most 64 KiB. */
  refusal(status: number, headers: Record<string, string | string[] | undefined>, body: string): Failure;
  /** Is this content-type an event stream of this wire? */
  isEventStream(contentType: string): boolean;
  /** A stream of this wire has no frame after the one that finishes the answer: a clean end of its body says that it is whole. */
  endsWithBody?: true;
  /** A reader of one stream: stateful, fed in order with the SSE events as lib/wire/sse-reader gives them. */
  streamReader(): StreamReader;
  /** A whole non-streamed body: what it holds, or why it is no answer. `wanted` is how many results of their own the request asked for, null where nobody can say. */
  wholeBody(body: string, operation: Operation, wanted?: number | null): WholeBody;
}

export interface WireRequestInput {
  operation: Operation;
  /** What the client sent, where it spoke this wire's own dialect: passed on with only the model (and what a wire must add) changed. */
  own: OwnRequest | null;
  /** The same in the canonical language; null where `own` is there, and for operations that are not translated. */
  chat: ChatRequest | null;
  model: string;
  stream: boolean;
  /** Leave out the injected stream_options (the provider rejected it once). */
  withoutStreamOptions: boolean;
  apiKey: string | null;
  /** The client's own request headers, lower case: only what a dialect defines may be passed on, and only with `own`. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  quirks: Quirks;
  /** Longest answer of this model in tokens, by the catalog; null when it is unknown. */
  maxOutputTokens: number | null;
}

export interface OwnRequest {
  /** The client's body as it came. */
  text: string;
  /** The same, parsed. */
  parsed: Record<string, unknown>;
  /** Where its top-level members stand. */
  scan: TopLevel;
}

export interface WireRequest {
  /** Added to the connection's base URL, starts with a slash; may carry a query. */
  path: string;
  headers: Record<string, string>;
  body: string;
  /** Hints that this wire has no words for, by the names that the client may know: disclosed in X-Ohm-Dropped-Params. */
  dropped: readonly string[];
}

export interface StreamReader {
  /** One SSE event with non-empty data. */
  read(data: string, eventName: string): Frame;
  /** A line that is no SSE field (a bare JSON error, HTML): what it means, or null while it may still grow. */
  stray(text: string): Frame | null;
  /** The body ended: what is left unfinished of such lines, or null. */
  end?(): Frame | null;
}

export type WholeBody =
  | { ok: true; events: StreamEvent[]; usage: Usage | null; model: string | null }
  | { ok: false; failure: Failure };

export const isUnrepresentable = (request: WireRequest | Unrepresentable): request is Unrepresentable => 'param' in request;
