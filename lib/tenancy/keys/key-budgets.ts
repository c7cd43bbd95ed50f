import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { type Tx, withWorkspace } from '../../db';
import { budgetBalances, budgetHolds, calls } from '../../db/schema';
import { type Limits, periodOf } from '../../limits';
import type { BudgetView } from '../../management/schemas';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { limitScopes } from './limit-scopes';

/** What is left of every budget that calls of a key must fit into: its own, then the workspace's. Refuses `not_found`. */
export async function keyBudgets(tenancy: Tenancy, actor: Actor, input: { id: string }): Promise<{ data: BudgetView[]; next_cursor: null }> {
  requireRole(actor, 'viewer');
  return await budgetsOf(tenancy, actor, input.id);
}

/** What is left of the workspace's own budgets. */
export async function workspaceBudgets(tenancy: Tenancy, actor: Actor): Promise<{ data: BudgetView[]; next_cursor: null }> {
  requireRole(actor, 'viewer');
  return await budgetsOf(tenancy, actor, null);
}

async function budgetsOf(tenancy: Tenancy, { workspaceId }: Actor, keyId: string | null): Promise<{ data: BudgetView[]; next_cursor: null }> {
  const at = new Date(tenancy.clock.now());
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const data: BudgetView[] = [];
    for (const { scope, id: scopeId, limits } of await limitScopes(tx, workspaceId, keyId)) {
      for (const period of ['day', 'month'] as const) {
        const limit = limitOf(limits, period);
        if (limit !== null) data.push(await budgetView(tx, { workspaceId, scope, scopeId, period, limit, mode: limits.budgetMode, at }));
      }
    }
    return { data, next_cursor: null };
  });
}

const limitOf = (limits: Limits, period: BudgetView['period']): number | null => (period === 'day' ? limits.dailyNanoUsd : limits.monthlyNanoUsd);

interface Asked {
  workspaceId: string;
  scope: BudgetView['scope'];
  scopeId: string;
  period: BudgetView['period'];
  limit: number;
  mode: BudgetView['on_budget'];
  at: Date;
}

async function budgetView(tx: Tx, { workspaceId, scope, scopeId, period, limit, mode, at }: Asked): Promise<BudgetView> {
  const range = periodOf(period, at);
  const spent = (await balance(tx, workspaceId, scopeId, range.period)) ?? (await spentByRows(tx, workspaceId, scope, scopeId, range));
  const ofScope = scope === 'key' ? eq(budgetHolds.keyId, scopeId) : sql`true`;
  const [held] = await tx.select({ sum: sql<string>`coalesce(sum(${budgetHolds.nanoUsd}), 0)` }).from(budgetHolds).where(and(eq(budgetHolds.workspaceId, workspaceId), ofScope));
  const heldNanoUsd = Number(held?.sum ?? 0);
  return {
    scope,
    period,
    limit_nano_usd: limit,
    spent_nano_usd: spent,
    held_nano_usd: heldNanoUsd,
    left_nano_usd: limit - spent - heldNanoUsd,
    on_budget: mode,
    resets_at: range.ends,
  };
}

/** What the gate goes by, once it has been asked in this period. */
async function balance(tx: Tx, workspaceId: string, scopeId: string, period: string): Promise<number | null> {
  const [row] = await tx
    .select({ spent: budgetBalances.spentNanoUsd })
    .from(budgetBalances)
    .where(and(eq(budgetBalances.workspaceId, workspaceId), eq(budgetBalances.scopeId, scopeId), eq(budgetBalances.period, period)));
  return row?.spent ?? null;
}

async function spentByRows(tx: Tx, workspaceId: string, scope: BudgetView['scope'], scopeId: string, range: { starts: string; ends: string }): Promise<number> {
  const ofScope = scope === 'key' ? eq(calls.key_id, scopeId) : sql`true`;
  const [row] = await tx
    .select({ sum: sql<string>`least(coalesce(sum(coalesce(${calls.cost_nano_usd}, ${calls.budget_nano_usd})), 0), 8000000000000000)` })
    .from(calls)
    .where(and(eq(calls.workspace_id, workspaceId), ofScope, gte(calls.created_at, range.starts), lt(calls.created_at, range.ends)));
  return Number(row?.sum ?? 0);
}
