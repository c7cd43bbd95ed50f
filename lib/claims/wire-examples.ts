import recorded from './wire-examples.json';

/**
 * One example of every way in which a call ends, as the client sees it. What is shown was recorded from the
 * running engine; wire-examples.db.test.ts asks it again and compares. `test` is that test's name.
 */
export interface WireExample {
  id: string;
  title: string;
  /** What the client can tell from it. */
  means: string;
  test: string;
  /** Sandbox scripts, first tier first. */
  tiers: string[];
  stream: boolean;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
  /** What to call instead of the example's own route. */
  model?: string;
  key?: 'bad';
  /** Budget of every tier, where the example is about time. */
  firstContentTimeoutMs?: number;
  /** The process is told to stop once this text has arrived. */
  drainAfter?: string;
}

export const WIRE_EXAMPLES = [
  {
    id: 'finished',
    title: 'Finished',
    means: 'A finish_reason, the usage, [DONE]. The answer is whole.',
    test: 'a stream that finishes has a finish_reason, usage and [DONE]',
    tiers: ['text:3'],
    stream: true,
  },
  {
    id: 'failed-over',
    title: 'Finished, after a failover',
    means: 'The first tier sent headers and a role frame and died. Nothing of it is here; the headers say that tier 2 served, after two upstream requests.',
    test: 'a stream that failed over shows nothing of the tier that failed',
    tiers: ['role,reset', 'text:3'],
    stream: true,
  },
  {
    id: 'truncated',
    title: 'Truncated',
    means: 'The status was already sent, so the last frame carries the error. No [DONE]: what came before is incomplete.',
    test: 'a stream that is cut after content ends with an error frame and without [DONE]',
    tiers: ['text:3,reset', 'text:20'],
    stream: true,
  },
  {
    id: 'truncated-by-error',
    title: 'Truncated by an error of the provider’s',
    means: 'The same, where the provider itself reported an error in mid-stream. Its class and status are in metadata.',
    test: 'an error object in mid-stream becomes the truncation frame with its class and status',
    tiers: ['text:2,error:429', 'text:20'],
    stream: true,
  },
  {
    id: 'malformed',
    title: 'Finished, with one frame lost',
    means: 'One frame was not JSON. It was dropped and counted in the last JSON frame before [DONE].',
    test: 'one malformed frame is dropped and counted before [DONE]',
    tiers: ['text:2,malformed'],
    stream: true,
  },
  {
    id: 'draining',
    title: 'Cut by a gateway that stops',
    means: 'The process was told to stop and its deadline passed. The same frame with the code gateway_draining.',
    test: 'a stream that outlives the drain ends with gateway_draining',
    tiers: ['text:3,stall'],
    stream: true,
    drainAfter: ' 3"',
  },
  {
    id: 'json',
    title: 'Finished, as JSON',
    means: 'One body, sent when the provider’s was read whole and parsed.',
    test: 'a JSON answer is sent whole',
    tiers: ['text:2,reset', 'text:3'],
    stream: false,
  },
  {
    id: 'rejected',
    title: 'Rejected: every tier failed',
    means: 'Nothing was streamed, so the status tells the truth. metadata.attempts lists what each tier did.',
    test: 'when every tier fails the client gets one JSON error with an honest status',
    tiers: ['status:501', 'html'],
    stream: true,
  },
  {
    id: 'rate-limited',
    title: 'Rejected: rate limited everywhere',
    means: 'Every visit ended in the same class, so its status is kept, with the soonest Retry-After.',
    test: 'when every tier is rate limited the client gets 429 and the soonest Retry-After',
    tiers: ['status:429,retry-after:30', 'status:429,retry-after:12'],
    stream: true,
  },
  {
    id: 'timed-out',
    title: 'Rejected: nobody answered in time',
    means: 'Headers and then silence past each tier’s budget.',
    test: 'when every tier is silent the client gets 504',
    tiers: ['headers,stall', 'role,stall'],
    stream: true,
    firstContentTimeoutMs: 250,
  },
  {
    id: 'callers-fault',
    title: 'Returned to the caller',
    means: 'The provider refused the request itself. It is not offered to another tier.',
    test: 'a fault of the caller’s is returned with the provider’s status and message',
    tiers: ['status:400,code:content_policy_violation', 'text:20'],
    stream: true,
  },
  {
    id: 'unknown-model',
    title: 'Refused: unknown model',
    means: 'No model is put in its place; the message names what the key may use.',
    test: 'an unknown model is refused with 404 and what the key may use',
    tiers: ['text:3'],
    stream: true,
    model: 'gpt-99',
  },
  {
    id: 'bad-key',
    title: 'Refused: bad key',
    means: 'Unknown, revoked, disabled and expired keys all read like this.',
    test: 'a bad key is refused with 401',
    tiers: ['text:3'],
    stream: true,
    key: 'bad',
  },
] as const satisfies readonly WireExample[];

export type WireExampleId = (typeof WIRE_EXAMPLES)[number]['id'];

/** The answer as recorded: status line, the headers that matter, the body. */
export const recordedAnswer = (id: WireExampleId): string => (recorded as Record<string, string>)[id] ?? '';
