import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { type Conversation, estimateSavings, sumArm } from '../savers';
import { systemClock } from '../std';
import type { CallRow } from './call-row';
import { findCall } from './calls';
import { admitted, finished, memoryLog } from './fixtures';
import { openLedger, type Ledger } from './ledger';
import { savings, type SavingsFigures } from './savings';

let database: TestDatabase;
let ledger: Ledger;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = await openLedger({ dataDir: null, db: database.db, clock: systemClock, log: memoryLog() });
});
afterAll(async () => await ledger.close());

const WS = 'ws_savings';
const WINDOW = { from: '2026-05-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' };
let seed = 7;
const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;

const saved = (change: Partial<CallRow> & { tokens_before: number | null }): CallRow =>
  finished(admitted({ workspace_id: WS, key_id: 'key_a', created_at: '2026-05-10T00:00:00.000Z', request_bytes: Math.floor(random() * 1e9) }), {
    tokens_after: change.tokens_before,
    tokenizer: 'o200k_base',
    arm: 'treated',
    conversation: 'c',
    prompt_cost_nano_usd: 100,
    ...change,
  });
const usage = (prompt: number | null, cached: number | null = null, completion = 20) => ({ prompt_tokens: prompt, completion_tokens: completion, total_tokens: null, cached_tokens: cached, cache_write_tokens: null, reasoning_tokens: null });
const record = (saver: 'json-compact' | 'blank-lines', texts: number, tokens: [number, number] | null, undone: 'timeout' | null = null) => ({
  saver, texts, bytes_before: 400 * texts, bytes_after: 300 * texts, tokens_before: tokens?.[0] ?? null, tokens_after: tokens?.[1] ?? null, undone,
});

describe('what the arms were billed', () => {
  const conversations: { arm: 'treated' | 'holdout'; calls: CallRow[] }[] = Array.from({ length: 90 }, (_, at) => {
    const arm = at % 3 === 0 ? ('holdout' as const) : ('treated' as const);
    const calls = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, turn) => {
      const before = Math.round(300 + 2_000 * random() + 200 * turn);
      return saved({ arm, conversation: `${arm}_${at}`, tokens_before: before, usage: usage(Math.round(before * (arm === 'treated' ? 0.8 : 1.1) * (0.9 + 0.2 * random())), 10), prompt_cost_nano_usd: at % 5 === 0 ? null : before * 150 + 1_000 * turn });
    });
    return { arm, calls };
  });
  let figures: SavingsFigures;

  beforeAll(async () => {
    const left = [
      saved({ tokens_before: null, conversation: 'not counted' }),
      saved({ tokens_before: 100, usage: usage(null), conversation: 'no bill' }),
      saved({ tokens_before: 100, usage: usage(90), usage_estimated: ['prompt_tokens'], conversation: 'an estimate' }),
      saved({ tokens_before: 100, arm: null, conversation: 'off' }),
      finished(admitted({ workspace_id: 'ws_stranger', created_at: '2026-05-10T00:00:00.000Z' }), { tokens_before: 9, tokens_after: 9, tokenizer: 'x', arm: 'treated', conversation: 'c' }),
      saved({ tokens_before: 100, created_at: '2026-06-01T00:00:00.000Z' }),
    ];
    await Promise.all([...conversations.flatMap(({ calls }) => calls), ...left].map((row) => ledger.settle(row)));
    figures = await savings(ledger, WS, WINDOW);
  });

  const expected = (of: 'treated' | 'holdout', quantity: (row: CallRow) => number | null) =>
    sumArm(
      conversations.flatMap(({ arm, calls }): Conversation[] => {
        const counted = calls.filter((row) => quantity(row) !== null);
        if (arm !== of || counted.length === 0) return [];
        return [{ calls: counted.length, received: counted.reduce((sum, row) => sum + row.tokens_before!, 0), billed: counted.reduce((sum, row) => sum + quantity(row)!, 0) }];
      }),
    );

  test.each(['treated', 'holdout'] as const)('the sums of the %s arm are those that the estimator makes of its conversations', (arm) => {
    const row = figures.arms.find((each) => each.arm === arm)!;
    for (const [found, made] of [
      [row.tokens, expected(arm, ({ usage: used }) => used!.prompt_tokens)],
      [row.money, expected(arm, ({ prompt_cost_nano_usd: cost }) => cost ?? null)],
    ] as const) {
      expect([found.calls, found.conversations, found.received, found.billed, found.squares]).toEqual([made.calls, made.conversations, made.received, made.billed, made.squares]);
      expect(found.spread! / made.spread!).toBeCloseTo(1, 9);
    }
  });

  test('a key without a hold-out has no comparison', async () => {
    expect((await savings(ledger, WS, { ...WINDOW, key: 'key_b' })).arms).toEqual([]);
    expect((await savings(ledger, WS, { ...WINDOW, model: 'another' })).rows).toEqual([]);
  });

  test('the public strata are the same figures without names, and without the probes', async () => {
    const [row] = await database.owner<{ s: { workspaces: number; strata: Record<string, unknown>[] } }[]>`select ohm_public_savings(${WINDOW.from}, ${WINDOW.to}) as s`;
    expect(row!.s.workspaces).toBe(0); // a workspace that is none of the installation's counts nowhere
    await database.owner`insert into workspaces (id, slug, name) values (${WS}, 'savings', 'savings')`;
    const [again] = await database.owner<{ s: { workspaces: number; strata: Record<string, unknown>[] } }[]>`select ohm_public_savings(${WINDOW.from}, ${WINDOW.to}) as s`;
    expect(again!.s.workspaces).toBe(1);
    expect(again!.s.strata).toHaveLength(2);
    expect(Object.keys(again!.s.strata[0]!)).not.toEqual(expect.arrayContaining(['key_id']));
    const arms = figures.arms;
    const estimate = estimateSavings([{ treated: arms.find(({ arm }) => arm === 'treated')!.tokens, holdout: arms.find(({ arm }) => arm === 'holdout')!.tokens }])!;
    expect(estimate.saved).toBeGreaterThan(0);
  });
});

describe('counted', () => {
  const key = { key_id: 'key_counted' };
  let figures: SavingsFigures;

  beforeAll(async () => {
    const at = (minute: number) => `2026-05-11T00:0${minute}:00.000Z`;
    const rows = [
      saved({ ...key, created_at: at(0), tokens_before: 1_000, tokens_after: 700, usage: usage(770, 0, 10), savers: [record('json-compact', 2, [500, 200])], finish_reason: 'stop' }),
      saved({ ...key, created_at: at(1), tokens_before: 1_000, tokens_after: 1_010, usage: usage(1_111, 0, 30), savers: [record('json-compact', 1, [100, 110]), record('blank-lines', 0, null, 'timeout')], finish_reason: 'length', tokenizer: '~o200k_base' }),
      saved({ ...key, created_at: at(2), tokens_before: 50, tokens_after: 50, usage: usage(60, 0, 20), savers: null, finish_reason: 'stop', request_bytes: 77 }),
      saved({ ...key, created_at: at(3), tokens_before: 50, tokens_after: 50, usage: usage(60, 0, 20), savers: [], finish_reason: null, state: 'truncated', request_bytes: 77 }),
      saved({ ...key, created_at: at(4), tokens_before: null, tokens_after: null, tokenizer: null, savers: [record('blank-lines', 1, null)] }),
      finished(admitted({ workspace_id: WS, ...key, created_at: at(5) }), { replay: 'HIT', cost_nano_usd: 0, avoided_nano_usd: 5_000, usage: usage(80, null, 9) }),
      finished(admitted({ workspace_id: WS, ...key, created_at: at(6) }), { replay: 'HIT', cost_nano_usd: 0, usage: usage(10, null, 1) }),
    ];
    await Promise.all(rows.map((row) => ledger.settle(row)));
    figures = await savings(ledger, WS, { ...WINDOW, key: 'key_counted' });
  });

  test('tokens by key and model, signed', () => {
    const expected = { calls: 5, rewrittenCalls: 3, measuredCalls: 4, tokensReceived: 2_100, tokensSent: 1_810, longerCalls: 1, tokenizers: ['o200k_base', '~o200k_base'] };
    expect(figures.rows).toMatchObject([{ keyId: 'key_counted', provider: 'openai', model: 'gpt-4o-mini', ...expected }]);
    expect(figures.total).toMatchObject(expected);
    expect(figures.rows[0]!.savedPerCall!.p50).toBe(0);
    expect(figures.rows[0]!.savedPerCall!.p5).toBeLessThan(0);
  });

  test('our tokenizer against the bill', () => {
    expect(figures.rows[0]!.calibration).toMatchObject({ calls: 4, billed: 2_001, counted: 1_810 });
  });

  test('each saver, with what was undone and what was not counted', () => {
    const none = { threw: 0, larger: 0, structure: 0, provider_refused: 0 };
    const expected = [
      { saver: 'json-compact', calls: 2, texts: 3, bytesSaved: 300, tokensSaved: 290, undone: { ...none, timeout: 0 } },
      { saver: 'blank-lines', calls: 1, texts: 1, bytesSaved: 100, tokensSaved: null, savedPerCall: null, undone: { ...none, timeout: 1 } },
    ];
    expect(figures.savers).toMatchObject(expected);
    expect(figures.totalSavers).toMatchObject(expected);
  });

  test('what became of the answers', () => {
    expect(figures.quality).toMatchObject([{ arm: 'treated', calls: 5, finishReasons: { stop: 3, length: 1, none: 1 }, completionMean: 20, repeats: 1, truncated: 1 }]);
  });

  test('calls that a stored answer made unnecessary, apart', () => {
    expect(figures.replay).toEqual({ calls: 2, promptTokens: 90, completionTokens: 10, avoidedNanoUsd: 5_000, unpriced: 1 });
  });

  test('nothing where nothing was: null, not 0', async () => {
    const empty = await savings(ledger, WS, { ...WINDOW, key: 'key_none' });
    expect(empty.total).toMatchObject({ calls: 0, tokensReceived: null, tokensSent: null, savedPerCall: null, calibration: null });
    expect(empty.replay).toMatchObject({ calls: 0, promptTokens: null, avoidedNanoUsd: null });
  });

  test('a window that is none is refused by name', async () => {
    await expect(savings(ledger, WS, { from: WINDOW.to, to: WINDOW.from })).rejects.toMatchObject({ issues: [{ field: 'to' }] });
  });
});

test('a count that comes after the row is on it all the same, with a correction besides', async () => {
  const row = saved({ tokens_before: null, tokens_after: null, tokenizer: null, savers: [record('blank-lines', 1, null)] });
  await ledger.settle(row);
  const late = { tokens_before: 10, tokens_after: 8, tokenizer: 'o200k_base', savers: [record('blank-lines', 1, [10, 8])] };
  ledger.measured(row.id, late);
  ledger.correct(row.id, { state: 'aborted', flushed_bytes: 3 });
  const expected = { ...late, state: 'aborted', flushed_bytes: 3 };
  expect(await findCall(ledger, WS, row.id)).toMatchObject(expected);
  expect(await ledger.flush(5_000)).toBe(true);
  const [kept] = await database.owner`select state, flushed_bytes::int, tokens_before, tokens_after, tokenizer, savers from calls where id = ${row.id}`;
  expect(kept).toEqual(expected);
});
