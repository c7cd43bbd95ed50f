import { createHash } from 'node:crypto';
import { newId } from '@/lib/std';

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': 'content-type, if-none-match',
  'access-control-expose-headers': 'etag, retry-after, x-ohm-request-id',
};

/** What every answer of these doors carries: anyone may read it, and there is an id to quote. */
const common = () => ({ ...CORS, 'x-ohm-request-id': newId('req') });

/**
 * JSON that anyone may read from anywhere and keep for `maxAgeS`. The ETag leaves `generated_at` out:
 * a document that says the same is the same.
 */
export function publicJson(request: Request, body: object, maxAgeS: number, type = 'application/json'): Response {
  const etag = `W/"${createHash('sha256').update(JSON.stringify({ ...body, generated_at: undefined })).digest('base64url').slice(0, 22)}"`;
  const headers = { ...common(), etag, 'cache-control': `public, max-age=${maxAgeS}`, vary: 'accept-encoding' };
  const known = request.headers.get('if-none-match')?.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*');
  if (known) return new Response(null, { status: 304, headers });
  return new Response(`${JSON.stringify(body, null, 2)}\n`, { headers: { ...headers, 'content-type': `${type}; charset=utf-8` } });
}

/** JSON about this moment, which nobody may keep. */
export function momentaryJson(status: number, body: object, headers: Record<string, string> = {}): Response {
  return new Response(`${JSON.stringify(body, null, 2)}\n`, { status, headers: { ...common(), 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8', ...headers } });
}

const problem = (status: number, code: string, message: string, headers?: Record<string, string>): Response =>
  momentaryJson(status, { error: { message, type: 'invalid_request_error', code, param: null } }, { 'x-should-retry': 'false', ...headers });

/** What is not there, told so that a page of another origin may read it. */
export const notFound = (request: Request): Response => problem(404, 'unknown_url', `There is no ${request.method} ${new URL(request.url).pathname} here.`);

/** The same for a method that a path does not take. */
export const notAllowed = (method: 'GET' | 'POST') => (): Response => problem(405, 'method_not_allowed', `Use ${method}.`, { allow: method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS' });

/** Answers a browser that asks first. */
export const preflight = (): Response => new Response(null, { status: 204, headers: { ...common(), 'access-control-max-age': '86400' } });
