import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '../std';

/** A target that names no path, or a Host that is no host: nothing behind this server is asked. In the API's own shape where it was meant for the API. */
export function refuseTarget(message: IncomingMessage, response: ServerResponse, why: string): void {
  response.shouldKeepAlive = false;
  const id = { 'x-ohm-request-id': newId('req'), 'cache-control': 'no-store' };
  if (!MEANT_FOR_API.test(message.url ?? '')) return void response.writeHead(400, { ...id, 'content-type': 'text/plain; charset=utf-8' }).end(`${why}\n`);
  const body = JSON.stringify({ error: { message: why, type: 'invalid_request_error', code: 'unknown_url', param: null } });
  response.writeHead(404, { ...id, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Also with an authority before it (RFC 9112, 3.2.2), or a slash too many. */
const MEANT_FOR_API = /^(?:https?:\/\/[^/]*)?\/+v1(?:[/?]|$)/i;
