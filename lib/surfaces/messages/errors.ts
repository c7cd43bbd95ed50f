import type { FailureClass } from '../../wire';
import type { ClientError } from '../surface';

/** The JSON body of a refused call, with the status that this API gives it. */
export function messagesRefusal(error: ClientError, status: number, requestId: string): { status: number; body: string } {
  const overloaded = status === 503 && OVERLOADS.has(error.code);
  const type = overloaded ? 'overloaded_error' : (BY_STATUS[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'));
  return { status: overloaded ? 529 : status, body: errorText(type, error, requestId) };
}

/** The data of the `error` event that ends a stream. */
export function truncationText(error: ClientError, requestId: string): string {
  const cls = error.metadata?.class as FailureClass | undefined;
  return errorText((cls && BY_CLASS[cls]) ?? 'api_error', error, requestId);
}

/** Clients read `type` and `message`; the rest stands beside them, so that nothing is lost that other surfaces tell. */
function errorText(type: string, { message, code, param, metadata }: ClientError, requestId: string): string {
  return JSON.stringify({
    type: 'error',
    error: { type, message, code, ...(param === null ? {} : { param }), ...(metadata && { metadata }) },
    request_id: requestId,
  });
}

/** 503s that mean "too much to do": this API has a status of its own for that. The others stay what they are. */
const OVERLOADS = new Set(['upstream_overloaded', 'body_budget_exceeded']);

const BY_STATUS: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
};

/** A failed credential is the gateway's own, so it is no `authentication_error` of the client's. */
const BY_CLASS: Partial<Record<FailureClass, string>> = {
  rate_limited: 'rate_limit_error',
  quota: 'rate_limit_error',
  overloaded: 'overloaded_error',
  timeout: 'timeout_error',
  stalled: 'timeout_error',
  deadline: 'timeout_error',
  not_found: 'not_found_error',
  too_large: 'request_too_large',
  context_length: 'invalid_request_error',
  invalid_request: 'invalid_request_error',
  content_policy: 'invalid_request_error',
};
