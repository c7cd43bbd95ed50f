import { afterAll, beforeAll, expect, test } from 'vitest';
import { allCells, tiersOf } from '../../e2e/faults/cells';
import { clocksOf, matrixScript, runCells } from '../../e2e/faults/run-cell';
import { scriptedUpstream, type ScriptedUpstream } from '../../e2e/harness';
import { TEST_KEY, testEngine, type TestEngine } from './test-engine';

const cells = allCells();
let engine: TestEngine;
let upstream: ScriptedUpstream;

beforeAll(async () => {
  engine = await testEngine();
  upstream = await scriptedUpstream(matrixScript(cells));
  for (const cell of cells) engine.addRoute(cell.id, tiersOf(cell).map(({ model, role }) => ({ url: upstream.origin, model, ...clocksOf(cell, role) })));
});

afterAll(async () => {
  await engine.close();
  await upstream.close();
});

test('every fault, at every moment, streamed or not, on every tier: bytes, contacts and row are the contract’s', { timeout: 120_000 }, async () => {
  const target = { url: engine.url, key: TEST_KEY, row: async (id: string) => engine.rows.find((row) => row.id === id)! };
  const done = await runCells(target, cells, () => upstream.contacts);
  console.log(`fault matrix, engine alone: ${done} cells`);
  expect(done).toBe(cells.length);
});
