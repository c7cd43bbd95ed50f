import type { AdmittedRow, CallRow, CallState, UsageRow } from '../metering/call-row';
import { isoTime } from '../std';
import { completedUsage } from '../surfaces';
import { usageRow } from './attempt/attempt-row';
import type { AttemptPlan, AttemptResult } from './attempt/run-attempt';
import type { CallFacts } from './call-facts';
import { withChoices } from './eco-tier';
import type { OpenCall } from './open-call';
import { plainRow, rounded } from './plain-row';
import type { TierConfig } from './ports';
import type { Rejection } from './rejection';

/** What is known of a call before any tier is asked. */
export function admittedRow(call: OpenCall): AdmittedRow {
  return {
    id: call.id,
    workspace_id: call.caller.workspace.id,
    key_id: call.caller.key.id,
    created_at: isoTime(call.createdAt),
    route: call.routeLabel,
    requested_model: call.requestedModel,
    surface: call.surface.id,
    stream: call.stream,
    commit: call.complete ? 'complete' : 'first_content',
    request_bytes: call.requestBytes,
    tag: call.tag,
  };
}

/** The row of a call that a tier served, whole or cut, or that its client left after the commit. */
export function servedRow(call: OpenCall, state: CallState, result: AttemptResult | null, errorCode: string | null): CallRow {
  const row = closed(call, state, errorCode);
  const plan = call.committed;
  if (plan !== null) {
    row.tier = plan.tierNumber;
    row.connection_id = plan.tier.connection.id;
    row.provider = plan.tier.connection.provider;
    row.model = plan.tier.model;
    row.first_content_ms = firstContentMs(call);
  }
  if (result !== null) {
    row.model_reported = result.answer.identity?.model || null;
    row.malformed_events = result.malformedEvents;
    if (state === 'finished') row.finish_reason = result.answer.finishReason;
  }
  meter(call, result, plan?.tier ?? null, row);
  return row;
}

/**
 * The row of a call that its client left before any tier committed. No tier served it, so it names none; but its
 * provider was at work, and what it had been sent and had said by then is charged at the price of the tier that was
 * being asked, the last of the attempts.
 */
export function leftRow(call: OpenCall, abandoned: { plan: AttemptPlan; result: AttemptResult } | null): CallRow {
  const row = closed(call, 'aborted', null);
  meter(call, abandoned?.result ?? null, abandoned?.plan.tier ?? null, row);
  return row;
}

/** The row of a call that was refused: before any tier, or after every one failed. */
export function rejectedRow(call: CallFacts, refused: Rejection): CallRow {
  return closed(call, 'rejected', refused.error.code);
}

/** The row of a call whose body never arrived whole. */
export const unreadRow = (call: CallFacts): CallRow => closed(call, 'aborted', null);

/** `plainRow`, with what the call's eco tiers compared. */
function closed(call: CallFacts, state: CallState, errorCode: string | null): CallRow {
  const row = plainRow(call, state, errorCode);
  if (call.eco !== null) row.eco = withChoices(call.eco, call.attempts);
  return row;
}

function firstContentMs(call: OpenCall): number | null {
  const served = call.attempts.at(-1);
  return served?.first_content_ms == null ? null : rounded(served.started_ms + served.first_content_ms);
}

/** The provider's figures where it gave them, else the labelled estimate; null only when nothing was sent. */
function meter(call: OpenCall, result: AttemptResult | null, tier: TierConfig | null, row: CallRow): void {
  if (call.upstreamRequests === 0 || call.surface.operation === 'count_tokens') return; // a count uses no tokens and costs nothing
  const reported = result?.answer.usage ?? null;
  const { usage, estimated } = reported === null ? call.estimate(result?.answer ?? null) : completedUsage(usageRow(reported), () => call.estimate(result!.answer).usage);
  const cost = tier !== null ? call.engine.prices.cost(tier.connection, tier.model, usage, call.createdAt) : null;
  row.usage = usage;
  row.usage_source = estimated.length > 0 ? 'estimate' : 'provider';
  row.usage_estimated = estimated;
  row.cost_nano_usd = cost?.nanoUsd ?? null;
  row.price_version = cost?.version ?? null;
  if (cost === null && tier !== null && call.coveredNanoUsd !== null) row.budget_nano_usd = Math.max(call.coveredNanoUsd, costAtMost(call, tier, usage));
  if (tier !== null && call.saving !== null) row.prompt_cost_nano_usd = call.engine.prices.cost(tier.connection, tier.model, promptOf(usage), call.createdAt)?.nanoUsd ?? null;
}

const promptOf = (usage: UsageRow): UsageRow => ({ ...usage, completion_tokens: 0, reasoning_tokens: 0 });

/**
 * What a call may have cost at most whose figures give no cost, since they contradict each other or make a sum beyond
 * all counting: every token that they speak of at the plain rate. A hard budget was kept for it, so one is known.
 */
function costAtMost(call: OpenCall, { connection, model }: TierConfig, usage: UsageRow): number {
  const { prices } = call.engine;
  const of = (name: keyof UsageRow): number => usage[name] ?? 0;
  const plain = { ...promptOf(usage), prompt_tokens: Math.max(of('prompt_tokens'), of('cached_tokens') + of('cache_write_tokens')), completion_tokens: Math.max(of('completion_tokens'), of('reasoning_tokens')), cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
  const cost = prices.cost(connection, model, plain, call.createdAt);
  if (cost !== null) return cost.nanoUsd;
  const one = { ...plain, prompt_tokens: Math.min(plain.prompt_tokens, 1), completion_tokens: Math.min(plain.completion_tokens, 1) };
  return prices.cost(connection, model, one, call.createdAt) === null ? 0 : Number.MAX_SAFE_INTEGER; // no rate for such tokens; or too many of them
}
