import type { EcoCandidateRow, EcoRow, UsageRow } from '../metering/call-row';
import { modelFacts } from '../providers/catalog';
import { abilitiesNeeded, compareOffers, type EcoLeftOut, type EcoNeed, type EcoOffer } from '../routing';
import { type Unrepresentable, unsupportedValue } from '../wire';
import type { OpenCall } from './open-call';
import type { TierConfig } from './ports';

/** The answer that prices are compared for where the request does not say how long one may be, tokens. */
export const ECO_ANSWER_TOKENS = 1_024;

/** Candidates that the ledger lists; the name `eco` may have more. */
const MOST_LISTED = 40;

/**
 * The candidates of an eco tier that can serve this request, cheapest first by the price of its own tokens, and why
 * none can. What was compared goes on the call's record.
 */
export function ecoCandidates(call: OpenCall, candidates: readonly TierConfig[], number: number): { able: TierConfig[]; unable: Unrepresentable | null } {
  const { prices } = call.engine;
  const need = needOf(call);
  const usage = usageFor(call, need);
  const costs = candidates.map(({ connection, model }) => prices.cost(connection, model, usage, call.createdAt));
  const offers = candidates.map(({ connection, model }, at): EcoOffer => ({ facts: modelFacts(connection.provider, model), costNanoUsd: costs[at]?.nanoUsd ?? null }));
  const { order, leftOut } = compareOffers(need, offers);
  const listed = [...order, ...leftOut.flatMap((why, at) => (why === null ? [] : [at]))];
  const rowOf = (at: number): EcoCandidateRow => ({
    connection: candidates[at]!.connection.name,
    model: candidates[at]!.model,
    cost_nano_usd: offers[at]!.costNanoUsd,
    price_version: costs[at]?.version ?? null,
    left_out: leftOut[at] ?? null,
  });
  (call.eco ??= []).push({
    tier: number,
    prompt_tokens: need.promptTokens,
    completion_tokens: usage.completion_tokens!,
    completion_source: need.answerLimit === null ? 'default' : 'request',
    candidates: listed.slice(0, MOST_LISTED).map(rowOf),
    not_listed: Math.max(0, listed.length - MOST_LISTED),
    chosen: null,
  });
  return { able: order.map((at) => candidates[at]!), unable: order.length > 0 ? null : noneAble(call, leftOut) };
}

/** Which candidate each comparison came down to: the first that was asked. */
export function withChoices(rows: readonly EcoRow[], attempts: OpenCall['attempts']): EcoRow[] {
  return rows.map((row) => {
    const asked = attempts.find(({ tier, state }) => tier === row.tier && state !== 'skipped');
    return { ...row, chosen: asked === undefined ? null : { connection: asked.connection, model: asked.model } };
  });
}

function needOf(call: OpenCall): EcoNeed {
  const { request, surface } = call;
  const chat = surface.operation !== 'embeddings';
  const canonical = chat ? request.canonical() : null;
  return {
    promptTokens: call.estimate(null).usage.prompt_tokens ?? 0,
    answerLimit: answerLimit(request.parsed),
    abilities: canonical?.ok ? abilitiesNeeded(canonical.chat.body, request.asksForReasoning) : [],
    chat,
  };
}

function usageFor(call: OpenCall, { promptTokens, answerLimit: limit }: EcoNeed): UsageRow {
  const { n } = call.request.parsed;
  const completion = (limit ?? ECO_ANSWER_TOKENS) * (typeof n === 'number' && Number.isSafeInteger(n) && n > 1 ? n : 1);
  return { prompt_tokens: promptTokens, completion_tokens: completion, total_tokens: promptTokens + completion, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
}

/** By whichever member the client's dialect has for it. */
function answerLimit({ max_completion_tokens, max_tokens, max_output_tokens }: Readonly<Record<string, unknown>>): number | null {
  const said = [max_completion_tokens, max_tokens, max_output_tokens].find((value) => typeof value === 'number' && Number.isSafeInteger(value) && value > 0);
  return (said as number | undefined) ?? null;
}

/** One member to name: the first reason that is not about money. */
function noneAble(call: OpenCall, leftOut: readonly (EcoLeftOut | null)[]): Unrepresentable {
  const why = leftOut.find((reason) => reason !== 'unpriced') ?? 'unpriced';
  const { param, message } = REASONS[why];
  return unsupportedValue(call.surface.names[param] ?? param, message);
}

const REASONS: Record<EcoLeftOut, { param: string; message: string }> = {
  unpriced: { param: 'model', message: 'No candidate of its eco tier has a known price, so none is the cheapest.' },
  operation: { param: 'model', message: 'No candidate of its eco tier does anything but chat.' },
  context_length: { param: 'messages', message: 'The request does not fit into the context of any candidate of its eco tier.' },
  max_output: { param: 'max_completion_tokens', message: 'No candidate of its eco tier gives answers that long.' },
  tools: { param: 'tools', message: 'No candidate of its eco tier takes tools.' },
  images: { param: 'messages', message: 'No candidate of its eco tier takes images.' },
  pdf: { param: 'messages', message: 'No candidate of its eco tier takes documents.' },
  audio: { param: 'messages', message: 'No candidate of its eco tier takes or gives audio.' },
  json_schema: { param: 'response_format', message: 'No candidate of its eco tier answers by a JSON schema.' },
  reasoning: { param: 'reasoning_effort', message: 'No candidate of its eco tier reasons.' },
};
