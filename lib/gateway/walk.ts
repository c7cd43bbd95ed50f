import type { SkipReason } from '../metering/call-row';
import { failure, type Failure, type Unrepresentable } from '../wire';
import { skippedRow } from './attempt/attempt-row';
import { POLICY, retryDelayMs } from './attempt/failure';
import { type AttemptPlan, type AttemptResult, runAttempt } from './attempt/run-attempt';
import type { OpenCall } from './open-call';
import { modelAsked } from './model-asked';
import { isCovered } from './pass-limits';
import { undoSavers } from './save-tokens';
import { type Place, placesOf } from './places';
import { planTier } from './plan-tier';

export type WalkEnd =
  /** A tier committed: the answer, whole or cut, or the client left during it. */
  | { type: 'served'; plan: AttemptPlan; result: AttemptResult }
  /** The client left before any tier committed. `abandoned`: an upstream was being asked just then. */
  | { type: 'left'; abandoned?: { plan: AttemptPlan; result: AttemptResult } | null }
  /**
   * No tier committed. `failures` has the last failure of every visit, in order; `returned` is a fault of the caller's
   * own; `unasked` says why nobody was asked, where nobody was.
   */
  | { type: 'rejected'; failures: Failure[]; returned: Failure | null; unasked: Unasked };

/** No time was left for a tier; or what is set aside covers none that could serve; or none can represent the request. */
export type Unasked = 'deadline' | 'budget' | Unrepresentable;

/** An attempt that has less than this of the route's deadline left does not start. */
const MIN_LEFT_MS = 1_000;

/**
 * First all places in order; then, once, those passed over as degraded: by then nobody healthy is left, whether the
 * healthy ones failed or could not serve this request.
 */
const PASSES = ['in_order', 'passed_over'] as const;

/**
 * Tries the tiers strictly in the owner's order until one commits, and in an eco tier the candidates by price. One
 * attempt at a time; a tier is left only while the client has received nothing; a fault of the caller's own is
 * returned, not routed around.
 */
export async function walk(call: OpenCall): Promise<WalkEnd> {
  const deadlineAt = call.startedAt + call.route.deadlineMs;
  const { health, clock } = call.engine;
  const places = placesOf(call);
  const askAnyway = places.every(({ tier, budgetMs, unable }) => unable !== null || !health.available(tier.connection, modelAsked(call, tier), budgetMs));
  const failures: Failure[] = [];
  let unrepresentable: Unrepresentable | null = null;
  let short: 'deadline' | 'budget' | null = null;
  const passedOver: Place[] = [];

  for (const pass of PASSES) {
    for (const place of pass === 'in_order' ? places : passedOver) {
      const { tier } = place;
      if (call.interrupted === 'client_left') return { type: 'left' };
      if (call.interrupted === 'drain') return { type: 'rejected', failures, returned: failure('draining', 'the gateway is shutting down'), unasked: 'deadline' };
      if (deadlineAt - clock.monotonic() < MIN_LEFT_MS) {
        short = 'deadline';
        skip(call, place, 'deadline');
        continue;
      }
      if (place.unable !== null) {
        unrepresentable ??= place.unable;
        skip(call, place, 'cannot_represent');
        continue;
      }
      if (!health.admit(tier.connection, modelAsked(call, tier), place.budgetMs) && !askAnyway && pass === 'in_order') {
        passedOver.push(place);
        skip(call, place, 'degraded');
        continue;
      }
      if (!isCovered(call, tier)) {
        health.abandoned(tier.connection, modelAsked(call, tier));
        short ??= 'budget';
        skip(call, place, 'budget');
        continue;
      }
      const planned = planTier(call, place, deadlineAt, FIRST);
      if ('param' in planned) {
        unrepresentable ??= planned;
        health.abandoned(tier.connection, modelAsked(call, tier));
        skip(call, place, 'cannot_represent');
        continue;
      }
      const { plan, result } = await visit(call, planned, place, deadlineAt);
      if (result.ending === 'aborted' && call.committed === null) return { type: 'left', abandoned: result.row.state === 'aborted' ? { plan, result } : null };
      if (result.ending !== 'failed') return { type: 'served', plan, result };
      failures.push(result.failure!);
      if (!POLICY[result.failure!.class].nextTier) return { type: 'rejected', failures, returned: result.failure, unasked: 'deadline' };
      if (call.firstTierOnly) return { type: 'rejected', failures, returned: null, unasked: 'deadline' }; // of an eco tier too: no other model
    }
  }
  return { type: 'rejected', failures, returned: null, unasked: short ?? unrepresentable ?? 'deadline' };
}

/** On the row once a tier: one that was passed over as degraded, and cannot be asked either, is skipped for the latter. */
function skip(call: OpenCall, { number, tier }: Place, reason: SkipReason): void {
  const before = call.attempts.find((row) => row.skip_reason === 'degraded' && row.tier === number && row.model === tier.model && row.connection === tier.connection.name);
  if (before !== undefined) before.skip_reason = reason;
  else call.attempts.push(skippedRow(number, tier, reason, call.engine.clock.monotonic() - call.startedAt));
}

const FIRST = { fresh: false, withoutStreamOptions: false };

/** One tier's attempt and its one retry; what came of it goes to the tier's health. */
async function visit(call: OpenCall, first: AttemptPlan, place: Place, deadlineAt: number): Promise<{ plan: AttemptPlan; result: AttemptResult }> {
  let withoutStreamOptions = false;
  let retried = false;
  let plan = first;
  for (;;) {
    call.upstreamRequests++;
    const result = await runAttempt(call, plan);
    call.attempts.push(result.row);
    if (result.ending !== 'failed') return verdict(call, plan, result);
    const why = result.failure!;
    if (!withoutStreamOptions && rejectsStreamOptions(call, why)) {
      withoutStreamOptions = true;
      plan = again(call, place, deadlineAt, retried, withoutStreamOptions);
      continue;
    }
    if (call.sent !== call.request && why.class === 'invalid_request') {
      undoSavers(call); // it may be what the savers made of it that is refused
      plan = again(call, place, deadlineAt, retried, withoutStreamOptions);
      continue;
    }
    const delayMs = retried ? null : retryDelayMs(why, result.moment, call.engine.random);
    if (delayMs === null || call.engine.clock.monotonic() + delayMs > deadlineAt - MIN_LEFT_MS) return verdict(call, plan, result);
    retried = true;
    plan = again(call, place, deadlineAt, retried, withoutStreamOptions);
    const interrupted = await wait(call, delayMs);
    if (interrupted === 'client_left') return verdict(call, plan, { ...result, ending: 'aborted' });
    if (interrupted === 'drain') return verdict(call, plan, { ...result, failure: { ...why, class: 'draining' } });
  }
}

/** The same tier, planned anew: what could be represented once can be again. */
function again(call: OpenCall, place: Place, deadlineAt: number, fresh: boolean, withoutStreamOptions: boolean): AttemptPlan {
  return planTier(call, place, deadlineAt, { fresh, withoutStreamOptions }) as AttemptPlan;
}

function verdict(call: OpenCall, plan: AttemptPlan, result: AttemptResult): { plan: AttemptPlan; result: AttemptResult } {
  const { connection } = plan.tier;
  const model = modelAsked(call, plan.tier);
  const why = result.failure;
  if (why !== null && POLICY[why.class].degrades) call.engine.health.failed(connection, model, why, plan.budgetMs);
  else if (result.ending !== 'finished') call.engine.health.abandoned(connection, model);
  return { plan, result };
}

/** The provider rejects what the gateway itself added: that 400 is not the caller's. */
function rejectsStreamOptions(call: OpenCall, why: Failure): boolean {
  if (!call.stream || why.class !== 'invalid_request') return false;
  if (call.request.parsed.stream_options !== undefined && call.request.parsed.stream_options !== null) return false;
  const said = `${why.upstreamError?.param ?? ''} ${why.upstreamError?.message ?? why.message}`;
  return said.includes('stream_options') || said.includes('include_usage');
}

/** Sleeps, unless the client leaves or the process must go. */
function wait(call: OpenCall, ms: number): Promise<OpenCall['interrupted']> {
  return new Promise((resolve) => {
    if (call.interrupted !== null) return resolve(call.interrupted);
    const timer = setTimeout(() => done(null), ms);
    const done = (why: OpenCall['interrupted']) => {
      clearTimeout(timer);
      call.current = null;
      resolve(why);
    };
    call.current = { interrupt: done, resume: () => undefined };
  });
}
