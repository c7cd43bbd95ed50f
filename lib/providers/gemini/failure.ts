import type { Failure, FailureClass } from '../../wire';
import { errorInside as anyErrorInside, refusal as anyRefusal } from '../openai/failure';

/** An HTTP answer other than 2xx. The body is google.rpc.Status, or a list with one in it. */
export function refusal(status: number, headers: Record<string, string | string[] | undefined>, body: string): Failure {
  return inOurWords(anyRefusal(status, headers, body));
}

/** The same object inside a 200. */
export const errorInside = (value: unknown): Failure => inOurWords(anyErrorInside(value));

/**
 * An error that was cut off before it was whole: its class by what had come. `text` begins with a brace.
 */
export function errorCutOff(text: string): Failure {
  const status = /"status"\s*:\s*"([A-Z_]+)"/.exec(text)?.[1];
  const code = /"code"\s*:\s*(\d{3})\b/.exec(text)?.[1];
  return errorInside({ error: { message: 'an error that was itself cut off', status, code: code === undefined ? undefined : Number(code) } });
}

/** Google's own names go first where they say more than the status; a fault of the caller's is told in OpenAI's words. */
function inOurWords(read: Failure): Failure {
  const told = read.upstreamError;
  const cls = told === null ? read.class : (classOf(told.type ?? '', told.message) ?? read.class);
  const callers = cls === 'invalid_request' || cls === 'content_policy';
  const upstreamError = told === null || !callers ? told : { ...told, type: 'invalid_request_error', code: told.type ?? told.code };
  return { ...read, class: cls, retryAfterMs: cls === 'quota' ? null : read.retryAfterMs, upstreamError };
}

function classOf(name: string, message: string): FailureClass | null {
  if (/credits? (?:are|is|have been) (?:depleted|exhausted)|spend(?:ing)? (?:cap|limit)/i.test(message)) return 'quota';
  return Object.hasOwn(BY_NAME, name) ? BY_NAME[name]! : null;
}

/** google.rpc.Code, where the HTTP status alone would be read otherwise. */
const BY_NAME: Record<string, FailureClass> = {
  FAILED_PRECONDITION: 'auth', // a 400: the region or the billing of the account, nothing that the caller wrote
  PERMISSION_DENIED: 'auth',
  UNAUTHENTICATED: 'auth',
  RESOURCE_EXHAUSTED: 'rate_limited',
  UNAVAILABLE: 'overloaded',
  DEADLINE_EXCEEDED: 'timeout',
  INTERNAL: 'server_error',
  CANCELLED: 'server_error',
  ABORTED: 'server_error',
  UNKNOWN: 'server_error',
};
