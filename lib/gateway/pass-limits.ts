import { estimateUsage } from '../metering';
import type { OpenCall } from './open-call';
import type { LimitVerdict, TierConfig } from './ports';
import { REFUSALS, type Rejection } from './rejection';

/** Answers longer than this are not expected where neither the request nor the catalog says how long one may be, tokens. */
const EXPECTED_OUTPUT = 4_096;

/**
 * Rates and budgets of the key and its workspace, before any tier is asked; the refusal when one is used up. Nothing
 * is asked, and nothing waited for, where neither has limits.
 */
export function passLimits(call: OpenCall): Rejection | null | Promise<Rejection | null> {
  const { key, workspace } = call.caller;
  if (key.limits === null && workspace.limits === null) return null;
  const prompt = call.estimate(null).usage.prompt_tokens ?? 0;
  const verdict = call.engine.limits.admit({
    callId: call.id,
    caller: call.caller,
    atMs: call.createdAt,
    estimatedTokens: prompt + (askedOutput(call) ?? 0),
    promptTokens: prompt,
    costs: () => call.route.tiers.flatMap((tier) => costsOf(call, tier, prompt)),
  });
  return given(call, verdict);
}

/** The same for an answer that costs nothing: it is a request like any other, and uses neither tokens nor money. */
export function passRates(call: OpenCall): Rejection | null | Promise<Rejection | null> {
  const { key, workspace } = call.caller;
  if (key.limits === null && workspace.limits === null) return null;
  return given(call, call.engine.limits.admit({ callId: call.id, caller: call.caller, atMs: call.createdAt, estimatedTokens: 0, promptTokens: 0, costs: null }));
}

function given(call: OpenCall, verdict: LimitVerdict | Promise<LimitVerdict>): Rejection | null | Promise<Rejection | null> {
  return verdict instanceof Promise ? verdict.then((each) => apply(call, each), () => REFUSALS.unavailable()) : apply(call, verdict);
}

function apply(call: OpenCall, verdict: LimitVerdict): Rejection | null {
  call.limitHeaders = verdict.headers;
  if (verdict.admitted) {
    call.coveredNanoUsd = verdict.coveredNanoUsd;
    call.endLimits = verdict.end;
    return null;
  }
  if (verdict.why === 'rate') return REFUSALS.rateLimited(verdict.kind, verdict.limit, verdict.retryAfterS);
  if (verdict.why === 'never_fits') return REFUSALS.neverFits(verdict.limit);
  return verdict.why === 'unpriced' ? REFUSALS.unpriced() : REFUSALS.budgetExceeded(verdict.scope, verdict.period, verdict.resetsInS);
}

/** May this tier be asked with the money that was set aside? */
export function isCovered(call: OpenCall, tier: TierConfig): boolean {
  if (call.coveredNanoUsd === null) return true;
  const cost = tierCost(call, tier, call.estimate(null).usage.prompt_tokens ?? 0);
  return cost !== null && cost <= call.coveredNanoUsd;
}

/** Without a known price no budget in money can be kept. */
export const isPriced = (call: OpenCall, tier: TierConfig): boolean => tierCost(call, tier, call.estimate(null).usage.prompt_tokens ?? 0) !== null;

/**
 * Notes on each of these calls of one caller what would be set aside for it, setting nothing aside. One question for
 * all: a tier is covered if it costs no more than is left, whichever others stand beside it.
 */
export async function lookAtBudget(calls: readonly OpenCall[]): Promise<void> {
  const [first] = calls;
  if (first === undefined || (first.caller.key.limits === null && first.caller.workspace.limits === null)) return;
  const costs = calls.flatMap((call) => call.route.tiers.flatMap((tier) => costsOf(call, tier, call.estimate(null).usage.prompt_tokens ?? 0)));
  const covered = await first.engine.limits.cover({ callId: first.id, caller: first.caller, atMs: first.createdAt }, costs);
  for (const call of calls) call.coveredNanoUsd = covered;
}

/** Of an eco tier those of its candidates: one without a known price is not asked, and none of them is one too few. */
function costsOf(call: OpenCall, tier: TierConfig, prompt: number): (number | null)[] {
  if (tier.eco === null) return [tierCost(call, tier, prompt)];
  const costs = tier.eco.map((candidate) => tierCost(call, candidate, prompt)).filter((cost) => cost !== null);
  return costs.length > 0 ? costs : [null];
}

/** What the call may cost there, integer nano-USD: its prompt by estimate, and the longest answer that it may get. */
function tierCost(call: OpenCall, tier: TierConfig, prompt: number): number | null {
  if (call.surface.operation === 'count_tokens') return 0; // providers count for nothing
  const { connection, model } = tier;
  const { prices } = call.engine;
  const output = askedOutput(call) ?? Math.min(prices.maxOutputTokens(connection.provider, model) ?? EXPECTED_OUTPUT, EXPECTED_OUTPUT) * choicesOf(call);
  const usage = { ...estimateUsage({ sentCharacters: 0, flushedCharacters: 0 }).usage, prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output };
  return prices.cost(connection, model, usage, call.createdAt)?.nanoUsd ?? null;
}

/** The longest answer that the request asks for, all its choices together, tokens; null when it does not say. */
function askedOutput(call: OpenCall): number | null {
  const { max_completion_tokens, max_tokens, max_output_tokens } = call.request.parsed;
  const asked = [max_completion_tokens, max_tokens, max_output_tokens].filter((value) => typeof value === 'number' && value > 0) as number[];
  return asked.length === 0 ? null : Math.min(Math.ceil(Math.max(...asked)), 10_000_000) * choicesOf(call); // more would be no sum that can be set aside
}

function choicesOf({ request: { parsed: { n } } }: OpenCall): number {
  return typeof n === 'number' && n > 1 ? Math.min(Math.ceil(n), 1_000) : 1;
}
