import { isRefusal, type Issue, type RefusalCode } from '../std';
import type { ProblemBody } from './schemas/problem';

/** Errors that only a door has: the request never became a question to a verb. */
export type DoorCode = 'malformed_body' | 'unsupported_media_type' | 'method_not_allowed' | 'internal' | 'cross_site';
export type ProblemCode = RefusalCode | DoorCode;

/** Thrown on the way in. Not thrown by verbs: they refuse with a Refusal. */
export class DoorError extends Error {
  override readonly name = 'DoorError';
  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

export const PROBLEMS = {
  invalid: { status: 422, title: 'A member is wrong' },
  not_available_yet: { status: 422, title: 'Not available yet' },
  not_found: { status: 404, title: 'Not found' },
  forbidden: { status: 403, title: 'Not allowed' },
  unauthenticated: { status: 401, title: 'Sign in or send a management key' },
  stale: { status: 409, title: 'Edited in the meantime' },
  conflict: { status: 409, title: 'Conflict' },
  precondition_required: { status: 428, title: 'If-Match is required' },
  rate_limited: { status: 429, title: 'Too many requests' },
  budget_exceeded: { status: 402, title: 'A budget is used up' },
  too_large: { status: 413, title: 'Too large' },
  unavailable: { status: 503, title: 'Unavailable for the moment' },
  malformed_body: { status: 400, title: 'Not readable' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  cross_site: { status: 403, title: 'Cross-site request' },
  internal: { status: 500, title: 'Internal error' },
} as const satisfies Record<ProblemCode, { status: number; title: string }>;

export interface Problem {
  body: ProblemBody;
  headers: Record<string, string>;
  /** True when the error is ours: the door logs what it was. */
  unexpected: boolean;
}

/** Any thrown value as problem+json. What is not the caller's to mend says nothing of its cause. */
export function problemOf(error: unknown, request: { path: string; requestId: string }): Problem {
  const known = translate(error);
  const { status, title } = PROBLEMS[known.code];
  return {
    body: {
      type: `/docs/errors#${known.code}`,
      title,
      status,
      code: known.code,
      detail: known.detail,
      instance: request.path,
      request_id: request.requestId,
      errors: known.issues,
    },
    headers: known.headers,
    unexpected: known.code === 'internal',
  };
}

interface Known {
  code: ProblemCode;
  detail: string;
  issues: Issue[];
  headers: Record<string, string>;
}

function translate(error: unknown): Known {
  if (isRefusal(error)) {
    const headers: Record<string, string> = {};
    const retryAfterS = error.retryAfterS ?? (error.code === 'unavailable' ? 5 : null);
    if (retryAfterS !== null) headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterS)));
    if (error.code === 'unauthenticated') headers['WWW-Authenticate'] = 'Bearer realm="ohm"';
    return { code: error.code, detail: error.message, issues: error.issues, headers };
  }
  if (isDoorError(error)) return { code: error.code, detail: error.message, issues: [], headers: error.headers };
  if (isDatabaseOutage(error)) {
    return { code: 'unavailable', detail: 'The database cannot answer now. Try again shortly.', issues: [], headers: { 'Retry-After': '5' } };
  }
  return { code: 'internal', detail: 'Something went wrong on our side. Quote request_id when you report it.', issues: [], headers: {} };
}

function isDoorError(error: unknown): error is DoorError {
  return error instanceof Error && error.name === 'DoorError';
}

/** Codes of postgres.js, of sockets, and the SQLSTATE classes that mean that the server cannot serve now. */
const OUTAGE_CODES = new Set([
  'dependency_unavailable', 'CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED',
  'CONNECTION_CONNECT_TIMEOUT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH',
]);

/** An outage anywhere in the chain of causes: drizzle wraps what postgres.js throws. */
export function isDatabaseOutage(error: unknown): boolean {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const code = 'code' in cause ? String(cause.code) : '';
    // 08 connection, 53 resources, 57 operator intervention (shutdown, statement timeout), 55P03 lock timeout
    if (OUTAGE_CODES.has(code) || /^(?:08|53|57)\w{3}$/.test(code) || code === '55P03' || code === '25006') return true;
  }
  return false;
}
