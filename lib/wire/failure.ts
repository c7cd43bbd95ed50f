/** Why an upstream attempt failed. The adapter names the class; policy hangs on it (lib/gateway/attempt/failure.ts). */
export type FailureClass =
  | 'connect'
  | 'rate_limited'
  | 'quota'
  | 'auth'
  | 'not_found'
  | 'server_error'
  | 'overloaded'
  | 'timeout'
  | 'stalled'
  | 'cut'
  | 'malformed'
  | 'not_a_stream'
  | 'too_large'
  | 'context_length'
  | 'invalid_request'
  | 'content_policy'
  | 'deadline'
  | 'draining';

/** A failure is a value, never an exception. */
export interface Failure {
  class: FailureClass;
  /** HTTP status of the upstream answer, or the status an in-stream error object named; null when there was none. */
  upstreamStatus: number | null;
  /** For operators and the ledger: short, no credentials, at most 300 characters. */
  message: string;
  /** Delay that the upstream asked for (Retry-After, retry-after-ms), ms. */
  retryAfterMs: number | null;
  /** The upstream's own error members, credential-shaped parts removed; shown to the client only for the caller's faults. */
  upstreamError: { message: string; type: string | null; code: string | null; param: string | null } | null;
}

export function failure(cls: FailureClass, message: string, rest: Partial<Failure> = {}): Failure {
  return { class: cls, upstreamStatus: null, message, retryAfterMs: null, upstreamError: null, ...rest };
}
