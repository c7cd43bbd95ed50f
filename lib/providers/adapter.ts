import type { Failure, Frame, StreamEvent, TopLevel, Usage } from '../wire';

/** What every wire's adapter does. Pure: bytes and values in, values out; no sockets, no clocks. */
export interface WireAdapter {
  /** Path and headers for a chat request, and the body that this wire wants. `body` is the client's own JSON text. */
  chatRequest(input: ChatRequestInput): WireRequest;
  /** Status other than 2xx: which class, and what may be passed on. `body` is at most 64 KiB. */
  refusal(status: number, headers: Record<string, string | string[] | undefined>, body: string): Failure;
  /** Is this content-type an event stream of this wire? */
  isEventStream(contentType: string): boolean;
  /** A reader of one stream: stateful, fed in order with the SSE events as lib/wire/sse-reader gives them. */
  streamReader(): StreamReader;
  /** A whole non-streamed body: what it holds, or why it is no answer. */
  wholeBody(body: string): WholeBody;
}

export interface ChatRequestInput {
  /** The client's body as it came. */
  text: string;
  /** The same, parsed. */
  parsed: Record<string, unknown>;
  /** Where its top-level members stand. */
  scan: TopLevel;
  model: string;
  stream: boolean;
  /** Leave out the injected stream_options (the provider rejected it once). */
  withoutStreamOptions: boolean;
  apiKey: string | null;
}

export interface WireRequest {
  /** Added to the connection's base URL, starts with a slash. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface StreamReader {
  /** One SSE event with non-empty data. */
  read(data: string, eventName: string): Frame;
  /** A line that is no SSE field (a bare JSON error, HTML): what it means, or null while it may still grow. */
  stray(text: string): Frame | null;
}

export type WholeBody =
  | { ok: true; events: StreamEvent[]; usage: Usage | null; model: string | null }
  | { ok: false; failure: Failure };
