import { newId, Refusal, systemClock } from '../std';
import type { Actor } from '../tenancy/actor';
import { mayAct } from '../tenancy';
import { authenticate, type SessionLookup } from './authenticate';
import type { Download, Method, Operation, Services } from './operation';
import { parseWith } from './parse';
import { DoorError, problemOf } from './problem';
import { createRateLimit, rateLimitHeaders } from './rate-limit';
import { readJson } from './read-json';

export interface DoorOptions {
  services: () => Promise<Services>;
  session: SessionLookup;
  /** Where errors of our own go; no request content. */
  log?: (line: Record<string, unknown>) => void;
  requestsPerMinute?: number;
}

export type Handler = (request: Request, context: { params: Promise<Record<string, string | string[] | undefined>> }) => Promise<Response>;

/**
 * The management API as web-standard handlers: authenticate -> limit -> role -> parse -> verb -> answer.
 * Every answer is JSON (or problem+json), private, and never stored by a cache.
 */
export function createDoor(options: DoorOptions) {
  const takeRate = createRateLimit(systemClock, options.requestsPerMinute);
  const log = options.log ?? logToStderr;

  /** The handlers of one path; a method that has no operation answers 405. */
  function resource(operations: readonly Operation[]): Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Handler> {
    const allow = operations.map((operation) => operation.method).join(', ');
    const refuse = handler(async () => {
      throw new DoorError('method_not_allowed', `This path takes ${allow}.`, { Allow: allow });
    });
    const of = (method: Method) => {
      const found = operations.find((operation) => operation.method === method);
      return found === undefined ? refuse : handler((request, params, extra) => answer(found, request, params, extra));
    };
    return { GET: of('GET'), POST: of('POST'), PUT: of('PUT'), PATCH: of('PATCH'), DELETE: of('DELETE') };
  }

  /** Paths that do not exist: a problem like any other. */
  const notFound = handler(async () => {
    throw new Refusal('not_found', 'There is nothing at this path. The API is described at /openapi.json.');
  });

  function handler(run: (request: Request, params: Record<string, string>, extra: Headers) => Promise<Response>): Handler {
    return async (request, context) => {
      const requestId = newId('req');
      const extra = new Headers({ 'X-Ohm-Request-Id': requestId, 'Cache-Control': 'private, no-store', Vary: 'Authorization, Cookie' });
      try {
        return withHeaders(await run(request, flat(await context.params), extra), extra);
      } catch (error) {
        const problem = problemOf(error, { path: new URL(request.url).pathname, requestId });
        if (problem.unexpected) log({ level: 'error', message: 'management API request failed', request_id: requestId, ...describe(error) });
        for (const [name, value] of Object.entries(problem.headers)) extra.set(name, value);
        extra.set('Content-Type', 'application/problem+json');
        return new Response(JSON.stringify(problem.body), { status: problem.body.status, headers: extra });
      }
    };
  }

  async function answer(operation: Operation, request: Request, params: Record<string, string>, extra: Headers): Promise<Response> {
    const services = await options.services();
    const actor = await authenticate(request, services, options.session);
    limitRate(actor, extra);
    if (!mayAct(actor.role, operation.role)) {
      throw new Refusal('forbidden', `This needs the role ${operation.role} or higher; yours is ${actor.role}.`);
    }
    for (const value of Object.values(params)) {
      if (!/^[\w-]{1,100}$/.test(value)) throw new Refusal('not_found', 'There is no such thing in this workspace.');
    }
    const result = await operation.run({
      services,
      actor,
      params,
      query: parseWith(operation.query, queryOf(request)),
      body: await bodyOf(operation, request),
      revision: operation.ifMatch === undefined ? null : revisionOf(request, operation.ifMatch),
      signal: request.signal,
    });
    if (operation.files !== undefined) return file(result as Download);
    if (operation.response === null) return new Response(null, { status: 204 });
    return json(operation, request, result);
  }

  function limitRate(actor: Actor, extra: Headers): void {
    if (actor.kind !== 'management_key') return;
    const verdict = takeRate(actor.id);
    for (const [name, value] of Object.entries(rateLimitHeaders(verdict, options.requestsPerMinute))) extra.set(name, value);
    if (!verdict.allowed) throw new Refusal('rate_limited', 'This key has used up its requests of this minute.', [], verdict.resetS);
  }

  return { resource, notFound: { GET: notFound, POST: notFound, PUT: notFound, PATCH: notFound, DELETE: notFound } };
}

async function bodyOf(operation: Operation, request: Request): Promise<unknown> {
  const schema = operation.body;
  if (schema === undefined) return undefined;
  const value = await readJson(request);
  if (value === undefined && operation.bodyOptional !== true) throw new DoorError('malformed_body', 'This request needs a JSON body.');
  if (value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value))) {
    throw new Refusal('invalid', 'The body must be a JSON object.', [{ field: '', message: 'must be a JSON object' }]);
  }
  return parseWith(schema, value ?? {});
}

/** Empty values count as absent: forms send them. */
function queryOf(request: Request): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URL(request.url).searchParams) {
    if (value === '') continue;
    if (Object.hasOwn(query, name)) throw new Refusal('invalid', `${name}: is given twice.`, [{ field: name, message: 'is given twice' }]);
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

function revisionOf(request: Request, need: 'required' | 'optional'): number | null {
  const header = request.headers.get('if-match');
  if (header === null && need === 'optional') return null;
  if (header === null) throw new Refusal('precondition_required', 'Send If-Match with the revision that you read, e.g. If-Match: "3".');
  const match = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim());
  if (match === null) throw new Refusal('invalid', `If-Match: ${NO_REVISION}.`, [{ field: 'If-Match', message: NO_REVISION }]);
  return Number(match[1]);
}

const NO_REVISION = 'must be the one revision that you read, as in If-Match: "3"';

function json(operation: Operation, request: Request, result: unknown): Response {
  const headers = new Headers({ 'Content-Type': 'application/json' });
  if (typeof result === 'object' && result !== null) {
    if ('revision' in result && typeof result.revision === 'number') headers.set('ETag', `"${result.revision}"`);
    const makes = !operation.path.includes('{'); // an action on a thing makes no new address
    if (operation.status === 201 && makes && 'id' in result && typeof result.id === 'string') {
      headers.set('Location', `${new URL(request.url).pathname.replace(/\/$/, '')}/${result.id}`);
    }
  }
  return new Response(JSON.stringify(result), { status: operation.status, headers });
}

function file({ name, type, bytes, body }: Download): Response {
  return new Response(body, { headers: { 'Content-Type': type, 'Content-Length': String(bytes), 'Content-Disposition': `attachment; filename="${name}"`, 'X-Content-Type-Options': 'nosniff' } });
}

function withHeaders(response: Response, extra: Headers): Response {
  extra.forEach((value, name) => response.headers.set(name, value));
  return response;
}

/** A built Next gives a route without parameters none at all, whatever its types say. */
function flat(params: Record<string, string | string[] | undefined> | undefined): Record<string, string> {
  const entries = Object.entries(params ?? {}).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  return Object.fromEntries(entries);
}

/** What an operator needs to find the fault. Query texts and parameters stay out: the innermost cause says what went wrong. */
function describe(error: unknown): Record<string, unknown> {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error)) return { error: typeof cause };
  const frames = cause.stack?.split('\n').filter((line) => line.startsWith('    at ')).slice(0, 8);
  return { error: cause.name, code: 'code' in cause ? String(cause.code) : undefined, reason: cause.message.slice(0, 300), frames };
}

function logToStderr({ level, message, ...details }: Record<string, unknown>): void {
  process.stderr.write(`ohm: ${new Date().toISOString()} ${String(level)}: ${String(message)} ${JSON.stringify(details)}\n`);
}
