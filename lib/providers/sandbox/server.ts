import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, unreachable, type Clock } from '../../std';
import { answer, type Action, type AnswerRequest } from './answer';
import { contactLog, type Contact } from './contacts';
import { LIMITS, parseScript } from './script';
import { DISCLOSURE } from './words';

export interface SandboxOptions {
  clock?: Clock;
  /** Answers that one workspace may have open. */
  openPerWorkspace?: number;
  /** The longest life of an answer, ms. */
  durationMs?: number;
}

export interface Sandbox {
  /** `http://127.0.0.1:<port>`; the OpenAI surface is below `/v1`. */
  origin: string;
  /** Made at this start; every request carries it as `authorization: Bearer <token>`. */
  token: string;
  /** The last contacts (of one workspace), oldest first; the entries are live. */
  contacts(workspaceId?: string): Contact[];
  /** Answers open now, of one workspace or of all. */
  open(workspaceId?: string): number;
  close(): Promise<void>;
}

/**
 * A provider inside the product: a real HTTP server on a loopback port that speaks OpenAI's wire and
 * fails on command. The caller names its workspace in `x-ohm-sandbox-workspace`, which is believed
 * because only this process knows the token.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const clock = options.clock ?? systemClock;
  const token = randomBytes(32).toString('base64url');
  const log = contactLog();
  const slots = new Map<string, number>();
  const desk: Desk = { clock, token, log, slots, openPerWorkspace: options.openPerWorkspace ?? 16, durationMs: options.durationMs ?? LIMITS.durationMs };
  const server = createServer((req, res) => {
    handle(desk, req, res).catch(() => res.destroy());
  });
  // Longer than any client pool keeps an idle connection, so that it is never we who close it under a request.
  server.keepAliveTimeout = 75_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // It must not keep a process alive that has nothing else to do.
  server.unref();
  return {
    origin: `http://127.0.0.1:${port}`,
    token,
    contacts: (workspaceId) => log.of(workspaceId),
    open: (workspaceId) => (workspaceId === undefined ? [...slots.values()].reduce((sum, n) => sum + n, 0) : (slots.get(workspaceId) ?? 0)),
    close: () => closeServer(server),
  };
}

interface Desk {
  clock: Clock;
  token: string;
  log: ReturnType<typeof contactLog>;
  slots: Map<string, number>;
  openPerWorkspace: number;
  durationMs: number;
}

const BODY_BYTES = 32 * 1024 * 1024;

async function handle(desk: Desk, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (!carries(req, desk.token)) return refuse(res, 401, 'invalid_api_key', 'the sandbox answers this process only');
  const workspaceId = req.headers['x-ohm-sandbox-workspace'];
  if (typeof workspaceId !== 'string' || workspaceId === '') return refuse(res, 400, 'missing_workspace', 'x-ohm-sandbox-workspace is missing');
  const path = (req.url ?? '').split('?')[0];
  if (req.method === 'GET' && path === '/v1/models') return json(res, 200, { object: 'list', data: EXAMPLES.map(model) });
  if (req.method !== 'POST' || path !== '/v1/chat/completions') return refuse(res, 404, 'not_found', `there is no ${req.method} ${path}`);

  const request = await readRequest(req, desk.clock);
  if (typeof request === 'string') return refuse(res, 400, 'invalid_request', request);
  const contact: Contact = { workspaceId, script: request.model, stream: request.stream, startedAtMs: desk.clock.monotonic(), endedAtMs: null, outcome: 'open', promptTokens: 0, completionTokens: 0, reasoningTokens: 0 };
  desk.log.add(contact);
  const parsed = parseScript(request.model);
  if (!parsed.ok) {
    settle(desk, contact, 'refused');
    return refuse(res, 400, 'invalid_script', `step “${parsed.step}”: ${parsed.message}`);
  }
  const open = desk.slots.get(workspaceId) ?? 0;
  if (open >= desk.openPerWorkspace) {
    settle(desk, contact, 'refused');
    res.setHeader('retry-after', '1');
    return refuse(res, 429, 'rate_limit_exceeded', `${open} answers of this workspace are open, and no more are allowed`);
  }

  desk.slots.set(workspaceId, open + 1);
  try {
    await perform(desk, answer(parsed.script, request, contact), req, res, contact);
  } finally {
    const left = desk.slots.get(workspaceId)! - 1;
    if (left === 0) desk.slots.delete(workspaceId);
    else desk.slots.set(workspaceId, left);
    settle(desk, contact, 'cut');
  }
}

/** Does the actions one by one, at the pace at which the client takes them, until the client leaves or the time is over. */
async function perform(desk: Desk, actions: Generator<Action, void, void>, req: IncomingMessage, res: ServerResponse, contact: Contact): Promise<void> {
  const gone = new AbortController();
  const onClose = () => {
    if (res.writableFinished) return;
    settle(desk, contact, 'client_left');
    gone.abort();
  };
  res.on('close', onClose);
  if (res.destroyed || req.socket.destroyed) onClose();
  const expiry = setTimeout(() => {
    settle(desk, contact, 'expired');
    gone.abort();
    res.destroy();
  }, desk.durationMs);
  try {
    for (const action of actions) {
      if (gone.signal.aborted) return;
      await act(action, req, res, gone.signal, (outcome) => settle(desk, contact, outcome));
    }
  } finally {
    clearTimeout(expiry);
  }
}

type Outcome = Exclude<Contact['outcome'], 'open'>;

async function act(action: Action, req: IncomingMessage, res: ServerResponse, gone: AbortSignal, ended: (outcome: Outcome) => void): Promise<void> {
  switch (action.do) {
    case 'head':
      res.writeHead(200, { 'content-type': action.contentType, 'cache-control': 'no-cache', ...SAYS_SO });
      res.flushHeaders();
      return;
    case 'write':
      return write(res, action.text, gone);
    case 'pad':
      return pad(res, action.bytes, gone);
    case 'wait':
      return sleep(action.ms, gone);
    case 'stall':
      await until(gone);
      return;
    case 'reset':
      // What was written must have left first, or the reset would take it along.
      if (res.headersSent) await sleep(RESET_AFTER_MS, gone);
      ended('cut');
      req.socket.resetAndDestroy();
      return;
    case 'drop':
      ended('cut');
      req.socket.destroy();
      return;
    case 'whole':
      res.writeHead(action.status, { 'content-type': action.contentType, 'content-length': Buffer.byteLength(action.body), ...SAYS_SO, ...(action.retryAfterS === null ? {} : { 'retry-after': String(action.retryAfterS) }) });
      return finish(res, action.body, gone, ended);
    case 'end':
      return finish(res, '', gone, ended);
    default:
      unreachable(action, 'sandbox action');
  }
}

const RESET_AFTER_MS = 25;
const PIECE = Buffer.alloc(64 * 1024, '.');
const SAYS_SO = { 'x-ohm-sandbox': DISCLOSURE };

async function write(res: ServerResponse, chunk: string | Buffer, gone: AbortSignal): Promise<void> {
  if (gone.aborted || res.write(chunk)) return;
  // Aborted: the client left while we waited for it, and the caller looks at the signal next.
  await once(res, 'drain', { signal: gone }).catch(() => undefined);
}

/** Answered means that the last byte has left, so a slow client keeps its slot until then. */
async function finish(res: ServerResponse, rest: string, gone: AbortSignal, ended: (outcome: Outcome) => void): Promise<void> {
  const flushed = new Promise<void>((resolve) => res.end(rest, resolve));
  await Promise.race([flushed, until(gone)]);
  if (res.writableFinished) ended('answered');
}

async function pad(res: ServerResponse, bytes: number, gone: AbortSignal): Promise<void> {
  for (let left = bytes; left > 0 && !gone.aborted; left -= PIECE.length) await write(res, PIECE.subarray(0, Math.min(left, PIECE.length)), gone);
}

function sleep(ms: number, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    gone.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      gone.removeEventListener('abort', done);
      resolve();
    }
  });
}

const until = (gone: AbortSignal): Promise<void> => (gone.aborted ? Promise.resolve() : new Promise((resolve) => gone.addEventListener('abort', () => resolve(), { once: true })));

/** Ends the contact. The first word on how it ended stands. */
function settle(desk: Desk, contact: Contact, outcome: Outcome): void {
  if (contact.outcome !== 'open') return;
  contact.outcome = outcome;
  contact.endedAtMs = desk.clock.monotonic();
}

function carries(req: IncomingMessage, token: string): boolean {
  const given = Buffer.from(req.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** The request, or a sentence that says what is wrong with it. */
async function readRequest(req: IncomingMessage, clock: Clock): Promise<AnswerRequest | string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES) return `the body is larger than ${BODY_BYTES} bytes`;
    chunks.push(chunk);
  }
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
  } catch {
    return 'the body is not JSON';
  }
  if (typeof body !== 'object' || body === null || typeof body.model !== 'string') return 'model is missing';
  if (typeof body.n === 'number' && body.n !== 1) return 'n: the sandbox gives one choice';
  const streamOptions = body.stream_options as { include_usage?: unknown } | null | undefined;
  return { model: body.model, messages: body.messages, stream: body.stream === true, includeUsage: streamOptions?.include_usage === true, nowMs: clock.now() };
}

/** Scripts worth knowing; any other script is a model as well. */
const EXAMPLES = ['echo', 'text:20', 'slow:500ms', 'reasoning:10,text:10', 'tool:lookup', 'refusal', 'status:503', 'status:429,retry-after:2', 'headers,stall', 'role,reset', 'text:2,reset', 'text:40,error:429', 'text:3,stall', 'no-finish', 'no-done', 'no-usage', 'html', 'empty'];

const model = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'ohm-sandbox' });

function refuse(res: ServerResponse, status: number, code: string, message: string): void {
  json(res, status, { error: { message: `${DISCLOSURE}: ${message}.`, type: 'invalid_request_error', code, param: code === 'invalid_script' ? 'model' : null } });
}

function json(res: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...SAYS_SO });
  res.end(text);
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
