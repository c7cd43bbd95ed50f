import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../std';

interface EarlyRefusal {
  status: number;
  code: string;
  message: string;
}

const MALFORMED: EarlyRefusal = { status: 400, code: 'malformed_request', message: 'This is not a well-formed HTTP/1.1 request.' };
const NO_HOST: EarlyRefusal = { status: 400, code: 'malformed_request', message: 'The request has no Host header.' };
const EXPECTATION: EarlyRefusal = { status: 417, code: 'unsupported_expectation', message: 'Of the Expect header only `100-continue` is known.' };
/** By the code of node's error. */
const BY_ERROR: Record<string, EarlyRefusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'headers_too_large', message: 'The headers are larger than 16 KiB.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'request_too_large', message: 'The chunk extensions are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout', message: 'The request did not arrive in time.' },
};

/**
 * Node refuses by itself what it cannot read as a request, with a bare status line. Here such a client gets the same
 * JSON error and request id as everybody else, and the connection is closed. For servers with `requireHostHeader: false`:
 * a missing Host is `refuseHostless`'s.
 */
export function refuseEarly(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseOn(socket as Socket, BY_ERROR[error.code ?? ''] ?? MALFORMED));
  server.on('checkExpectation', (_message, response) => refuse(response, EXPECTATION));
}

/** True when the request had to name a host and did not: it is refused. */
export function refuseHostless(message: IncomingMessage, response: ServerResponse): boolean {
  if (message.headers.host !== undefined || message.httpVersion !== '1.1') return false;
  refuse(response, NO_HOST);
  return true;
}

/** Whoever was answered, whole or in part, or has left, is told nothing more. */
function refuseOn(socket: Socket, refusal: EarlyRefusal): void {
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse | null };
  if (!socket.writable || answered.has(socket) || current?.headersSent) return void socket.destroy();
  answered.add(socket);
  const { body, headers } = answer(refusal);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${head}\r\n${body}`);
  socket.destroySoon();
}

const answered = new WeakSet<Socket>();

function refuse(response: ServerResponse, refusal: EarlyRefusal): void {
  const { body, headers } = answer(refusal);
  response.writeHead(refusal.status, headers).end(body);
}

function answer({ status, code, message }: EarlyRefusal): { body: string; headers: Record<string, string | number> } {
  const body = JSON.stringify({ error: { message, type: 'invalid_request_error', code, param: null } });
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      ...(status === 408 ? {} : { 'x-should-retry': 'false' }),
      'x-ohm-request-id': newId('req'),
      connection: 'close',
    },
  };
}
