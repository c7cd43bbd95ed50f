/** The one outbound client of the product, seen from the engine. lib/outbound implements it. */
export interface UpstreamRequest {
  /** Full URL, already built and validated. */
  origin: string;
  path: string;
  method: 'POST' | 'GET';
  headers: Record<string, string>;
  body: string | Buffer | null;
  /** `sandbox`: the product's own loopback provider; the address guard does not apply. */
  guard: 'public' | 'sandbox';
  /** A connection of its own, for the one retry. */
  fresh: boolean;
  /** Bound on DNS + TCP + TLS, ms. */
  connectTimeoutMs: number;
}

export interface UpstreamHandler {
  onHead(status: number, headers: UpstreamHeaders): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  /** The exchange broke; see UpstreamError. */
  onError(error: UpstreamError): void;
}

/** Of a response, as far as it has a say: without those of the one hop, cookies, redirects, and our own credential. */
export interface UpstreamHeaders {
  /** Empty when there is none. */
  readonly contentType: string;
  /** All, by lower-case name; an array where one is repeated. Made when asked for: of most answers nobody does. */
  all(): Record<string, string | string[] | undefined>;
}

/** `phase`: where the exchange was. `refused`: the address guard's own refusal, nothing was contacted. */
export interface UpstreamError {
  phase: 'connect' | 'request' | 'body';
  code: string;
  message: string;
  refused: boolean;
}

export interface UpstreamExchange {
  pause(): void;
  resume(): void;
  /** Closes the socket at once; no handler method is called afterwards. Idempotent. */
  abort(): void;
}

export interface Outbound {
  /** Dispatches and returns at once; every outcome comes through the handler, asynchronously, each at most once. */
  open(request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange;
}
