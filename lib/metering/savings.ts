import { sql, type SQL } from 'drizzle-orm';
import { type Tx, withWorkspace } from '../db';
import type { ArmSums, SaverId, Undone } from '../savers';
import { SAVER_IDS } from '../savers/saver';
import { Refusal } from '../std';
import type { Ledger } from './ledger';

export interface SavingsFilter {
  /** Key id. */
  key?: string;
  /** The model that answered. */
  model?: string;
  /** ISO 8601; `to` is not included. */
  from: string;
  to: string;
}

export type Arm = 'treated' | 'holdout';

/** Sums over the calls that savers were on for. Those of the report's total have no key and no model. */
export interface SavingsSums {
  keyId: string;
  provider: string | null;
  model: string | null;
  calls: number;
  rewrittenCalls: number;
  measuredCalls: number;
  tokensReceived: number | null;
  tokensSent: number | null;
  savedPerCall: Quantiles | null;
  longerCalls: number;
  tokenizers: string[];
  calibration: { calls: number; billed: number; counted: number; perCall: Quantiles } | null;
}

export interface Quantiles {
  p5: number;
  p25: number;
  p50: number;
  p75: number;
  p95: number;
}

export interface SaverSums {
  keyId: string;
  provider: string | null;
  model: string | null;
  saver: SaverId;
  calls: number;
  texts: number;
  bytesSaved: number;
  /** Null where not one of the calls was counted. */
  tokensSaved: number | null;
  savedPerCall: Quantiles | null;
  undone: Record<Undone, number>;
}

export interface QualitySums {
  keyId: string;
  provider: string | null;
  model: string | null;
  arm: Arm;
  calls: number;
  finishReasons: Record<string, number>;
  completionMean: number | null;
  completion: Quantiles | null;
  repeats: number;
  truncated: number;
}

/** What the provider billed in one arm, with the figures that the comparison shows beside it. */
export interface ArmRow {
  keyId: string;
  provider: string | null;
  model: string | null;
  arm: Arm;
  tokens: ArmSums;
  money: ArmSums;
  sent: number;
  cached: number | null;
}

export interface SavingsFigures {
  rows: SavingsSums[];
  total: SavingsSums;
  arms: ArmRow[];
  savers: SaverSums[];
  totalSavers: SaverSums[];
  quality: QualitySums[];
  replay: { calls: number; promptTokens: number | null; completionTokens: number | null; avoidedNanoUsd: number | null; unpriced: number };
}

const FLUSH_BOUND_MS = 500;

/** Everything that the savings of a workspace are made of, counted over its rows. Refuses a window that is none. */
export async function savings(ledger: Ledger, workspaceId: string, filter: SavingsFilter): Promise<SavingsFigures> {
  if (Date.parse(filter.from) >= Date.parse(filter.to)) throw new Refusal('invalid', 'to: must lie after `from`.', [{ field: 'to', message: 'must lie after `from`' }]);
  await ledger.flush(FLUSH_BOUND_MS);
  return await withWorkspace(ledger.db, workspaceId, async (tx) => {
    const sums = await sumsOf(tx, workspaceId, filter);
    const savers = await saversOf(tx, workspaceId, filter);
    return {
      rows: sums.filter(isRow),
      total: sums.find((each) => !isRow(each))!,
      arms: await armsOf(tx, workspaceId, filter),
      savers: savers.filter(isRow),
      totalSavers: savers.filter((each) => !isRow(each)),
      quality: await qualityOf(tx, workspaceId, filter),
      replay: await replayOf(tx, workspaceId, filter),
    };
  });
}

/** Of the sums, those of a key and model: the others are over everything. */
const isRow = ({ keyId }: { keyId: string }): boolean => keyId !== '';

const wanted = (workspaceId: string, { key, model, from, to }: SavingsFilter): SQL =>
  sql`c.workspace_id = ${workspaceId} and c.created_at >= ${from}::text::timestamptz and c.created_at < ${to}::text::timestamptz ${key === undefined ? sql`` : sql`and c.key_id = ${key}`} ${model === undefined ? sql`` : sql`and c.model = ${model}`}`;

const SHARES = sql`array[0.05, 0.25, 0.5, 0.75, 0.95]`;
const spread = (values: SQL): SQL => sql`percentile_cont(${SHARES}) within group (order by ${values})`;
const BOTH_LEVELS = sql`grouping sets ((c.key_id, c.provider, c.model), ())`;
const NAMES = sql`coalesce(c.key_id, '') as key_id, c.provider, c.model`;
/** The provider's own count of the prompt; null where it gave none. */
const BILLED = sql`case when not c.usage_estimated ? 'prompt_tokens' then (c.usage->>'prompt_tokens')::bigint end`;

interface Named extends Record<string, unknown> {
  key_id: string;
  provider: string | null;
  model: string | null;
}
const named = ({ key_id, provider, model }: Named) => ({ keyId: key_id, provider, model });

async function sumsOf(tx: Tx, workspaceId: string, filter: SavingsFilter): Promise<SavingsSums[]> {
  const rows = await tx.execute<Named & { calls: number; rewritten: number; measured: number; received: string | null; sent: string | null; saved: number[] | null; longer: number; tokenizers: string[] | null; calibrated: number; billed: string | null; counted: string | null; ratios: number[] | null }>(sql`
    with c as (
      select c.*, ${BILLED} as billed,
        jsonb_path_exists(coalesce(c.savers, '[]'), '$[*] ? (@.texts > 0)') as rewritten
      from calls c where ${wanted(workspaceId, filter)} and c.arm is not null
    )
    select ${NAMES}, count(*)::int as calls, count(*) filter (where c.rewritten)::int as rewritten, count(c.tokens_before)::int as measured,
      sum(c.tokens_before)::text as received, sum(c.tokens_after)::text as sent,
      ${spread(sql`(c.tokens_before - c.tokens_after)::double precision`)} as saved,
      count(*) filter (where c.tokens_after > c.tokens_before)::int as longer,
      array_agg(distinct c.tokenizer) filter (where c.tokenizer is not null) as tokenizers,
      count(*) filter (where c.billed is not null and c.tokens_after > 0)::int as calibrated,
      sum(c.billed) filter (where c.tokens_after > 0)::text as billed, sum(c.tokens_after) filter (where c.billed is not null)::text as counted,
      ${spread(sql`c.billed / nullif(c.tokens_after, 0)::double precision`)} as ratios
    from c group by ${BOTH_LEVELS} order by count(*) desc`);
  return rows.map((row) => ({
    ...named(row),
    calls: row.calls,
    rewrittenCalls: row.rewritten,
    measuredCalls: row.measured,
    tokensReceived: numberOf(row.received),
    tokensSent: numberOf(row.sent),
    savedPerCall: quantilesOf(row.saved),
    longerCalls: row.longer,
    tokenizers: row.tokenizers ?? [],
    calibration: row.calibrated === 0 ? null : { calls: row.calibrated, billed: Number(row.billed), counted: Number(row.counted), perCall: quantilesOf(row.ratios)! },
  }));
}

async function saversOf(tx: Tx, workspaceId: string, filter: SavingsFilter): Promise<SaverSums[]> {
  const rows = await tx.execute<Named & { saver: SaverId; calls: number; texts: number; bytes: string; tokens: string | null; saved: number[] | null } & Record<Undone, number>>(sql`
    select ${NAMES}, s.saver, count(*) filter (where s.texts > 0)::int as calls, sum(s.texts)::int as texts,
      sum(s.bytes_before - s.bytes_after)::text as bytes, sum(s.tokens_before - s.tokens_after) filter (where s.texts > 0)::text as tokens,
      ${spread(sql`case when s.texts > 0 then (s.tokens_before - s.tokens_after)::double precision end`)} as saved,
      ${sql.join(UNDONE.map((why) => sql`count(*) filter (where s.undone = ${sql.raw(`'${why}'`)})::int as ${sql.identifier(why)}`), sql`, `)}
    from calls c, jsonb_to_recordset(c.savers) as s(saver text, texts int, bytes_before bigint, bytes_after bigint, tokens_before bigint, tokens_after bigint, undone text)
    where ${wanted(workspaceId, filter)} and c.arm is not null and jsonb_typeof(c.savers) = 'array'
    group by s.saver, ${BOTH_LEVELS}`);
  return rows
    .map((row) => ({
      ...named(row),
      saver: row.saver,
      calls: row.calls,
      texts: row.texts,
      bytesSaved: Number(row.bytes),
      tokensSaved: numberOf(row.tokens),
      savedPerCall: quantilesOf(row.saved),
      undone: { threw: row.threw, timeout: row.timeout, larger: row.larger, structure: row.structure, provider_refused: row.provider_refused },
    }))
    .sort((a, b) => SAVER_IDS.indexOf(a.saver) - SAVER_IDS.indexOf(b.saver));
}

const UNDONE: readonly Undone[] = ['threw', 'timeout', 'larger', 'structure', 'provider_refused'];

async function armsOf(tx: Tx, workspaceId: string, { key, model, from, to }: SavingsFilter): Promise<ArmRow[]> {
  const rows = await tx.execute<Named & StratumRow>(sql`
    select * from ohm_savings_strata(${workspaceId}, ${from}::text::timestamptz, ${to}::text::timestamptz, ${key ?? null}::text, ${model ?? null}::text)`);
  return rows.map((row) => ({ ...named(row), ...armRowOf(row) }));
}

/** As `ohm_savings_strata` gives them. */
export interface StratumRow {
  arm: Arm;
  calls: string | number;
  conversations: string | number;
  received: number;
  sent: number;
  billed: number;
  cached: number | null;
  squares: number;
  spread: number | null;
  priced_calls: string | number;
  priced_conversations: string | number;
  priced_received: number;
  cost: number;
  priced_squares: number;
  cost_spread: number | null;
}

export function armRowOf(row: StratumRow): Pick<ArmRow, 'arm' | 'tokens' | 'money' | 'sent' | 'cached'> {
  return {
    arm: row.arm,
    tokens: { calls: Number(row.calls), conversations: Number(row.conversations), received: row.received, billed: row.billed, squares: row.squares, spread: row.spread },
    money: { calls: Number(row.priced_calls), conversations: Number(row.priced_conversations), received: row.priced_received, billed: row.cost, squares: row.priced_squares, spread: row.cost_spread },
    sent: row.sent,
    cached: row.cached,
  };
}

async function qualityOf(tx: Tx, workspaceId: string, filter: SavingsFilter): Promise<QualitySums[]> {
  const rows = await tx.execute<Named & { arm: Arm; calls: number; reasons: Record<string, number>; mean: number | null; lengths: number[] | null; repeats: number; truncated: number }>(sql`
    with c as (
      select c.key_id, c.provider, c.model, c.arm, c.state, coalesce(c.finish_reason, 'none') as reason, (c.usage->>'completion_tokens')::double precision as completion,
        row_number() over (partition by c.key_id, c.conversation, c.request_bytes, c.tokens_before order by c.created_at, c.id) > 1 as repeats
      from calls c where ${wanted(workspaceId, filter)} and c.arm is not null
    ),
    reasons as (
      select key_id, provider, model, arm, jsonb_object_agg(reason, n) as reasons
      from (select key_id, provider, model, arm, reason, count(*)::int as n from c group by 1, 2, 3, 4, 5) each group by 1, 2, 3, 4
    )
    select ${NAMES}, c.arm, count(*)::int as calls, r.reasons, avg(c.completion) as mean, ${spread(sql`c.completion`)} as lengths,
      count(*) filter (where c.repeats)::int as repeats, count(*) filter (where c.state = 'truncated')::int as truncated
    from c join reasons r on r.key_id = c.key_id and r.provider is not distinct from c.provider and r.model is not distinct from c.model and r.arm = c.arm
    group by c.key_id, c.provider, c.model, c.arm, r.reasons`);
  return rows.map((row) => ({
    ...named(row),
    arm: row.arm,
    calls: row.calls,
    finishReasons: row.reasons,
    completionMean: row.mean,
    completion: quantilesOf(row.lengths),
    repeats: row.repeats,
    truncated: row.truncated,
  }));
}

async function replayOf(tx: Tx, workspaceId: string, filter: SavingsFilter): Promise<SavingsFigures['replay']> {
  const [row] = await tx.execute<{ calls: number; prompt: string | null; completion: string | null; avoided: string | null; unpriced: number }>(sql`
    select count(*)::int as calls, sum((c.usage->>'prompt_tokens')::bigint)::text as prompt, sum((c.usage->>'completion_tokens')::bigint)::text as completion,
      sum(c.avoided_nano_usd)::text as avoided, count(*) filter (where c.avoided_nano_usd is null)::int as unpriced
    from calls c where ${wanted(workspaceId, filter)} and c.replay = 'HIT'`);
  return { calls: row!.calls, promptTokens: numberOf(row!.prompt), completionTokens: numberOf(row!.completion), avoidedNanoUsd: numberOf(row!.avoided), unpriced: row!.unpriced };
}

/** Sums of bigints are text on the wire. */
const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));

/** In the order of `SHARES`; null where there was no value. */
function quantilesOf(list: readonly (number | null)[] | null): Quantiles | null {
  if (list === null || list[0] == null) return null;
  const [p5, p25, p50, p75, p95] = list as [number, number, number, number, number];
  return { p5, p25, p50, p75, p95 };
}
