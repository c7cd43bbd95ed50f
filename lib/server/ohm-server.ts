import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { CallRequest, Sink } from '../gateway/ports';
import { bodyBudget } from './body-budget';
import { refuseEarly, refuseHostless } from './early-refusal';
import { NodeRequest } from './node-request';
import { CLIENT_BOUNDS, type ClientBounds, NodeSink } from './node-sink';
import { refuseTarget } from './refuse-target';
import { isPlainHost, noteTarget, requestPath, setClientAddress, stripInternalHeaders, withoutEndSlash } from './request-target';

/** The engine, as far as the doors need it. */
export interface DataPlane {
  owns(method: string, path: string, headers: CallRequest['headers']): boolean;
  /** Answers through the sink, whatever happens; a rejection is an error in our own code. */
  handle(request: CallRequest, sink: Sink): Promise<void>;
}

export interface OhmServerOptions {
  gateway: DataPlane;
  /** Next's handler: everything that the data plane does not own. */
  pages: (message: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** `next`: the data plane goes through Next's route handlers as well. */
  door: 'node' | 'next';
  /** Cap on request bodies in memory, bytes; one workspace may have half. */
  bodyBytes: number;
  trustedProxies: number;
  /** What is held for clients, with all else that the process holds. Null: nobody counts it. */
  held?: ClientBounds['held'];
  /** A client that takes nothing for this long is cut off, ms, and one that takes less than so many bytes a second. Default: the contract's. */
  clientStallMs?: number;
  clientBytesAS?: number;
  /** How often bodies on their way are looked at, ms. Default: each second, which their bounds are counted in. */
  bodyTickMs?: number;
  onError: (error: unknown, message: IncomingMessage) => void;
}

export interface OhmServer {
  server: Server;
  /** Data-plane requests whose response is not finished. */
  openCalls(): number;
  /** From now on every response closes its connection. */
  beginClosing(): void;
}

/** The one server of `npm start`: the data plane straight to the engine, everything else to Next, on one port. */
export function createOhmServer({ gateway, pages, door, bodyBytes, trustedProxies, held = null, clientStallMs, clientBytesAS, bodyTickMs, onError }: OhmServerOptions): OhmServer {
  // Tells app/_auth/client.ts, another bundle in this process, that X-Forwarded-For is this server's own word.
  (globalThis as Record<symbol, unknown>)[Symbol.for('ohm.server-sets-client-address')] = true;
  const budget = bodyBudget(bodyBytes, bodyTickMs);
  const client: ClientBounds = { stallMs: clientStallMs ?? CLIENT_BOUNDS.stallMs, bytesAS: clientBytesAS ?? CLIENT_BOUNDS.bytesAS, held };
  let open = 0;
  let closing = false;
  const isClosing = () => closing;

  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 300_000, connectionsCheckingInterval: 5_000 }, (message, response) => {
    if (refuseHostless(message, response)) return;
    let path = requestPath(message.url);
    if (path === null) return refuseTarget(message, response, 'The request target must be a plain path.');
    // Next would send the client elsewhere, and a client that posts does not go.
    if (path.endsWith('/') && path.startsWith('/v1/')) path = requestPath((message.url = withoutEndSlash(message.url!, path)))!;
    const call = () => {
      open++;
      if (door === 'next') {
        response.on('close', () => open--);
        return page();
      }
      const sink = new NodeSink(response, isClosing, client);
      const request = new NodeRequest(message, path, budget);
      response.on('close', () => {
        open--;
        request.release();
        sink.responseClosed();
      });
      gateway.handle(request, sink).catch((error: unknown) => failed(error, message, response, onError));
    };
    const page = () => {
      if (!isPlainHost(message.headers.host)) return refuseTarget(message, response, 'The Host header is not a host.');
      if (closing) response.shouldKeepAlive = false;
      stripInternalHeaders(message);
      setClientAddress(message, trustedProxies);
      noteTarget(message);
      pages(message, response).catch((error: unknown) => failed(error, message, response, onError));
    };
    if (!gateway.owns(message.method ?? '', path, message.headers)) return page();
    // A pipelined request waits until the connection is its own: before that nobody could tell whether its answer arrives.
    if (response.socket === null) response.once('socket', call);
    else call();
  });
  // An open stream may be silent for as long as its tier allows; the engine has clocks for that.
  server.timeout = 0;
  refuseEarly(server);

  return {
    server,
    openCalls: () => open,
    beginClosing() {
      closing = true;
      server.closeIdleConnections();
    },
  };
}

/** Our own error: say so where that is still possible, else cut the connection. */
function failed(error: unknown, message: IncomingMessage, response: ServerResponse, onError: OhmServerOptions['onError']): void {
  onError(error, message);
  if (response.headersSent) return void response.destroy();
  const body = JSON.stringify({ error: { message: 'The gateway failed to handle this request.', type: 'server_error', code: 'internal_error', param: null } });
  response.writeHead(500, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}
