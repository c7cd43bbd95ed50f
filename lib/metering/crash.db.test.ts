import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { systemClock } from '../std';
import { memoryLog } from './fixtures';
import { openLedger } from './ledger';

const ROUNDS = 20;
const SEED = Number(process.env.OHM_TEST_SEED ?? 20_260_101);
const dataDir = mkdtempSync(join(tmpdir(), 'ohm-ledger-crash-'));
let database: TestDatabase;
const children = new Set<ChildProcess>();

/** One file, so that a child starts in a moment. */
const childFile = join(dataDir, 'child.mjs');

beforeAll(async () => {
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
  buildSync({ entryPoints: [join(import.meta.dirname, 'crash-child.ts')], outfile: childFile, bundle: true, platform: 'node', format: 'esm', banner, logLevel: 'error' });
  database = await createTestDatabase();
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

test(`${ROUNDS} kills at random instants, two processes on one folder: every acknowledged end is one row, every admitted call has one end`, async () => {
  let random = SEED;
  const next = (below: number) => (random = (random * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  const files: string[] = [];
  // Two processes at a time. The survivor and the next one take over from the dead, and are killed while they do.
  let survivor = start(files, next(1e9));
  await ready(survivor.file);
  for (let round = 0; round < ROUNDS; round++) {
    const other = start(files, next(1e9));
    await ready(other.file);
    await new Promise((resolve) => setTimeout(resolve, next(400)));
    const victim = next(2) === 0 ? survivor : other;
    survivor = victim === survivor ? other : survivor;
    await kill(victim.child);
  }
  await kill(survivor.child);

  const ledger = await openLedger({ dataDir, db: database.db, clock: systemClock, log: memoryLog() });
  await expect.poll(() => ledger.lag(), { timeout: 30_000 }).toMatchObject({ rows: 0, replaying: 0 });
  await expect.poll(() => readdirSync(join(dataDir, 'journal')).length).toBe(1); // the present one
  expect(ledger.lag().refusedRows).toBe(0);
  await ledger.close();

  const noted = { A: new Set<string>(), S: new Set<string>(), C: new Set<string>() };
  for (const file of files) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [kind, id] = line.split(' ') as ['A' | 'S' | 'C', string | undefined];
      if (id?.startsWith('call_')) noted[kind].add(id);
    }
  }
  const rows = await database.owner<{ id: string; state: string; flushed_bytes: string | null }[]>`select id, state, flushed_bytes from calls`;
  const table = new Map(rows.map((row) => [row.id, row]));
  expect(table.size).toBe(rows.length);
  const lost = rows.filter((row) => row.state === 'lost').length;
  console.log(`seed ${SEED}: ${noted.A.size} admitted, ${noted.S.size} settled, ${noted.C.size} corrected, ${lost} lost`);
  expect(noted.S.size).toBeGreaterThan(ROUNDS * 20);
  expect(lost).toBeGreaterThan(0);

  const missing = [...noted.A].filter((id) => !table.has(id));
  expect(missing).toEqual([]);
  const denied = [...noted.S].filter((id) => table.get(id)!.state === 'lost');
  expect(denied).toEqual([]);
  const uncorrected = [...noted.C].filter((id) => table.get(id)!.flushed_bytes !== '7');
  expect(uncorrected).toEqual([]);
  // A process may die between writing a record and noting it: one each.
  expect([...table.keys()].filter((id) => !noted.A.has(id)).length).toBeLessThanOrEqual(files.length);
}, 180_000);

function start(files: string[], seed: number): { child: ChildProcess; file: string } {
  const file = join(dataDir, `acknowledged-${files.length}`);
  files.push(file);
  const args = [childFile, dataDir, database.ownerUrl, database.secret, file, String(seed)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  children.add(child);
  return { child, file };
}

/** It has written its first record, or dies trying. */
async function ready(file: string): Promise<void> {
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').length > 0, { timeout: 20_000, interval: 5 }).toBe(true);
}

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => {
      children.delete(child);
      resolve();
    });
    child.kill('SIGKILL');
  });
}
