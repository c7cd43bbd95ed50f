import { failure, type Failure } from '../../wire';
import { errorInside } from '../openai/failure';

/** An error event: nested under `error` as the wire has it, or flat as the schema says. */
export function errorEvent(value: Record<string, unknown>): Failure {
  if (value.error) return callersFault(errorInside(value));
  const { message, code, param } = value;
  return callersFault(errorInside({ error: { message, code, param } }));
}

/** A Response that failed. Its `error` is `{code, message}`, or null where a relay left it out. */
export function failedResponse(response: Record<string, unknown>): Failure {
  if (response.error) return callersFault(errorInside({ error: response.error }));
  return failure('server_error', `the response ended as ${JSON.stringify(response.status)?.slice(0, 40)} without an error`);
}

/** This API's names for input that no provider would take: without a status they would pass for a server's fault. */
function callersFault(read: Failure): Failure {
  if (read.class === 'server_error' && read.upstreamStatus === null && CALLERS.test(read.upstreamError?.code ?? '')) read.class = 'invalid_request';
  return read;
}

const CALLERS = /^(?:invalid_(?:image|base64|prompt|request|value|file)|image_(?:too_|parse|file_)|unsupported_|empty_image|failed_to_download_image)/;
