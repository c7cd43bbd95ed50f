import type { AttemptRow } from '../metering/call-row';
import type { Failure } from '../wire';
import { isTimeout, POLICY } from './attempt/failure';
import { type Rejection, rejection } from './rejection';
import type { Unasked, WalkEnd } from './walk';

/** The one JSON error of a call that no tier served: an honest status, and what became of every tier. */
export function rejectWalk({ failures, returned, unasked }: Extract<WalkEnd, { type: 'rejected' }>, attempts: AttemptRow[]): Rejection {
  const metadata = { attempts: attempts.map(disclosed) };
  if (returned !== null) return returned.class === 'draining' ? draining(metadata) : callersFault(returned, metadata);
  const last = failures.at(-1);
  if (last === undefined) return nobodyAsked(unasked, metadata);
  const refused = allFailed(failures, last, metadata);
  // Whoever only waits for the others to recover would wait for less than there is.
  if (attempts.some(({ skip_reason }) => skip_reason === 'budget')) refused.error.message += ' Another one was not asked because what is left of the budget does not cover it.';
  return refused;
}

function allFailed(failures: Failure[], last: Failure, metadata: Record<string, unknown>): Rejection {
  if (failures.every((failure) => failure.class === last.class)) return fromPolicy(last.class, metadata, soonestRetry(failures));
  if (failures.every((failure) => isTimeout(failure.class))) return fromPolicy(last.class, metadata, null);
  const status = isTimeout(last.class) ? 504 : 502;
  return rejection(status, { type: 'upstream_error', code: 'all_tiers_failed', message: 'Every tier that was asked failed, for different reasons; `metadata.attempts` lists them.', metadata });
}

function nobodyAsked(why: Unasked, metadata: Record<string, unknown>): Rejection {
  if (why === 'deadline') return fromPolicy('deadline', metadata, null);
  if (why === 'budget')
    return rejection(402, { type: 'insufficient_quota', code: 'budget_exceeded', message: 'What is left of the budget covers no tier of this route that can serve this request.', metadata });
  const { message, param, code } = why;
  const status = code === 'unsupported_operation' ? 404 : 400;
  return rejection(status, { type: 'invalid_request_error', code, message: `No tier of this route can be asked for that. ${message}`, param, metadata });
}

function fromPolicy(cls: Failure['class'], metadata: Record<string, unknown>, retryAfterS: number | null): Rejection {
  const { status, code, type, message } = POLICY[cls].last;
  const limited = cls === 'rate_limited';
  return rejection(status, { type, code, message, metadata }, { retry: limited, retryAfterS: limited ? retryAfterS : null });
}

/** The caller's own fault goes back with the provider's status and sentence: it is not routed around. */
function callersFault(returned: Failure, metadata: Record<string, unknown>): Rejection {
  const { last } = POLICY[returned.class];
  const told = returned.upstreamError;
  const status = returned.upstreamStatus !== null && returned.upstreamStatus >= 400 && returned.upstreamStatus < 500 ? returned.upstreamStatus : last.status;
  return rejection(status, {
    message: told?.message ?? last.message,
    type: told?.type ?? last.type,
    code: told?.code ?? last.code,
    param: told?.param ?? null,
    metadata,
  });
}

const draining = (metadata: Record<string, unknown>): Rejection => {
  const { status, code, type, message } = POLICY.draining.last;
  return rejection(status, { type, code, message, metadata }, { retry: true, retryAfterS: 1 });
};

/** Seconds until the first tier may be asked again; 1 where no provider said, and no more than a day whatever one says. */
function soonestRetry(failures: Failure[]): number {
  const waits = failures.map((failure) => failure.retryAfterMs).filter((wait) => wait !== null);
  return waits.length === 0 ? 1 : Math.ceil(Math.min(...waits, DAY_MS) / 1000);
}

const DAY_MS = 86_400_000;

const disclosed = ({ tier, provider, model, class: cls, upstream_status, state, bytes, skip_reason }: AttemptRow) => ({
  tier,
  provider,
  model,
  class: cls,
  upstream_status,
  state,
  bytes,
  ...(skip_reason === null ? {} : { skip_reason }),
});
