import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { systemClock } from '../std';
import { admitted, finished, memoryLog } from './fixtures';
import { openLedger, type Ledger } from './ledger';
import { publicSavings } from './public-savings';

let database: TestDatabase;
let ledger: Ledger;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = await openLedger({ dataDir: null, db: database.db, clock: systemClock, log: memoryLog() });
});
afterAll(async () => await ledger.close());

async function workspace(id: string, calls: { arm: 'treated' | 'holdout'; n: number; billedPerToken: number }[]): Promise<void> {
  await database.owner`insert into workspaces (id, slug, name) values (${id}, ${id}, ${id})`;
  const rows = calls.flatMap(({ arm, n, billedPerToken }) =>
    Array.from({ length: n }, (_, at) => {
      const tokens = 1_000 + (at % 7) * 10;
      const usage = { prompt_tokens: Math.round(tokens * billedPerToken) + (at % 3), completion_tokens: 1, total_tokens: null, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
      return finished(admitted({ workspace_id: id, key_id: `key_${id}` }), { arm, conversation: `${arm}_${at >> 1}`, tokens_before: tokens, tokens_after: tokens, tokenizer: 'o200k_base', usage });
    }),
  );
  await Promise.all(rows.map((row) => ledger.settle(row)));
}

test('nothing is known where nobody has savers, and counted calls without a hold-out are no measurement', async () => {
  expect(await publicSavings(database.db)).toEqual({ estimate: null, treatedCalls: 0, figures: {} });
  await workspace('ws_alone', [{ arm: 'treated', n: 6, billedPerToken: 0.7 }]);
  expect(await publicSavings(database.db)).toEqual({ estimate: null, treatedCalls: 6, figures: {} });
});

test('a comparison is measured over all workspaces, and its figures are public once twenty contribute', async () => {
  const both = [{ arm: 'treated', n: 200, billedPerToken: 0.8 }, { arm: 'holdout', n: 200, billedPerToken: 1 }] as const;
  await workspace('ws_first', [...both]);
  const first = await publicSavings(database.db);
  expect(first.estimate).toMatchObject({ measured: true, treatedCalls: 200, holdoutCalls: 200 });
  expect(first.estimate!.saved / first.estimate!.baseline).toBeCloseTo(0.2, 2);
  expect(first.figures).toEqual({});
  for (let each = 0; each < 18; each++) await workspace(`ws_${each}`, [{ arm: 'treated', n: 4, billedPerToken: 0.8 }, { arm: 'holdout', n: 4, billedPerToken: 1 }]);
  const all = await publicSavings(database.db);
  expect(all.figures).toMatchObject({ workspaces: 20, treated_calls: 272, holdout_calls: 272, prompt_tokens_saved_share: expect.closeTo(0.2, 2) });
  expect(Object.values(all.figures).join()).not.toMatch(/ws_|key_/);
});
