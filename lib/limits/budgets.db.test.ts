import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { entryOf } from '../metering/entry';
import { finished } from '../metering/fixtures';
import { createStore } from '../metering/store';
import { type Budgets, type BudgetScope, createBudgets, periodOf } from './budgets';

let t: TestDatabase;
let budgets: Budgets;
const AT = Date.UTC(2026, 10, 30, 12);

beforeAll(async () => {
  t = await createTestDatabase();
  budgets = createBudgets(t.db);
  await t.owner`insert into workspaces (id, slug, name) values ('ws_1', 'one', 'One'), ('ws_2', 'two', 'Two')`;
});
beforeEach(async () => {
  await t.owner`delete from calls`;
  await t.owner`delete from budget_holds`;
  await t.owner`delete from budget_balances`;
});

const scope = (limitNanoUsd: number, rest: Partial<BudgetScope> = {}): BudgetScope => ({ scopeId: 'key_1', kind: 'key', period: 'day', limitNanoUsd, ...rest });
let serial = 0;
const hold = (scopes: BudgetScope[], costs: (number | null)[], callId = `call_${++serial}`) => budgets.hold({ callId, workspaceId: 'ws_1', keyId: 'key_1', atMs: AT, scopes, costs });

/** The call's ledger row arrives. */
async function settle(id: string, cost: number | null, more: Partial<ReturnType<typeof finished>> = {}): Promise<void> {
  const row = finished(undefined, { id, workspace_id: 'ws_1', key_id: 'key_1', created_at: new Date(AT).toISOString(), cost_nano_usd: cost, ...more });
  await createStore(t.db).drain([entryOf('S', id, JSON.stringify(row), null)]);
}

const spent = async () => {
  const rows = await t.owner<{ key: string; spent: string }[]>`select scope_id || ' ' || period as key, spent_nano_usd as spent from budget_balances order by 1`;
  return Object.fromEntries(rows.map((row) => [row.key, Number(row.spent)]));
};

describe('a hold', () => {
  test('of forty parallel calls that meet a budget for one, exactly one is held', async () => {
    const verdicts = await Promise.all(Array.from({ length: 40 }, () => hold([scope(100)], [100])));
    expect(verdicts.filter(({ verdict }) => verdict === 'held')).toHaveLength(1);
    expect(verdicts.filter(({ verdict }) => verdict === 'exceeded')).toHaveLength(39);
  });

  test('of forty parallel calls that meet a budget for seven, exactly seven are held', async () => {
    const verdicts = await Promise.all(Array.from({ length: 40 }, () => hold([scope(700)], [100])));
    expect(verdicts.filter(({ verdict }) => verdict === 'held')).toHaveLength(7);
  });

  test('is as large as the dearest tier that every budget covers', async () => {
    const both = [scope(250), scope(180, { scopeId: 'ws_1', kind: 'workspace', period: 'month' })];
    expect(await hold(both, [200, 150, null, 20])).toEqual({ verdict: 'held', nanoUsd: 150 });
    expect(await hold(both, [200, 150, null, 20])).toEqual({ verdict: 'held', nanoUsd: 20 });
    expect(await hold(both, [200, 150, null, 20])).toEqual({ verdict: 'exceeded', kind: 'workspace', period: 'month', resetsAtMs: Date.UTC(2026, 11, 1) });
  });

  test('is refused as unpriced where no tier has a price, also when money is left', async () => {
    expect(await hold([scope(1_000_000)], [null, null])).toEqual({ verdict: 'unpriced' });
  });

  test('of a free tier is always covered while anything is left', async () => {
    expect(await hold([scope(1)], [0])).toEqual({ verdict: 'held', nanoUsd: 0 });
  });
});

describe('a look', () => {
  const look = (limit: number, costs: (number | null)[]) => budgets.hold({ callId: `call_${++serial}`, workspaceId: 'ws_1', keyId: 'key_1', atMs: AT, scopes: [scope(limit)], costs }, { undone: true });

  test('says what a hold would say, and leaves neither a hold nor a balance', async () => {
    expect(await look(100, [70, 120])).toEqual({ verdict: 'held', nanoUsd: 70 });
    expect(await look(100, [70, 120])).toEqual({ verdict: 'held', nanoUsd: 70 });
    expect([await spent(), (await t.owner`select from budget_holds`).length]).toEqual([{}, 0]);
    await hold([scope(100)], [70]);
    expect(await look(100, [70, 120])).toMatchObject({ verdict: 'exceeded', kind: 'key', period: 'day' });
    expect(await look(100, [null])).toEqual({ verdict: 'unpriced' });
    expect((await t.owner`select from budget_holds`).length).toBe(1);
  });

  test('rejects when the database does not answer in time', async () => {
    await hold([scope(100)], [70]);
    await t.owner.begin(async (tx) => {
      await tx`select from budget_balances for update`;
      await expect(look(100, [70])).rejects.toMatchObject({ code: 'unavailable' });
    });
  });
});

describe('the ledger row of a call', () => {
  test('frees what was held and charges what it really cost, to key and workspace, day and month', async () => {
    const scopes = (['day', 'month'] as const).flatMap((period) => [scope(1_000, { period }), scope(1_000, { period, scopeId: 'ws_1', kind: 'workspace' })]);
    await hold(scopes, [900], 'call_a');
    expect((await hold(scopes, [200])).verdict).toBe('exceeded');
    await settle('call_a', 300);
    expect(await spent()).toEqual({ 'key_1 2026-11': 300, 'key_1 2026-11-30': 300, 'ws_1 2026-11': 300, 'ws_1 2026-11-30': 300 });
    expect(await hold(scopes, [700])).toEqual({ verdict: 'held', nanoUsd: 700 });
  });

  test('whose cost nobody knows is charged what it may have cost at most, also by a budget that begins later', async () => {
    await hold([scope(1_000)], [100], 'call_unknown');
    await settle('call_unknown', null, { budget_nano_usd: 950 });
    expect(await spent()).toEqual({ 'key_1 2026-11-30': 950 });
    expect([(await hold([scope(1_000)], [51])).verdict, (await hold([scope(1_000)], [50])).verdict]).toEqual(['exceeded', 'held']);
    expect(await hold([scope(960, { scopeId: 'ws_1', kind: 'workspace' })], [20])).toMatchObject({ verdict: 'exceeded', kind: 'workspace' });
  });

  test('whose cost is beyond all counting ends its budget, and a thousand of them no statement', async () => {
    await hold([scope(1_000)], [100]);
    const id = (at: number) => `call_huge_${at}`;
    const rows = Array.from({ length: 1_100 }, (_, at) => finished(undefined, { id: id(at), workspace_id: 'ws_1', key_id: 'key_1', created_at: new Date(AT).toISOString(), cost_nano_usd: null, budget_nano_usd: Number.MAX_SAFE_INTEGER }));
    for (const half of [rows.slice(0, 1_050), rows.slice(1_050)]) await createStore(t.db).drain(half.map((row) => entryOf('S', row.id, JSON.stringify(row), null)));
    expect((await hold([scope(1_000)], [1])).verdict).toBe('exceeded');
    expect((await hold([scope(1_000, { scopeId: 'ws_1', kind: 'workspace' })], [1])).verdict).toBe('exceeded');
    expect(await spent()).toEqual({ 'key_1 2026-11-30': 8e15, 'ws_1 2026-11-30': 8e15 }); // a number that JSON can say
  });

  test('is charged once however often it arrives', async () => {
    await hold([scope(1_000)], [900], 'call_b');
    await settle('call_b', 300);
    await settle('call_b', 300);
    expect(await spent()).toEqual({ 'key_1 2026-11-30': 300 });
  });

  test('frees the hold of a call that was lost or refused, which cost nothing', async () => {
    await hold([scope(100)], [100], 'call_c');
    await settle('call_c', null, { state: 'lost' });
    expect((await hold([scope(100)], [100])).verdict).toBe('held');
  });

  test('charges a call that was taken for lost when its end arrives after all', async () => {
    await hold([scope(1_000)], [100], 'call_d');
    await settle('call_d', null, { state: 'lost' });
    await settle('call_d', 70);
    expect(await spent()).toEqual({ 'key_1 2026-11-30': 70 });
  });

  test('counts against a budget that is only set later', async () => {
    await settle('call_e', 80);
    await settle('call_f', 15, { key_id: 'key_2' });
    await settle('call_g', 1_000, { created_at: new Date(AT - 24 * 3_600_000).toISOString() });
    expect((await hold([scope(100)], [21])).verdict).toBe('exceeded');
    expect((await hold([scope(100)], [20])).verdict).toBe('held');
    expect((await hold([scope(1_095, { scopeId: 'ws_1', kind: 'workspace', period: 'month' })], [1])).verdict).toBe('exceeded');
  });
});

test('rows that arrive while a budget begins are counted exactly once', async () => {
  const ids = Array.from({ length: 60 }, (_, at) => `call_race_${at}`);
  await Promise.all([...ids.map((id) => settle(id, 10)), ...Array.from({ length: 20 }, () => hold([scope(1_000_000)], [1]))]);
  await hold([scope(1_000_000)], [1]);
  expect(await spent()).toEqual({ 'key_1 2026-11-30': 600 });
});

test('a balance is what a query over the rows gives', async () => {
  await hold([scope(1_000_000), scope(1_000_000, { period: 'month' })], [1]);
  for (let at = 0; at < 30; at++) await settle(`call_sum_${at}`, at % 7 === 0 ? null : at * 13, { created_at: new Date(AT - at * 3_600_000).toISOString() });
  const [day] = await t.owner`select coalesce(sum(cost_nano_usd), 0)::bigint as sum from calls where key_id = 'key_1' and created_at >= '2026-11-30Z' and created_at < '2026-12-01Z'`;
  const [month] = await t.owner`select coalesce(sum(cost_nano_usd), 0)::bigint as sum from calls where key_id = 'key_1' and created_at >= '2026-11-01Z' and created_at < '2026-12-01Z'`;
  expect(await spent()).toEqual({ 'key_1 2026-11': Number(month!.sum), 'key_1 2026-11-30': Number(day!.sum) });
});

test('days and months are UTC, also at their ends', () => {
  expect(periodOf('day', new Date('2026-02-28T23:59:59.999Z'))).toEqual({ period: '2026-02-28', starts: '2026-02-28T00:00:00.000Z', ends: '2026-03-01T00:00:00.000Z' });
  expect(periodOf('month', new Date('2026-12-31T23:59:59.999Z'))).toEqual({ period: '2026-12', starts: '2026-12-01T00:00:00.000Z', ends: '2027-01-01T00:00:00.000Z' });
});
