import { sql } from 'drizzle-orm';
import type { Database, Queries } from '../db';

/** A money limit that a call must fit into. */
export interface BudgetScope {
  /** Key id or workspace id. */
  scopeId: string;
  kind: 'key' | 'workspace';
  period: 'day' | 'month';
  limitNanoUsd: number;
}

export type Hold =
  /** So much was set aside: every tier that costs at most this may be asked. */
  | { verdict: 'held'; nanoUsd: number }
  /** No priced tier fits into what is left of this budget. */
  | { verdict: 'exceeded'; kind: BudgetScope['kind']; period: BudgetScope['period']; resetsAtMs: number }
  /** No tier has a known price, so no budget could be kept. */
  | { verdict: 'unpriced' };

export interface HoldInput {
  callId: string;
  workspaceId: string;
  keyId: string;
  /** Wall time of the call's start, ms: it decides the day and the month that pay. */
  atMs: number;
  scopes: BudgetScope[];
  /** What a call to each tier may cost at most by estimate, integer nano-USD; null where the price is unknown. */
  costs: (number | null)[];
}

export interface Budgets {
  /**
   * Sets money aside for a call, in one statement, or says why not. Rejects when the database cannot answer. `undone`:
   * the statement is rolled back, so that it says what it would do and nothing stays.
   */
  hold(input: HoldInput, options?: { undone: boolean }): Promise<Hold>;
}

/**
 * Budgets over balances in PostgreSQL. A hold is a row; it is charged by the very statement that writes the call's
 * ledger row, whatever became of the call, so a killed process leaves no hold behind once its journal is adopted.
 */
export function createBudgets(db: Database): Budgets {
  return {
    async hold({ callId, workspaceId, keyId, atMs, scopes, costs }, { undone } = { undone: false }) {
      const at = new Date(atMs);
      const asked = JSON.stringify(scopes.map(({ scopeId, kind, period, limitNanoUsd }) => ({ scope_id: scopeId, kind, limit_nano_usd: limitNanoUsd, ...periodOf(period, at) })));
      const amounts = `{${costs.map((cost) => cost ?? 'NULL').join(',')}}`;
      const hold = (queries: Queries) =>
        queries.execute<HoldRow>(sql`select * from ohm_budget_hold(${callId}, ${workspaceId}, ${keyId}, ${at.toISOString()}::timestamptz, ${asked}::text::jsonb, ${amounts}::bigint[])`);
      const [row] = undone ? await rolledBack(db, hold) : await db.unscoped(hold, { timeoutMs: HOLD_MS });
      if (row === undefined) throw new Error('ohm_budget_hold gave no row');
      if (row.verdict === 'held') return { verdict: 'held', nanoUsd: Number(row.held_nano_usd) };
      if (row.verdict === 'unpriced') return { verdict: 'unpriced' };
      const scope = scopes[Number(row.scope) - 1]!;
      return { verdict: 'exceeded', kind: scope.kind, period: scope.period, resetsAtMs: Date.parse(periodOf(scope.period, at).ends) };
    },
  };
}

/** The answer of statements that leave nothing behind. */
async function rolledBack<T>(db: Database, work: (queries: Queries) => Promise<T>): Promise<T> {
  let answer: { of: T } | undefined;
  try {
    await db.transaction(
      async (tx) => {
        answer = { of: await work(tx) };
        throw new Error('rolled back on purpose');
      },
      { timeoutMs: HOLD_MS },
    );
  } catch (error) {
    if (answer === undefined) throw error;
  }
  return answer!.of;
}

/** A budget that cannot be asked refuses the call; waiting longer would only keep its client in the dark. */
const HOLD_MS = 2_000;

interface HoldRow extends Record<string, unknown> {
  verdict: 'held' | 'exceeded' | 'unpriced';
  held_nano_usd: string | null;
  /** Position in the list of scopes, from 1. */
  scope: number | null;
}

export interface PeriodRange {
  /** `2026-11-30` or `2026-11`. */
  period: string;
  /** ISO 8601, UTC. */
  starts: string;
  ends: string;
}

/** The UTC day or month that a moment falls into. Days and months of UTC know no daylight saving. */
export function periodOf(period: BudgetScope['period'], at: Date): PeriodRange {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const starts = period === 'day' ? Date.UTC(year, month, day) : Date.UTC(year, month, 1);
  const ends = period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
  return { period: at.toISOString().slice(0, period === 'day' ? 10 : 7), starts: new Date(starts).toISOString(), ends: new Date(ends).toISOString() };
}
