import { type ArmRow, savings, type Ledger, type QualitySums, type SaverSums, type SavingsSums } from '../metering';
import { type ArmSums, estimateSavings, MAX_HALF_WIDTH, MIN_CALLS, saverById, type SavingsEstimate, type Stratum } from '../savers';
import { keyId, keyNames, type Actor, type Tenancy } from '../tenancy';
import { tokenizerView } from './call-view';
import type { SavingsQuery, SavingsView } from './schemas';

type Row = SavingsView['data'][number];
type Comparison = Row['comparison'];

/** Told apart at the most. */
const MOST_ROWS = 200;

const METHOD =
  'For each key and model, conversations fall into an arm by chance. In each arm: what the provider billed for each token received (ratio estimator). Saved is the difference of the two ratios times the tokens that the treated calls received. ' +
  'The 95 % interval is clustered by conversation (cluster-robust variance CR3, the delete-one-conversation jackknife; t quantile with Satterthwaite’s degrees of freedom over the effective number of conversations). Rows are added; those without two conversations in each arm are left out of the comparison.';

/** Answers a savings query: the ledger's sums, compared and named. */
export async function savingsView(services: { tenancy: Tenancy; ledger: Ledger }, actor: Actor, query: SavingsQuery, nowMs: number): Promise<SavingsView> {
  const { tenancy, ledger } = services;
  const to = new Date(query.to ?? nowMs).toISOString();
  const from = new Date(query.from ?? Date.parse(to) - 30 * 86_400_000).toISOString();
  const key = query.key === undefined ? undefined : await keyId(tenancy, actor, query.key);
  const found = await savings(ledger, actor.workspaceId, { from, to, ...(key === undefined ? {} : { key }), ...(query.model === undefined ? {} : { model: query.model }) });
  const shown = found.rows.slice(0, MOST_ROWS);
  const names = await keyNames(tenancy, actor, [...new Set(shown.map((row) => row.keyId))]);
  return {
    from,
    to,
    method: METHOD,
    data: shown.map((row) => rowView(row, { name: names.get(row.keyId)?.name ?? null, arms: ofRow(row, found.arms), savers: ofRow(row, found.savers), quality: ofRow(row, found.quality) })),
    left_out: found.rows.length - shown.length,
    total: sumsView(found.total, compare(strataOf(found.arms)), found.totalSavers),
    replay: {
      calls: found.replay.calls,
      prompt_tokens: found.replay.promptTokens,
      completion_tokens: found.replay.completionTokens,
      cost_nano_usd: found.replay.avoidedNanoUsd,
      unpriced_calls: found.replay.unpriced,
    },
  };
}

type Place = Pick<SavingsSums, 'keyId' | 'provider' | 'model'>;

const ofRow = <T extends Place>(row: Place, list: readonly T[]): T[] => list.filter((each) => each.keyId === row.keyId && each.provider === row.provider && each.model === row.model);

function rowView(row: SavingsSums, parts: { name: string | null; arms: ArmRow[]; savers: SaverSums[]; quality: QualitySums[] }): Row {
  const { calibration } = row;
  return {
    key: { id: row.keyId, name: parts.name },
    provider: row.provider,
    model: row.model,
    ...sumsView(row, compare(strataOf(parts.arms)), parts.savers),
    tokenizers: row.tokenizers.map((name) => tokenizerView(name)!),
    calibration: calibration === null ? null : { calls: calibration.calls, billed_per_counted: calibration.billed / calibration.counted, per_call: calibration.perCall },
    quality: { treated: qualityView(parts.quality, 'treated'), holdout: qualityView(parts.quality, 'holdout') },
  };
}

function sumsView(row: SavingsSums, comparison: Comparison, savers: SaverSums[]): SavingsView['total'] {
  const { tokensReceived: received, tokensSent: sent } = row;
  return {
    calls: row.calls,
    rewritten_calls: row.rewrittenCalls,
    measured_calls: row.measuredCalls,
    tokens_received: received,
    tokens_sent: sent,
    tokens_saved: received === null || sent === null ? null : received - sent,
    tokens_saved_per_call: row.savedPerCall,
    longer_calls: row.longerCalls,
    comparison,
    savers: savers.map(({ saver, calls, texts, bytesSaved, tokensSaved, savedPerCall, undone }) => ({
      saver,
      lossless: saverById(saver).lossless,
      calls,
      texts,
      bytes_saved: bytesSaved,
      tokens_saved: tokensSaved,
      tokens_saved_per_call: savedPerCall,
      undone,
    })),
  };
}

interface Arms extends Place {
  treated: ArmRow | null;
  holdout: ArmRow | null;
}

function strataOf(arms: readonly ArmRow[]): Arms[] {
  const strata = new Map<string, Arms>();
  for (const row of arms) {
    const name = JSON.stringify([row.keyId, row.provider, row.model]);
    const stratum = strata.get(name) ?? { keyId: row.keyId, provider: row.provider, model: row.model, treated: null, holdout: null };
    stratum[row.arm] = row;
    strata.set(name, stratum);
  }
  return [...strata.values()];
}

function compare(strata: readonly Arms[]): Comparison {
  const both = strata.filter((each): each is Arms & { treated: ArmRow; holdout: ArmRow } => each.treated !== null && each.holdout !== null);
  const tokens = estimateSavings(both.map(({ treated, holdout }): Stratum => ({ treated: treated.tokens, holdout: holdout.tokens })));
  const money = estimateSavings(both.map(({ treated, holdout }): Stratum => ({ treated: treated.money, holdout: holdout.money })));
  const rows = (arm: 'treated' | 'holdout') => strata.flatMap((each) => each[arm] ?? []);
  return {
    status: tokens === null ? 'not_measured' : tokens.measured ? 'measured' : 'estimate_only',
    reason: shortfall(tokens),
    treated: armView(rows('treated')),
    holdout: armView(rows('holdout')),
    tokens: amountView(tokens),
    money: amountView(money),
  };
}

/** What a comparison is short of. */
function shortfall(tokens: SavingsEstimate | null): string | null {
  if (tokens === null) return 'There are fewer than two conversations in one of the arms.';
  if (tokens.measured) return null;
  if (tokens.treatedCalls < MIN_CALLS || tokens.holdoutCalls < MIN_CALLS) return `There are ${tokens.treatedCalls} treated calls and ${tokens.holdoutCalls} of the hold-out: ${MIN_CALLS} of each are needed.`;
  return `The interval is wider than ${MAX_HALF_WIDTH * 100} % of the baseline to each side.`;
}

function armView(rows: readonly ArmRow[]): Comparison['treated'] {
  const sum = (of: (row: ArmRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const money = (of: (arm: ArmSums) => number) => sum((row) => of(row.money));
  return {
    calls: sum(({ tokens }) => tokens.calls),
    conversations: sum(({ tokens }) => tokens.conversations),
    tokens_received: sum(({ tokens }) => tokens.received),
    tokens_sent: sum(({ sent }) => sent),
    billed_prompt_tokens: sum(({ tokens }) => tokens.billed),
    cached_tokens: rows.some(({ cached }) => cached !== null) ? sum(({ cached }) => cached ?? 0) : null,
    prompt_cost_nano_usd: money(({ calls }) => calls) === 0 ? null : money(({ billed }) => billed),
  };
}

function amountView(estimate: SavingsEstimate | null): Comparison['tokens'] {
  if (estimate === null || estimate.baseline <= 0) return null;
  const { saved, low, high, baseline } = estimate;
  return { saved, interval: { low, high }, baseline, saved_share: saved / baseline, share_interval: { low: low / baseline, high: high / baseline } };
}

function qualityView(rows: readonly QualitySums[], arm: 'treated' | 'holdout'): Row['quality']['treated'] {
  const row = rows.find((each) => each.arm === arm);
  if (row === undefined) return { calls: 0, finish_reasons: {}, completion_tokens_mean: null, completion_tokens: null, repeats: 0, repeat_rate: null, truncated: 0 };
  return {
    calls: row.calls,
    finish_reasons: row.finishReasons,
    completion_tokens_mean: row.completionMean,
    completion_tokens: row.completion,
    repeats: row.repeats,
    repeat_rate: row.repeats / row.calls,
    truncated: row.truncated,
  };
}
