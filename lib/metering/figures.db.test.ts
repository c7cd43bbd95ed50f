import { beforeAll, beforeEach, afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { systemClock } from '../std';
import type { CallRow } from './call-row';
import { admitted, attempt, finished, memoryLog } from './fixtures';
import { openLedger, type Ledger } from './ledger';
import { publicFigures } from './public-figures';
import { summary } from './summary';

let database: TestDatabase;
let ledger: Ledger;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = await openLedger({ dataDir: null, db: database.db, clock: systemClock, log: memoryLog() });
});
afterAll(() => ledger.close());
beforeEach(() => database.owner`truncate calls`);

const NOW = Date.parse('2026-03-01T00:00:00.000Z');
const call = (workspace_id: string, change: Partial<CallRow> = {}) => finished(admitted({ workspace_id, created_at: new Date(NOW - 3_600_000).toISOString() }), change);
const NOTHING_SENT = { usage: null, usage_source: null, cost_nano_usd: null, tier: null, first_content_ms: null, attempts: [] };
const rejected = (workspace_id: string) => call(workspace_id, { state: 'rejected', ...NOTHING_SENT, attempts: [attempt({ state: 'failed', class: 'timeout' })] });
const lost = (workspace_id: string) => call(workspace_id, { state: 'lost', ...NOTHING_SENT });
const rescued = (workspace_id: string) => call(workspace_id, { tier: 2, attempts: [attempt({ state: 'failed', class: 'server_error' }), attempt({ tier: 2 })] });
const retried = (workspace_id: string) => call(workspace_id, { attempts: [attempt({ state: 'failed', class: 'server_error' }), attempt()] });
const truncated = (workspace_id: string) => call(workspace_id, { state: 'truncated', alert_class: 'cut.after_content' });
const settleAll = (rows: CallRow[]) => Promise.all(rows.map((row) => ledger.settle(row)));

describe('the summary of a workspace', () => {
  const window = [new Date(NOW - 86_400_000), new Date(NOW)] as const;

  test('counts every call of the window once, by what became of it, and no other workspace’s', async () => {
    await settleAll([
      call('ws_a', { first_content_ms: 100, cost_nano_usd: 5 }),
      call('ws_a', { first_content_ms: 300, cost_nano_usd: null, usage_source: 'estimate', stream: false }),
      rescued('ws_a'), retried('ws_a'), truncated('ws_a'), rejected('ws_a'), lost('ws_a'), call('ws_a', { state: 'aborted' }),
      call('ws_b'),
      finished(admitted({ workspace_id: 'ws_a', created_at: window[1].toISOString() })), // `to` is not included
      finished(admitted({ workspace_id: 'ws_a', created_at: new Date(NOW - 86_400_001).toISOString() })),
    ]);
    const result = await summary(ledger, 'ws_a', ...window);
    expect(result).toEqual({
      from: window[0].toISOString(),
      to: window[1].toISOString(),
      calls: 8,
      by_state: { finished: 4, truncated: 1, rejected: 1, aborted: 1, lost: 1 },
      streams: 7,
      failovers: 1,
      truncations: 1,
      first_content_ms: { n: 6, p50: 91.6, p95: expect.closeTo(250, 0) as number, from: 'rows' },
      cost: { nano_usd: 5 + 4 * 22_350, priced_calls: 5, unpriced_calls: 1, unpriced_share: 1 / 6 },
      usage: { provider: { calls: 5, prompt_tokens: 5 * 69, completion_tokens: 100 }, estimate: { calls: 1, prompt_tokens: 69, completion_tokens: 20 }, none: { calls: 2 } },
    });
  });

  test('of no calls has counts of 0 and nulls for what was not measured', async () => {
    const result = await summary(ledger, 'ws_a', ...window);
    expect(result).toMatchObject({ calls: 0, failovers: 0, first_content_ms: { n: 0, p50: null, p95: null }, cost: { nano_usd: null, unpriced_share: null } });
  });

  test('refuses a window that is none, by name', async () => {
    await expect(summary(ledger, 'ws_a', 'yesterday', new Date())).rejects.toMatchObject({ code: 'invalid', issues: [{ field: 'from' }] });
  });
});

describe('the public figures', () => {
  const figures = () => publicFigures(database.db, { now: NOW });
  const workspaces = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `ws_${from + i}`);
  const addWorkspaces = (ids: string[]) => database.owner`insert into workspaces (id, slug, name) select x, x, x from unnest(${ids}::text[]) x on conflict do nothing`;

  test('are null with a reason where nothing was measured, never 0', async () => {
    const result = await figures();
    expect(result).toMatchObject({ source: 'probes', window: { from: '2026-02-22T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' } });
    const { calls, ...shares } = result.figures;
    expect(calls).toEqual({ value: 0, unit: 'calls', n: 0, reason: null });
    for (const figure of Object.values(shares)) expect(figure).toMatchObject({ value: null, n: 0, reason: expect.stringMatching(/no probe in the window/) });
  });

  test('come from probes while 19 workspaces contribute, and from workspaces, probes left out, from the 20th on', async () => {
    await addWorkspaces(workspaces(0, 20));
    await settleAll([rescued('ws_system'), rejected('ws_system'), ...workspaces(0, 19).map((id) => truncated(id))]);
    const few = await figures();
    expect(few.source).toBe('probes');
    expect(few.figures.calls.value).toBe(2);
    expect(few.figures.rescued_share).toMatchObject({ value: 0.5, n: 2 });
    expect(few.figures.streams_truncated_share).toMatchObject({ value: 0, n: 1 });

    await settleAll([call('ws_19')]);
    const many = await figures();
    expect(many.source).toBe('workspaces');
    expect(many.figures.calls.value).toBe(20);
    expect(many.figures.streams_truncated_share).toMatchObject({ value: 0.95, n: 20 });
    expect(many.figures.rescued_share).toMatchObject({ value: null, n: 0, reason: expect.stringMatching(/met a failing tier/) });
  });

  test('of a workspace that is not on the list of workspaces do not count', async () => {
    await settleAll(Array.from({ length: 30 }, (_, i) => call(`ws_unknown_${i}`)));
    expect((await figures()).source).toBe('probes');
  });
});
