import type { Socket } from 'node:net';
import { Client, Pool } from 'undici';
import type { Outbound, UpstreamExchange, UpstreamHandler, UpstreamRequest } from '../gateway/upstream';
import { guardedConnector, plainConnector, REFUSED, resolveAll, type ResolveAll } from './connector';
import { Exchange } from './exchange';
import type { GuardRules } from './guard';
import { badRequestHeader } from './headers';
import { createPools } from './pools';
import type { AllowRule } from '../std/allow-rules';

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
    const exchange = new Exchange(request, handler);
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
      client.dispatch(parts, exchange);
      void client.close(); // resolves when the one request is over, and takes the socket with it
      return;
    }
    const pool = pools.take(origin, guard);
    exchange.onDone = () => pools.give(pool);
    pool.pool.dispatch(parts, exchange);
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
