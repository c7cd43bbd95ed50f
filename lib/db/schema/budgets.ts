import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, workspaceId } from './columns';

/**
 * What a key or a workspace has spent in a UTC day or month. Begun from the ledger the first time that a budget asks,
 * kept up from then on by the statement that writes the ledger's rows. Budgets gate on it; totals shown to people are
 * queries over rows.
 */
export const budgetBalances = pgTable(
  'budget_balances',
  {
    workspaceId: workspaceId(),
    /** Key id or workspace id. */
    scopeId: text('scope_id').notNull(),
    /** `2026-11-30` or `2026-11`. */
    period: text('period').notNull(),
    spentNanoUsd: bigint('spent_nano_usd', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ name: 'budget_balances_pkey', columns: [t.workspaceId, t.scopeId, t.period] })],
);

/** Money set aside for calls in flight. Gone with the call's ledger row. */
export const budgetHolds = pgTable(
  'budget_holds',
  {
    callId: text('call_id').primaryKey(),
    workspaceId: workspaceId(),
    keyId: text('key_id').notNull(),
    nanoUsd: bigint('nano_usd', { mode: 'number' }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('budget_holds_workspace_id_key_id_idx').on(t.workspaceId, t.keyId)],
);
