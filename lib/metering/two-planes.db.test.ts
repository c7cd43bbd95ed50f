import { beforeAll, describe, expect, test } from 'vitest';
import { createBudgets } from '../limits';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { systemClock } from '../std';
import { lostRow } from './adopt';
import type { CallRow } from './call-row';
import { admitted, attempt, finished, memoryLog } from './fixtures';
import { entryOf } from './entry';
import { openLedger, type Ledger } from './ledger';

/** Two control planes that an edge has asked for the same call, each with its own end of it. */

let database: TestDatabase;
let ledger: Ledger;
beforeAll(async () => {
  database = await createTestDatabase();
  ledger = await openLedger({ dataDir: null, db: database.db, clock: systemClock, log: memoryLog() });
  return () => ledger.close();
});

const take = (...rows: CallRow[]) => ledger.take(rows.map((row) => entryOf('S', row.id, JSON.stringify(row), null)));
const none = { tier: null, connection_id: null, provider: null, model: null, model_reported: null, usage: null, usage_source: null, cost_nano_usd: null, price_version: null, first_content_ms: null, finish_reason: null } as const;

const ENDS = {
  answered: (row) => finished(row),
  'refused after a whole walk': (row) => finished(row, { ...none, state: 'rejected', status: 502, error_code: 'all_tiers_failed', attempts: [attempt({ state: 'failed', class: 'server_error' })] }),
  truncated: (row) => finished(row, { state: 'truncated', error_code: 'stream_truncated' }),
  draining: (row) => finished(row, { ...none, state: 'rejected', status: 503, error_code: 'gateway_draining', attempts: [], flushed_bytes: 120 }),
  'its client gone': (row) => finished(row, { ...none, state: 'aborted', status: null, attempts: [], flushed_bytes: 0 }),
  'its client gone, its provider at work': (row) => finished(row, { ...none, state: 'aborted', status: null, attempts: [attempt({ state: 'aborted' })], flushed_bytes: 0, cost_nano_usd: 500, price_version: 't' }),
  killed: (row) => lostRow(row, new Date().toISOString()),
} satisfies Record<string, (row: ReturnType<typeof admitted>) => CallRow>;
type End = keyof typeof ENDS;

describe.each<[End, End]>([
  ['killed', 'answered'],
  ['draining', 'answered'],
  ['its client gone', 'answered'],
  ['its client gone, its provider at work', 'answered'],
  ['draining', 'its client gone, its provider at work'],
  ['draining', 'truncated'],
  ['draining', 'refused after a whole walk'],
  ['killed', 'draining'],
])('one %s, the other %s', (gives, stays) => {
  test.each([false, true])('leave one row, of the one that the client was answered from (the other way round: %s), and sums of it alone', async (turned) => {
    const workspace = `ws_${gives}_${stays}_${turned}`.replaceAll(' ', '_');
    const call = admitted({ workspace_id: workspace, tag: 'nightly' });
    const rows = [ENDS[gives](call), ENDS[stays](call)];
    if (turned) rows.reverse();
    for (const row of rows) await take(row);
    await take(...rows); // a parcel may come twice
    const kept = await database.owner`select state, status, cost_nano_usd from calls where id = ${call.id}`;
    const right = ENDS[stays](call);
    expect(kept).toEqual([{ state: right.state, status: right.status, cost_nano_usd: right.cost_nano_usd === null ? null : String(right.cost_nano_usd) }]);
    // A call with a tag is in two sums: among all, and under its tag.
    const sums = await database.owner`select tag, sum(calls)::int calls, sum(cost_nano_usd)::int cost from usage_rollups where workspace_id = ${workspace} group by tag having sum(calls) <> 0 order by tag`;
    expect(sums).toEqual(['', 'nightly'].map((tag) => ({ tag, calls: 1, cost: right.cost_nano_usd ?? 0 })));
  });
});

test('a plane that refused a call and one that answered it, in one parcel', async () => {
  const call = admitted();
  await take(ENDS.draining(call), ENDS.answered(call));
  expect((await database.owner`select state from calls where id = ${call.id}`).map(({ state }) => state)).toEqual(['finished']);
});

test('a parcel of many long rows, more than one statement takes, arrives whole', async () => {
  const rows = Array.from({ length: 120 }, () => finished(admitted({ workspace_id: 'ws_long' }), { attempts: [attempt({ message: 'ß'.repeat(30_000) })] }));
  await take(...rows, finished(admitted({ workspace_id: 'ws_long' }), { attempts: [attempt({ message: 'x'.repeat(200_000) })] }));
  expect(await database.owner`select count(*)::int rows, sum(length(attempts -> 0 ->> 'message'))::int letters from calls where workspace_id = 'ws_long'`).toEqual([{ rows: 121, letters: 120 * 30_000 + 200_000 }]);
});

test('what the call itself holds of a budget does not stand in its own way, and it is charged once', async () => {
  const budgets = createBudgets(database.db);
  const call = admitted({ workspace_id: 'ws_budget', key_id: 'key_budget' });
  const hold = { callId: call.id, workspaceId: 'ws_budget', keyId: 'key_budget', atMs: Date.parse(call.created_at), scopes: [{ scopeId: 'key_budget', kind: 'key' as const, period: 'day' as const, limitNanoUsd: 30_000 }], costs: [25_000] };
  expect(await budgets.hold(hold)).toEqual({ verdict: 'held', nanoUsd: 25_000 });
  expect(await budgets.hold(hold)).toEqual({ verdict: 'held', nanoUsd: 25_000 }); // the first plane is gone, the second asks
  await take(ENDS.answered(call));
  await take(ENDS.killed(call));
  await take(ENDS.answered(call));
  const [{ spent_nano_usd: spent } = { spent_nano_usd: null }] = await database.owner`select spent_nano_usd from budget_balances where scope_id = 'key_budget'`;
  expect(Number(spent)).toBe(22_350);
  expect(await database.owner`select * from budget_holds where call_id = ${call.id}`).toEqual([]);
});
