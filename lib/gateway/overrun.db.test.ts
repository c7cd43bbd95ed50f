import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openai, scriptedUpstream } from '../../e2e/harness';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { createLimitGate } from '../limits';
import { createBudgets } from '../limits/budgets';
import { processCounters } from '../limits/test-counters';
import { openLedger } from '../metering/ledger';
import { memoryLog } from '../metering/fixtures';
import { systemClock } from '../std';
import { TEST_KEY, testEngine, type TestEngine } from './test-engine';

let t: TestDatabase;
const open: (() => unknown)[] = [];

beforeAll(async () => {
  t = await createTestDatabase();
  await t.owner`insert into workspaces (id, slug, name) values ('ws_test', 'test', 'Test')`;
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  for (const table of ['calls', 'budget_holds', 'budget_balances']) await t.owner`delete from ${t.owner(table)}`;
});

/** Of a key with a budget of 100 nano-USD, whose calls are thought to cost 9 and cost 36. */
async function overrunning(journal: boolean): Promise<TestEngine> {
  const dataDir = journal ? mkdtempSync(join(tmpdir(), 'ohm-overrun-')) : null;
  if (dataDir !== null) open.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const ledger = await openLedger({ dataDir, db: t.db, clock: systemClock, log: memoryLog() });
  open.push(ledger.close);
  const engine = await testEngine({
    ledger,
    limits: createLimitGate({ counters: processCounters(), budgets: createBudgets(t.db), now: () => systemClock.now() }),
    prices: { cost: (_connection, _model, usage) => ({ nanoUsd: 3 * usage.total_tokens!, version: 't' }), thinks: () => false, maxOutputTokens: () => null },
  });
  open.push(engine.close);
  engine.limit({ requestsPerMinute: null, tokensPerMinute: null, concurrentCalls: null, dailyNanoUsd: 100, monthlyNanoUsd: null, budgetMode: 'hard' });
  return engine;
}

async function ask(engine: TestEngine, stream: boolean): Promise<number> {
  const response = await fetch(`${engine.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}` },
    body: JSON.stringify({ model: 'auto', max_tokens: 1, stream, messages: [{ role: 'user', content: '12345678' }] }),
  });
  await response.text();
  return response.status;
}

describe('calls one after the other whose bills exceed what was set aside', () => {
  test.each([
    ['JSON, with a journal', false, true],
    ['streams, with a journal', true, true],
    ['JSON, without one', false, false],
  ])('pass a hard budget by no more than the last one’s excess (%s)', async (_which, stream, journal) => {
    const engine = await overrunning(journal);
    const server = await scriptedUpstream(stream ? openai.streamOf('a', 'b', 'c') : openai.jsonOf('hello'));
    open.push(server.close);
    engine.route([{ url: server.origin }]);
    const statuses: number[] = [];
    for (let call = 0; call < 6; call++) statuses.push(await ask(engine, stream));
    expect(statuses).toEqual([200, 200, 200, 402, 402, 402]); // 9 fit into the 28 that two leave; three have spent 108
  });
});
