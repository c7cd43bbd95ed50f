import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What the upstream does with one request, step by step. Data, so that a table of faults can be written down. */
export type Step =
  | { head: number; headers?: Record<string, string> } // status and headers, at once
  | { send: string | Buffer } // one write
  | { drip: string | Buffer; bytes: number; everyMs: number } // the same, in pieces
  | { raw: string | Buffer } // past the HTTP layer, straight into the socket
  | { waitMs: number }
  | { until: Promise<unknown> } // the test decides
  | 'end' // the body ends lawfully (also what an exhausted script does)
  | 'stall' // nothing more, the connection stays open
  | 'close' // the socket is closed in order, the body is not finished
  | 'reset'; // the socket is reset

/** The script of one request. */
export type Answer = Step[];
/** One answer for all requests, a list (its last one repeats), or a function of the request. */
export type Script = Answer | Answer[] | ((contact: Contact) => Answer);

/** One request that arrived. */
export interface Contact {
  /** Position among all requests, from 0. */
  index: number;
  /** Position of its TCP connection, from 0. */
  connection: number;
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** `performance.now()` when the request was whole. */
  at: number;
  /** When the other side closed before the script was over; null otherwise. */
  leftAt: number | null;
  /** Resolves when `leftAt` is set. */
  left: Promise<void>;
}

export interface ScriptedUpstream {
  /** http://127.0.0.1:<port> */
  origin: string;
  /** The origin with /v1: what a connection's base URL is. */
  baseUrl: string;
  port: number;
  contacts: Contact[];
  /** TCP connections accepted so far. */
  connections(): number;
  /** Replaces the script; the list starts from its beginning. */
  play(script: Script): void;
  /** Forgets the contacts. */
  forget(): void;
  /** Resolves when `count` requests have arrived in all. */
  contacted(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface UpstreamOptions {
  /** What happens to a connection before any request is read. */
  onConnection?: 'reset' | 'close';
}

/** A real HTTP server on a loopback port that does exactly what a script says and remembers each contact. */
export async function scriptedUpstream(script: Script, { onConnection }: UpstreamOptions = {}): Promise<ScriptedUpstream> {
  let playing = script;
  let played = 0;
  let connections = 0;
  const contacts: Contact[] = [];
  const numbers = new WeakMap<Socket, number>();
  const waiting: { count: number; resolve: () => void }[] = [];

  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, async (message, response) => {
    const body = await readAll(message);
    if (body === null) return; // left while sending
    const contact = newContact(message, body, contacts.length, numbers.get(message.socket) ?? -1);
    contacts.push(contact);
    for (const each of waiting) if (contacts.length >= each.count) each.resolve();
    await perform(pick(playing, played++, contact), contact, response);
  });
  server.on('connection', (socket) => {
    numbers.set(socket, connections++);
    socket.on('error', ignore);
    if (onConnection === 'reset') socket.resetAndDestroy();
    if (onConnection === 'close') socket.destroy();
  });
  server.on('clientError', (_, socket) => socket.destroy());
  const port = await listen(server);

  return {
    origin: `http://127.0.0.1:${port}`,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    port,
    contacts,
    connections: () => connections,
    play(next) {
      playing = next;
      played = 0;
    },
    forget: () => void contacts.splice(0),
    contacted: (count) => (contacts.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve }))),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A loopback origin where nothing listens: connections are refused. */
export async function refusingOrigin(): Promise<string> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1', 4096);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function readAll(message: IncomingMessage): Promise<string | null> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return null;
  }
}

function newContact(message: IncomingMessage, body: string, index: number, connection: number): Contact {
  let tell!: () => void;
  const left = new Promise<void>((resolve) => (tell = resolve));
  const contact: Contact = {
    index,
    connection,
    method: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    body,
    at: performance.now(),
    leftAt: null,
    left,
  };
  leavers.set(contact, () => {
    contact.leftAt ??= performance.now();
    tell();
  });
  return contact;
}

const leavers = new WeakMap<Contact, () => void>();

function pick(script: Script, index: number, contact: Contact): Answer {
  if (typeof script === 'function') return script(contact);
  if (isList(script)) return script[Math.min(index, script.length - 1)] ?? [];
  return script;
}

const isList = (script: Answer | Answer[]): script is Answer[] => Array.isArray(script[0]);

async function perform(answer: Answer, contact: Contact, response: ServerResponse): Promise<void> {
  const { socket } = response.req;
  let over = false;
  let gone = false;
  response.once('close', () => {
    gone = true;
    if (!over) leavers.get(contact)?.();
  });
  for (const step of answer) {
    if (gone) return;
    if (step === 'stall') return;
    if (step === 'reset' || step === 'close') {
      over = true;
      await flushed(response);
      return void (step === 'reset' ? socket.resetAndDestroy() : socket.destroy());
    }
    if (step === 'end') break;
    await act(step, response, socket);
  }
  if (gone) return;
  over = true;
  response.end();
}

async function act(step: Exclude<Step, string>, response: ServerResponse, socket: Socket): Promise<void> {
  if ('head' in step) {
    response.writeHead(step.head, step.headers);
    response.flushHeaders();
  } else if ('send' in step) await write(response, step.send);
  else if ('raw' in step) socket.write(step.raw);
  else if ('waitMs' in step) await delay(step.waitMs);
  else if ('until' in step) await step.until;
  else {
    const bytes = Buffer.from(step.drip as string);
    for (let at = 0; at < bytes.length && !response.destroyed; at += step.bytes) {
      await write(response, bytes.subarray(at, at + step.bytes));
      await delay(step.everyMs);
    }
  }
}

/** Waits for a slow reader, as a real server would. */
async function write(response: ServerResponse, chunk: string | Buffer): Promise<void> {
  if (response.write(chunk) || response.destroyed) return;
  await Promise.race([once(response, 'drain'), once(response, 'close')]);
}

/** Until the kernel has what was written: a reset throws away what it has not. */
async function flushed(response: ServerResponse): Promise<void> {
  while (!response.destroyed && response.writableLength + (response.socket?.writableLength ?? 0) > 0) await delay(1);
  await delay(20); // and until the other side had a chance to read it
}

/** A socket's end shows in its response. */
function ignore(): void {}
