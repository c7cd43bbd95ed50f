import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { HeldBytes } from '../gateway';
import { bearer } from '../gateway/call-options';
import { REFUSALS, type Rejection } from '../gateway/rejection';
import { BodyShare } from '../server/body-budget';
import { refuseEarly, refuseHostless } from '../server/early-refusal';
import { CLIENT_BOUNDS, type ClientBounds, NodeSink } from '../server/node-sink';
import { refuseTarget } from '../server/refuse-target';
import { requestPath } from '../server/request-target';
import { newId, Roster, type Rostered } from '../std';
import { surfaceAt } from '../surfaces';
import type { Edge, EdgeRequest } from './edge-request';
import { Forwarding } from './forward';
import { type BodyFault, readBody } from './read-body';
import { refuse } from './refusals';

export interface EdgeServerOptions {
  edge: Edge;
  /** Answers a call from what is stored; false: it has not, and a control plane is to be asked. Null: nothing can be stored. */
  answerStored: ((request: EdgeRequest) => boolean | Promise<boolean>) | null;
  /** Answers `GET /ready`. */
  ready: () => Promise<{ ready: boolean }>;
  draining: () => boolean;
  /** What clients have not taken yet. */
  held: HeldBytes;
  /** A client that takes nothing for this long is cut off, ms. Default: the contract's. */
  clientStallMs?: number;
  onError: (error: unknown) => void;
}

export interface EdgeServer {
  server: Server;
  /** Requests whose response is not finished. */
  openCalls(): number;
  /** From now on every response closes its connection. */
  beginClosing(): void;
  /** The drain's deadline: everything that is open ends now. */
  cutOpenCalls(): void;
}

/** The front process: its own readiness, stored answers, and everything else through a control plane. */
export function createEdgeServer({ edge, answerStored, ready, draining, held: unsent, clientStallMs, onError }: EdgeServerOptions): EdgeServer {
  const open = new Roster<Open>();
  let requests = 0;
  let closing = false;
  const isClosing = () => closing;
  const client: ClientBounds = { ...CLIENT_BOUNDS, stallMs: clientStallMs ?? CLIENT_BOUNDS.stallMs, held: unsent };

  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 300_000, connectionsCheckingInterval: 5_000 }, (message, response) => {
    if (refuseHostless(message, response)) return;
    const path = requestPath(message.url);
    if (path === null) return refuseTarget(message, response, 'The request target must be a plain path.');
    if (message.method === 'GET' && path === '/healthz') return void response.writeHead(200, PLAIN).end('ok\n');
    if (message.method === 'GET' && path === '/ready') return void tellReady(response, ready);
    // A pipelined request waits until the connection is its own: before that nobody could tell whether its answer arrives.
    if (response.socket === null) response.once('socket', () => take(message, response, path));
    else take(message, response, path);
  });
  // An open stream may be silent for as long as its tier allows; the control plane has clocks for that.
  server.timeout = 0;
  refuseEarly(server);

  function take(message: IncomingMessage, response: ServerResponse, path: string): void {
    requests++;
    const sink = new NodeSink(response, isClosing, client);
    const share = new BodyShare(edge.budget, bearer(message.headers) ?? '');
    sink.owner = share.owner;
    const createdAt = Date.now();
    const startedAt = performance.now();
    response.on('close', () => {
      requests--;
      share.release();
      sink.responseClosed();
    });
    readBody(message, edge.maxBodyBytes, share, (body) => {
      if (!response.closed) handle(requestOf(edge, message, sink, path, body, share.owner, createdAt, startedAt), body);
    });
  }

  function handle(request: EdgeRequest, body: Buffer | BodyFault): void {
    if (typeof body === 'string') return refuse(request, refusalOfBody(body, edge.maxBodyBytes));
    if (request.message.headers.via?.includes(edge.via)) return refuse(request, REFUSALS.loop());
    if (draining() && request.surface !== null) return refuse(request, REFUSALS.draining());
    if (answerStored === null || request.surface === null || request.message.method !== 'POST') return forward(request);
    const answered = answerStored(request);
    if (answered === true) return;
    if (answered === false) return forward(request);
    answered.then(
      (done) => void (done || forward(request)),
      (error: unknown) => {
        onError(error);
        if (!request.sink.closed) forward(request);
      },
    );
  }

  function forward(request: EdgeRequest): void {
    const entry: Open = { place: -1, forwarding: new Forwarding(request, () => open.delete(entry)) };
    open.add(entry);
    entry.forwarding.start();
  }

  return {
    server,
    openCalls: () => requests,
    beginClosing() {
      closing = true;
      server.closeIdleConnections();
    },
    cutOpenCalls: () => {
      for (const { forwarding } of [...open.all()]) forwarding.cut();
    },
  };
}

interface Open extends Rostered {
  forwarding: Forwarding;
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
const NOTHING = Buffer.alloc(0);
/** RFC 9110, section 9.2.1: they change nothing. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

function requestOf(edge: Edge, message: IncomingMessage, sink: NodeSink, path: string, body: Buffer | BodyFault, owner: string, createdAt: number, startedAt: number): EdgeRequest {
  const surface = surfaceAt(path);
  return {
    edge,
    message,
    sink,
    path,
    surface,
    callId: surface !== null && message.method === 'POST' ? newId('call', createdAt) : null,
    createdAt,
    startedAt,
    body: typeof body === 'string' ? NOTHING : body,
    owner,
    repeatable: surface !== null || SAFE.has(message.method!),
  };
}

function refusalOfBody(why: BodyFault, limit: number): Rejection {
  if (why === 'too_large') return REFUSALS.tooLarge(limit);
  if (why === 'stalled') return REFUSALS.slowBody();
  return why === 'full' ? REFUSALS.busy() : REFUSALS.shareFull();
}

async function tellReady(response: ServerResponse, ready: EdgeServerOptions['ready']): Promise<void> {
  const report = await ready();
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...(report.ready ? {} : { 'retry-after': '2' }) };
  response.writeHead(report.ready ? 200 : 503, headers).end(JSON.stringify(report));
}
