/** A call that is refused: one JSON error with an honest status. */
export interface Rejection {
  rejected: true;
  status: number;
  error: {
    message: string;
    type: string;
    code: string;
    param: string | null;
    metadata?: Record<string, unknown>;
  };
  /** Seconds. */
  retryAfterS: number | null;
  /** False: clients must not retry by themselves (`x-should-retry: false`). */
  retry: boolean;
  /** Methods that the path takes, where the one that came is none of them. */
  allow?: string;
  /** The rest of the request is not waited for. */
  close?: boolean;
}

export function rejection(
  status: number,
  error: { message: string; type: string; code: string; param?: string | null; metadata?: Record<string, unknown> },
  options: { retryAfterS?: number | null; retry?: boolean } = {},
): Rejection {
  const { message, type, code, param = null, metadata } = error;
  return {
    rejected: true,
    status,
    error: { message, type, code, param, ...(metadata && { metadata }) },
    retryAfterS: options.retryAfterS ?? null,
    retry: options.retry ?? false,
  };
}

/** Errors that the gateway itself raises, before any tier is asked. */
export const REFUSALS = {
  badKey: () =>
    rejection(401, {
      type: 'invalid_request_error',
      code: 'invalid_api_key',
      message: 'No valid API key. Send `Authorization: Bearer ohm_sk_…` with a key that is neither revoked, disabled nor expired.',
    }),
  loop: () => rejection(508, { type: 'gateway_error', code: 'loop_detected', message: 'This request has already passed through this gateway (Via).' }),
  draining: () =>
    rejection(503, { type: 'gateway_error', code: 'gateway_draining', message: 'This gateway process is shutting down. Try again.' }, { retryAfterS: 1, retry: true }),
  unavailable: () =>
    rejection(503, { type: 'gateway_error', code: 'dependency_unavailable', message: 'The gateway cannot check keys or record calls right now. Nothing was sent to a provider.' }, { retryAfterS: 2, retry: true }),
  unbooked: () =>
    rejection(503, { type: 'gateway_error', code: 'dependency_unavailable', message: 'The answer is there, but the gateway cannot record the call right now. An answer without a record is not delivered as whole.' }, { retryAfterS: 2, retry: true }),
  busy: () =>
    rejection(503, { type: 'gateway_error', code: 'body_budget_exceeded', message: 'The gateway holds too many request bodies right now. Try again.' }, { retryAfterS: 1, retry: true }),
  shareFull: () =>
    rejection(503, { type: 'gateway_error', code: 'body_budget_exceeded', message: 'The gateway holds as many request bodies of this workspace as one workspace may have in it. Try again when some of them are answered.' }, { retryAfterS: 1, retry: true }),
  slowBody: (): Rejection => ({
    ...rejection(408, { type: 'invalid_request_error', code: 'request_timeout', message: 'The request body stopped coming, or came too slowly.' }, { retry: true }),
    close: true,
  }),
  tooLarge: (limit: number) =>
    rejection(413, { type: 'invalid_request_error', code: 'request_too_large', message: `The body is larger than ${limit} bytes.` }),
  encoded: () =>
    rejection(415, { type: 'invalid_request_error', code: 'unsupported_encoding', message: 'Send the body without Content-Encoding.' }),
  badHeader: (name: string, allowed: string) =>
    rejection(400, { type: 'invalid_request_error', code: 'invalid_header', message: `\`${name}\` must be ${allowed}.`, param: name }),
  rateLimited: (kind: 'requests' | 'tokens' | 'concurrent', limit: number, retryAfterS: number) =>
    rejection(429, { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: `More than ${limit} ${RATES[kind]}.` }, { retryAfterS, retry: true }),
  neverFits: (limit: number) =>
    rejection(429, { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: `The prompt alone is, by estimate, more than ${limit} tokens, which is all that may be used in a minute. It never fits: send a shorter one, or raise the limit.` }),
  budgetExceeded: (scope: 'key' | 'workspace', period: 'day' | 'month', resetsInS: number) =>
    rejection(402, { type: 'insufficient_quota', code: 'budget_exceeded', message: `The budget of this ${scope} for the ${period} (UTC) does not cover this call.`, metadata: { scope, period, resets_in_s: resetsInS } }),
  unpriced: () =>
    rejection(402, { type: 'insufficient_quota', code: 'unpriced_model', message: 'A budget applies, and no tier of this route has a known price. Give the model a price, or take the budget off.' }),
  noTiers: (route: string) =>
    rejection(503, { type: 'gateway_error', code: 'no_tiers', message: `The route \`${route}\` has no tier.` }),
  unknownModel: (model: string, allowed: string[]) =>
    rejection(404, {
      type: 'invalid_request_error',
      code: 'model_not_found',
      param: 'model',
      message: `This key cannot use \`${model.slice(0, 256)}\`${model === 'eco' ? ': none of its connections has a model that the catalog knows' : ''}. It can use: ${allowed.length > 0 ? allowed.map((name) => `\`${name}\``).join(', ') : 'nothing yet; give it a default route'}.`,
    }),
  internal: () => rejection(500, { type: 'gateway_error', code: 'internal_error', message: 'The gateway failed. The request id names the record.' }),
} as const;

const RATES = {
  requests: 'requests in a minute',
  tokens: 'tokens in a minute',
  concurrent: 'calls at the same time',
} as const;
