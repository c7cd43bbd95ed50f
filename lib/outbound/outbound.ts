import type { Socket } from 'node:net';
import { Client, Pool, type Dispatcher } from 'undici';
import type { Outbound, UpstreamExchange, UpstreamHandler, UpstreamRequest } from '../gateway/upstream';
import { guardedConnector, plainConnector, REFUSED, resolveAll, type ResolveAll } from './connector';
import { createDecoder, encodingOf, type Decoder } from './decode';
import type { GuardRules } from './guard';
import { badRequestHeader, cleanResponseHeaders, credentialOf } from './headers';
import type { AllowRule } from './allow-rules';

export interface OutboundOptions {
  /** What the operator opened: OHM_ALLOW_PRIVATE_UPSTREAMS. */
  allowPrivate: readonly AllowRule[];
  /** The product's own ports, asked at every connection: they may be known only after the server listens. */
  ownPorts: () => Iterable<number>;
  /** Origin of the product's own sandbox server, null while it is not up. Only it is reached with `guard: 'sandbox'`. */
  sandbox: () => string | null;
  /** Name resolution; tests inject a lying one. */
  resolve?: ResolveAll;
}

export interface OutboundClient extends Outbound {
  /** Sockets open or opening, for figures and tests. */
  sockets(): number;
  /** Ends every connection at once. */
  close(): Promise<void>;
}

/**
 * The only way out of the process for a workspace's requests. HTTP/1.1 over undici, one pool an origin,
 * connections kept for 60 s; no redirects, no proxy settings, no time-outs on answers: the engine owns the
 * clocks. Every address is judged by the guard before and after connecting.
 *
 * Outcomes come through the handler, never inside `open` or `resume`. After `pause`, one more read may still
 * arrive. `abort` ends the socket at once, also while it is connecting, and silences the handler.
 */
export function createOutbound(options: OutboundOptions): OutboundClient {
  const rules = (): GuardRules => ({ allow: options.allowPrivate, ownPorts: options.ownPorts() });
  const sockets = new Set<Socket>();
  let opening: Exchange | null = null; // whose dispatch is running: undici connects inside it
  const onSocket = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (opening !== null) opening.connecting = socket;
  };
  const connectors = {
    public: guardedConnector(rules, options.resolve ?? resolveAll, CONNECT_CEILING_MS, onSocket),
    sandbox: plainConnector(CONNECT_CEILING_MS, onSocket),
  };
  const pools = createPools((origin, guard) => new Pool(origin, { ...CLIENT_OPTIONS, connect: connectors[guard] }));

  function open(request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange {
    const exchange = createExchange(request, handler);
    const bad = whyNot(request, options.sandbox);
    if (bad !== null) {
      queueMicrotask(() => exchange.fail(bad.code, bad.message));
      return exchange;
    }
    opening = exchange;
    try {
      dispatch(request, exchange);
    } catch (error) {
      queueMicrotask(() => exchange.fail('invalid_request', (error as Error).message));
    } finally {
      opening = null;
    }
    exchange.dispatched();
    return exchange;
  }

  function dispatch(request: UpstreamRequest, exchange: Exchange): void {
    const { origin, path, method, headers, body, guard, fresh } = request;
    const parts = { path, method, headers, body, reset: fresh };
    if (fresh) {
      const client = new Client(origin, { ...CLIENT_OPTIONS, connect: connectors[guard] });
      client.dispatch(parts, exchange.handler);
      void client.close(); // resolves when the one request is over, and takes the socket with it
      return;
    }
    const pool = pools.take(origin, guard);
    exchange.onDone = () => pools.give(pool);
    pool.pool.dispatch(parts, exchange.handler);
  }

  return {
    open,
    sockets: () => sockets.size,
    async close() {
      await pools.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Ends connection attempts whose exchange is long gone; exchanges have their own, shorter bound. */
const CONNECT_CEILING_MS = 30_000;
const CLIENT_OPTIONS = { pipelining: 1, keepAliveTimeout: 60_000, keepAliveMaxTimeout: 600_000, headersTimeout: 0, bodyTimeout: 0, allowH2: false } as const;

function whyNot(request: UpstreamRequest, sandbox: () => string | null): { code: string; message: string } | null {
  if (request.guard === 'sandbox' && request.origin !== sandbox()) return { code: REFUSED, message: 'this is not the sandbox' };
  if (!request.path.startsWith('/') || !/^[\x21-\x7e]+$/.test(request.path) || request.path.includes('#')) return { code: 'invalid_request', message: 'the path has a character that is not allowed' };
  const header = badRequestHeader(request.headers);
  return header === null ? null : { code: 'invalid_request', message: header };
}

interface Exchange extends UpstreamExchange {
  handler: Dispatcher.DispatchHandler;
  /** The socket being connected for this exchange, as long as nothing was sent. */
  connecting: Socket | null;
  onDone: (() => void) | null;
  /** undici took it: from here on the connect bound runs, unless a kept connection was free. */
  dispatched(): void;
  fail(code: string, message: string): void;
}

/** One request on its way: keeps the promises about phases, order and silence after the end. */
function createExchange(request: UpstreamRequest, to: UpstreamHandler): Exchange {
  let phase: 'connect' | 'request' | 'body' = 'connect';
  let done = false;
  let silenced = false; // the engine wants to hear no more
  let inOpen = true;
  let paused = false;
  let controller: Dispatcher.DispatchController | null = null;
  let decoder: Decoder | null = null;
  let decoderFull = false;
  let ended = false;
  let connectTimer: NodeJS.Timeout | null = null;

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(given) {
      controller = given;
      exchange.connecting = null;
      stopTimer();
      if (done) return given.abort(ABORTED);
      phase = 'request';
    },
    onResponseStart(_given, status, headers) {
      if (done || status < 200) return;
      phase = 'body';
      const encoding = encodingOf(headers['content-encoding']);
      if (encoding === 'unsupported') return giveUp('unsupported_encoding', 'the answer has a content encoding that cannot be read');
      if (encoding !== 'identity') decoder = createDecoder(encoding, decoded);
      to.onHead(status, cleanResponseHeaders(headers, credentialOf(request.headers), encoding !== 'identity'));
    },
    onResponseData(given, chunk) {
      if (done) return;
      if (decoder === null) return to.onData(chunk);
      if (decoder.write(chunk)) return;
      decoderFull = true;
      given.pause();
    },
    onResponseEnd() {
      if (done) return;
      ended = true;
      if (decoder === null) finish();
      else decoder.end();
    },
    onResponseError(_given, error) {
      const said = (error as NodeJS.ErrnoException).code ?? error.name;
      const code = phase === 'connect' && TIMED_OUT.test(said) ? 'CONNECT_TIMEOUT' : said;
      if (inOpen) queueMicrotask(() => exchange.fail(code, sentence(code, phase)));
      else exchange.fail(code, sentence(code, phase));
    },
  };

  const decoded = {
    onData(chunk: Buffer) {
      if (!done) to.onData(chunk);
    },
    onEnd: () => finish(),
    onDrain() {
      decoderFull = false;
      if (!done && !paused && !ended) controller?.resume();
    },
    onError: (code: string, message: string) => giveUp(code, message),
  };

  function finish(): void {
    if (done) return;
    settle();
    to.onEnd();
  }

  /** The fault is ours to find: the socket is still healthy and must be ended. */
  function giveUp(code: string, message: string): void {
    if (done) return;
    drop();
    queueMicrotask(() => {
      if (!silenced) to.onError({ phase, code, message, refused: false });
    });
  }

  function drop(): void {
    if (done) return;
    settle();
    if (controller !== null) {
      if (!ended) controller.abort(ABORTED);
    } else exchange.connecting?.destroy(ABORTED); // with an error, or undici waits for it for ever
  }

  function settle(): void {
    done = true;
    stopTimer();
    decoder?.destroy();
    exchange.onDone?.();
  }

  function stopTimer(): void {
    if (connectTimer !== null) clearTimeout(connectTimer);
    connectTimer = null;
  }

  const exchange: Exchange = {
    handler,
    connecting: null,
    onDone: null,
    dispatched() {
      inOpen = false;
      if (phase !== 'connect' || done) return;
      connectTimer = setTimeout(() => giveUp('CONNECT_TIMEOUT', 'no connection in time'), request.connectTimeoutMs);
    },
    fail(code, message) {
      if (done) return;
      settle();
      to.onError({ phase, code, message, refused: code === REFUSED });
    },
    pause() {
      paused = true;
      decoder?.pause();
      if (decoder === null) controller?.pause();
    },
    resume() {
      if (!paused) return;
      paused = false;
      queueMicrotask(() => {
        if (done || paused) return;
        decoder?.resume();
        if (!decoderFull && !ended) controller?.resume();
      });
    },
    abort() {
      silenced = true;
      drop();
    },
  };
  return exchange;
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

interface PoolEntry {
  pool: Pool;
  key: string;
  active: number;
  idleSinceMs: number;
}

/** One pool an origin and guard, at most MAX_ORIGINS of them; idle ones are closed. */
function createPools(create: (origin: string, guard: 'public' | 'sandbox') => Pool) {
  const entries = new Map<string, PoolEntry>(); // in order of use, the longest unused first
  let sweep: NodeJS.Timeout | null = null;

  function take(origin: string, guard: 'public' | 'sandbox'): PoolEntry {
    const key = `${guard} ${origin}`; // a pool without guard must never serve a guarded request
    const entry = entries.get(key) ?? { pool: create(origin, guard), key, active: 0, idleSinceMs: 0 };
    entries.delete(key);
    entries.set(key, entry);
    entry.active++;
    if (entries.size > MAX_ORIGINS) close((other) => other.active === 0, 1);
    sweep ??= setInterval(() => close((other) => other.active === 0 && performance.now() - other.idleSinceMs > IDLE_MS), IDLE_MS).unref();
    return entry;
  }

  function give(entry: PoolEntry): void {
    entry.active--;
    entry.idleSinceMs = performance.now();
  }

  function close(which: (entry: PoolEntry) => boolean, most = Infinity): void {
    for (const entry of entries.values()) {
      if (most <= 0) break;
      if (!which(entry)) continue;
      most--;
      entries.delete(entry.key);
      void entry.pool.close();
    }
  }

  return {
    take,
    give,
    async close() {
      if (sweep !== null) clearInterval(sweep);
      sweep = null;
      await Promise.all([...entries.values()].map((entry) => entry.pool.destroy()));
      entries.clear();
    },
  };
}

const MAX_ORIGINS = 256;
const IDLE_MS = 90_000;
