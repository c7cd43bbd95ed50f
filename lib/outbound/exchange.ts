import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { UpstreamExchange, UpstreamHandler, UpstreamRequest } from '../gateway/upstream';
import { REFUSED } from './connector';
import { createDecoder, encodingOf, type Decoder } from './decode';
import { type RawHeaders, ResponseHeaders, valuesOf } from './headers';

/**
 * One request on its way: keeps the promises about phases, order and silence after the end. A class, since one
 * is made for every request and undici calls its methods: a dozen closures each would cost more than the rest.
 *
 * Of undici's two kinds of handler this is the older, raw one: the newer is built on it, with two more objects a
 * request and every header parsed, which nobody needs of an answer that is one.
 */
export class Exchange implements UpstreamExchange, Dispatcher.DispatchHandler {
  /** The socket being connected for this exchange, as long as nothing was sent. */
  connecting: Socket | null = null;
  /** The pool to give back when it is over. */
  onDone: (() => void) | null = null;
  private phase: 'connect' | 'request' | 'body' = 'connect';
  private done = false;
  /** The engine wants to hear no more. */
  private silenced = false;
  private inOpen = true;
  private paused = false;
  private ended = false;
  private abortRequest: ((why: Error) => void) | null = null;
  private resumeSocket: (() => void) | null = null;
  /** Nothing more is to be read from the socket for now. */
  private stopped = false;
  private decoder: Decoder | null = null;
  private decoderFull = false;
  private connectTimer: NodeJS.Timeout | null = null;

  private readonly sent: UpstreamRequest['headers'];
  private readonly connectTimeoutMs: number;

  constructor(
    { headers, connectTimeoutMs }: UpstreamRequest,
    private readonly to: UpstreamHandler,
  ) {
    this.sent = headers;
    this.connectTimeoutMs = connectTimeoutMs; // and not the body, which may be long
  }

  // --- what the engine asks for ---

  pause(): void {
    this.paused = true;
    if (this.decoder !== null) this.decoder.pause();
    else this.stopped = true;
  }

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    queueMicrotask(() => {
      if (this.done || this.paused) return;
      this.decoder?.resume();
      if (!this.decoderFull) this.readOn();
    });
  }

  abort(): void {
    this.silenced = true;
    this.drop();
  }

  // --- what undici reports ---

  onConnect(abort: (why?: Error) => void): void {
    this.abortRequest = abort;
    this.connecting = null;
    this.stopTimer();
    if (this.done) return abort(ABORTED);
    this.phase = 'request';
  }

  /** False, like that of `onData`: read no further. */
  onHeaders(status: number, headers: RawHeaders, resume: () => void): boolean {
    if (this.done || status < 200) return true;
    this.phase = 'body';
    this.resumeSocket = resume;
    const encoding = encodingOf(valuesOf(headers, 'content-encoding'));
    if (encoding === 'unsupported') {
      this.giveUp('unsupported_encoding', 'the answer has a content encoding that cannot be read');
      return true;
    }
    if (encoding !== 'identity') this.decoder = this.decode(encoding);
    this.to.onHead(status, new ResponseHeaders(headers, this.sent, encoding !== 'identity'));
    return !this.stopped;
  }

  onData(chunk: Buffer): boolean {
    if (this.done) return true;
    if (this.decoder === null) this.to.onData(chunk);
    else if (!this.decoder.write(chunk)) this.decoderFull = this.stopped = true;
    return !this.stopped;
  }

  onComplete(): void {
    if (this.done) return;
    this.ended = true;
    if (this.decoder === null) this.finish();
    else this.decoder.end();
  }

  onError(error: Error): void {
    const said = (error as NodeJS.ErrnoException).code ?? error.name;
    const code = this.phase === 'connect' && TIMED_OUT.test(said) ? 'CONNECT_TIMEOUT' : said;
    const message = sentence(code, this.phase);
    if (this.inOpen) queueMicrotask(() => this.fail(code, message));
    else this.fail(code, message);
  }

  // --- the rest ---

  /** undici took it: from here on the connect bound runs, unless a kept connection was free. */
  dispatched(): void {
    this.inOpen = false;
    if (this.phase !== 'connect' || this.done) return;
    this.connectTimer = setTimeout(() => this.giveUp('CONNECT_TIMEOUT', sentence('CONNECT_TIMEOUT', 'connect')), this.connectTimeoutMs);
  }

  fail(code: string, message: string): void {
    if (this.done) return;
    this.settle();
    this.to.onError({ phase: this.phase, code, message, refused: code === REFUSED });
  }

  private finish(): void {
    if (this.done) return;
    this.settle();
    this.to.onEnd();
  }

  /** The fault is ours to find: the socket is still healthy and must be ended. */
  private giveUp(code: string, message: string): void {
    if (this.done) return;
    this.drop();
    queueMicrotask(() => {
      if (!this.silenced) this.to.onError({ phase: this.phase, code, message, refused: false });
    });
  }

  private drop(): void {
    if (this.done) return;
    this.settle();
    if (this.abortRequest === null) this.connecting?.destroy(ABORTED); // with an error, or undici waits for it for ever
    else if (!this.ended) this.abortRequest(ABORTED);
  }

  private settle(): void {
    this.done = true;
    this.stopTimer();
    this.decoder?.destroy();
    this.onDone?.();
  }

  private stopTimer(): void {
    if (this.connectTimer !== null) clearTimeout(this.connectTimer);
    this.connectTimer = null;
  }

  private readOn(): void {
    if (!this.stopped || this.ended) return;
    this.stopped = false;
    this.resumeSocket?.();
  }

  private decode(encoding: 'gzip' | 'br' | 'deflate'): Decoder {
    return createDecoder(encoding, {
      onData: (chunk) => {
        if (!this.done) this.to.onData(chunk);
      },
      onEnd: () => this.finish(),
      onDrain: () => {
        this.decoderFull = false;
        if (!this.done && !this.paused) this.readOn();
      },
      onError: (code, message) => this.giveUp(code, message),
    });
  }
}

const ABORTED = new Error('aborted by the gateway');

/** Fixed sentences: what the system says may name addresses of the operator's network. */
function sentence(code: string, phase: 'connect' | 'request' | 'body'): string {
  if (SENTENCES[code] !== undefined) return SENTENCES[code];
  if (phase === 'connect') return TLS_CODE.test(code) ? 'the TLS certificate or handshake is not acceptable' : `no connection (${code})`;
  if (/PARSER|MISMATCH|HPE_/.test(code)) return 'the answer is not valid HTTP';
  return phase === 'request' ? 'the connection ended before an answer came' : 'the connection ended in the middle of the answer';
}

const TIMED_OUT = /^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;
/** Whether the code of an error in the phase `connect` says that TLS is at fault, not that nobody was reached. */
export const isTlsFault = (code: string): boolean => TLS_CODE.test(code);

const TLS_CODE = /TLS|SSL|CERT|EPROTO|SELF_SIGNED|UNABLE_TO/;
const SENTENCES: Record<string, string> = {
  [REFUSED]: 'the address is not allowed',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  CONNECT_TIMEOUT: 'no connection in time',
};
