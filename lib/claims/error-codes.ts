import { POLICY } from '../gateway/attempt/failure';
import { PROBLEMS } from '../management/problem';

/** One error code, for the page that has an anchor for each. */
export interface ErrorCode {
  code: string;
  /** Usual status; null where the code stands inside a stream whose status was already sent. */
  status: number | null;
  where: 'data plane' | 'in a stream' | 'management API';
  /** What happened and what it means for the call. */
  meaning: string;
  /** What to do. */
  remedy: string;
}

const KEY = 'Check the key in the dashboard; issue another if it was revoked or has expired.';
const LATER = 'Wait for Retry-After and send it again.';
const ATTEMPTS = 'Look at error.metadata.attempts, or at the call in the dashboard, for what each tier did. Sending it again at once does what the gateway already did.';

/** Codes of the data plane, `/v1/*`. A test compares the list with the engine's own code. */
const DATA_PLANE: readonly Omit<ErrorCode, 'where'>[] = [
  { code: 'invalid_api_key', status: 401, meaning: 'The key is unknown, mistyped, disabled, revoked or expired. All of these read the same.', remedy: KEY },
  { code: 'model_not_found', status: 404, meaning: 'The key may not use a model of that name, or every tier of the route says that it does not know its model. Nothing is put in its place.', remedy: 'Use a name that the message or GET /v1/models lists, or correct the tiers of the route.' },
  { code: 'invalid_json', status: 400, meaning: 'The body is not JSON, or not UTF-8.', remedy: 'Correct the body; error.message says which of them it is.' },
  { code: 'invalid_request', status: 400, meaning: 'The body is JSON that cannot be taken: no object, nested too deeply, of too many values, or with a key such as `__proto__`; or a member has a wrong type, is missing, or stands twice at the top although the gateway reads it: error.param names it. What it does not read itself, such as a member inside a message, passes as it came. Also a provider’s refusal of the request that has no code of its own.', remedy: 'Correct the member that error.param names; where it is null, what error.message says.' },
  { code: 'unsupported_parameter', status: 400, meaning: 'No tier of the route has a word for the member that error.param names, and without it the answer would be another one.', remedy: 'Leave the member out, or add a tier whose provider knows it.' },
  { code: 'unsupported_value', status: 400, meaning: 'The tiers of the route know the member that error.param names, but none of them can be asked for this value.', remedy: 'Change the value, or add a tier whose provider knows it.' },
  { code: 'unsupported_operation', status: 404, meaning: 'No tier of the route has what was asked for, such as counting tokens, or embeddings where all of them are the sandbox.', remedy: 'Add a tier whose provider has it.' },
  { code: 'invalid_header', status: 400, meaning: 'A request header of the gateway’s has a value that it does not know.', remedy: 'Send one of the values that the message names, or leave the header out.' },
  { code: 'unsupported_encoding', status: 415, meaning: 'The body came with Content-Encoding.', remedy: 'Send it plain.' },
  { code: 'request_too_large', status: 413, meaning: 'The body is larger than the gateway takes, or than every tier takes.', remedy: 'Send less.' },
  { code: 'malformed_request', status: 400, meaning: 'What came is no well-formed HTTP/1.1 request, or it names no host. The connection is closed.', remedy: 'Correct the client: lengths, framing, Host.' },
  { code: 'headers_too_large', status: 431, meaning: 'The headers are larger than 16 KiB together.', remedy: 'Send less in headers.' },
  { code: 'unsupported_expectation', status: 417, meaning: 'The Expect header asks for something other than 100-continue.', remedy: 'Leave Expect out.' },
  { code: 'unknown_url', status: 404, meaning: 'There is nothing at this path.', remedy: 'The base URL ends in /v1; for clients that add /v1 by themselves, as Anthropic’s library does, it must not.' },
  { code: 'method_not_allowed', status: 405, meaning: 'The path exists; the method does not.', remedy: 'Use the method that the message names.' },
  { code: 'no_tiers', status: 503, meaning: 'The route has no tier.', remedy: 'Add a tier to the route.' },
  { code: 'rate_limit_exceeded', status: 429, meaning: 'The key or its workspace is over its requests or tokens a minute, or has as many calls open as it may. Without `Retry-After`: the prompt alone is, by estimate, more than all tokens of a minute.', remedy: 'Wait for `Retry-After`; where there is none, shorten the prompt or raise the limit. `RateLimit` and `x-ratelimit-*` tell what is left.' },
  { code: 'budget_exceeded', status: 402, meaning: 'What is left of a budget, of the key or of its workspace, covers no tier of the route that can serve the request. No provider was asked.', remedy: 'Raise the budget, or wait for the new day or month of UTC: `metadata.resets_in_s` tells when it begins, where the budget covers no tier at all.' },
  { code: 'unpriced_model', status: 402, meaning: 'A budget applies and no tier of the route has a known price, so it could not be kept. No provider was asked.', remedy: 'Give the model a price, or take the budget off.' },
  { code: 'body_budget_exceeded', status: 503, meaning: 'The process holds as many request bodies as it may, or as many of this workspace’s: a workspace may have no more than is left for all others. Bodies of up to 256 KiB have a part of their own. error.message says which.', remedy: LATER },
  { code: 'request_timeout', status: 408, meaning: 'The request did not arrive: for 20 s nothing of its body came, or after that less than 8 KiB a second, or the whole took longer than 5 minutes. The connection is closed.', remedy: 'Send it again, in one piece.' },
  { code: 'dependency_unavailable', status: 503, meaning: 'Keys cannot be checked, or neither journal nor database can take the call’s record. error.message says whether a provider was asked.', remedy: LATER },
  { code: 'no_control_plane', status: 503, meaning: 'An edge in front of the gateway reached none of its control planes, or the one that had the call broke off before it answered and no other could be asked.', remedy: LATER },
  { code: 'gateway_draining', status: 503, meaning: 'This process is shutting down. Before the first byte it is a 503; in a stream it is the last frame.', remedy: LATER },
  { code: 'loop_detected', status: 508, meaning: 'The request has been through this gateway already: a tier points back at it.', remedy: 'Correct the base URL of the connection.' },
  { code: 'internal_error', status: 500, meaning: 'The gateway itself failed.', remedy: 'Report X-Ohm-Request-Id.' },
  { code: 'all_tiers_failed', status: 502, meaning: 'Every tier failed, for different reasons. The status is 504 when the last of them was a time-out.', remedy: ATTEMPTS },
  ...Object.entries(POLICY)
    .filter(([cls]) => !['invalid_request', 'not_found', 'too_large', 'draining'].includes(cls))
    .map(([, policy]) => ({ code: policy.last.code, status: policy.last.status, meaning: policy.last.message, remedy: policy.nextTier ? ATTEMPTS : 'Change the request: it is not offered to another provider.' })),
];

const IN_STREAM: readonly Omit<ErrorCode, 'where'>[] = [
  {
    code: 'stream_truncated',
    status: null,
    meaning: 'The provider failed after content had reached the client. The stream ends with this frame and without [DONE]; what came before it is incomplete.',
    remedy: 'Treat the answer as incomplete. Send the request again if it is safe to do so; error.metadata says how many bytes you have and why it was cut.',
  },
];

/** `satisfies` makes a new problem of the management API an error here until it has its sentence. */
const MANAGEMENT = {
  invalid: ['A member of the body is wrong, missing or unknown. errors[] names each.', 'Correct the members that errors[] names.'],
  not_available_yet: ['The feature does not exist in this version. It is refused rather than accepted and ignored.', 'Leave the member out, or send its neutral value.'],
  not_found: ['There is no such thing in this workspace.', 'Check the id. What belongs to another workspace reads the same.'],
  forbidden: ['The role of the key or the member is too low.', 'Ask an admin or owner of the workspace.'],
  unauthenticated: ['No session and no valid management key.', 'Send Authorization: Bearer ohm_mk_…, or sign in.'],
  stale: ['Somebody edited it since it was read.', 'Read it again and send the revision in If-Match.'],
  conflict: ['The name is taken, or the thing is in use.', 'Choose another name, or remove what uses it.'],
  precondition_required: ['An edit came without If-Match.', 'Send the revision that you read in If-Match.'],
  rate_limited: ['Too many requests with this key, or tests in this workspace.', LATER],
  budget_exceeded: ['A test of a connection or a route would cost money, and a hard budget of the workspace is used up.', 'Raise the budget, or wait until it begins anew.'],
  too_large: ['The body is larger than 1 MiB or so.', 'Send less.'],
  unavailable: ['The database cannot answer. Nothing was changed.', LATER],
  malformed_body: ['The body is not JSON, or names a member twice; detail says which.', 'Correct it.'],
  unsupported_media_type: ['The body is not application/json.', 'Send Content-Type: application/json.'],
  method_not_allowed: ['The path exists; the method does not.', 'Use a method that Allow names.'],
  cross_site: ['A page of another site tried to act with your session.', 'Act from the dashboard, or use a management key.'],
  internal: ['The gateway itself failed.', 'Report request_id.'],
} satisfies Record<keyof typeof PROBLEMS, [meaning: string, remedy: string]>;

/** Every code once, in each place where it occurs. */
export const ERROR_CODES: readonly ErrorCode[] = [
  ...unique(DATA_PLANE).map((entry) => ({ ...entry, where: 'data plane' as const })),
  ...IN_STREAM.map((entry) => ({ ...entry, where: 'in a stream' as const })),
  ...Object.entries(MANAGEMENT).map(([code, [meaning, remedy]]) => ({ code, status: PROBLEMS[code as keyof typeof PROBLEMS].status as number, where: 'management API' as const, meaning, remedy })),
];

/** Several classes of failure may end in one code: their sentences are told together. */
function unique(entries: readonly Omit<ErrorCode, 'where'>[]): Omit<ErrorCode, 'where'>[] {
  const byCode = new Map<string, Omit<ErrorCode, 'where'>>();
  for (const entry of entries) {
    const seen = byCode.get(entry.code);
    if (seen === undefined) byCode.set(entry.code, entry);
    else if (!seen.meaning.includes(entry.meaning)) byCode.set(entry.code, { ...seen, meaning: `${seen.meaning} Or: ${entry.meaning.charAt(0).toLowerCase()}${entry.meaning.slice(1)}` });
  }
  return [...byCode.values()];
}
