import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../db';
import { startPostgres } from '../launch/postgres';
import { systemClock } from '../std';
import { finished, memoryLog } from './fixtures';
import { openLedger } from './ledger';
import { createPrices } from './prices';

/**
 * What the ledger costs a call, and how fast it drains: `npx tsx lib/metering/bench.ts`. Starts a PostgreSQL of
 * its own with its usual durability. Prints figures; asserts nothing.
 */
async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ohm-ledger-bench-'));
  const postgres = await startPostgres({ dataDir, log: () => undefined });
  const db = await openDatabase({ ownerUrl: postgres.url, secret: 'a-secret-for-the-bench-0123456789abcdef' });
  try {
    priceOfACall();
    await hotPath(dataDir, db);
    await drainSpeed(dataDir, db, 50_000);
    await direct(db);
  } finally {
    await db.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Db = Awaited<ReturnType<typeof openDatabase>>;
const open = (dataDir: string | null, db: Db) => openLedger({ dataDir, db, clock: systemClock, log: memoryLog() });

/** Admit and settle together, JSON and writing included, with the drain held back and with it running. */
async function hotPath(dataDir: string, db: Db): Promise<void> {
  const ledger = await open(dataDir, db);
  const rows = Array.from({ length: 10_000 }, () => finished());
  for (const row of rows) { // warm up
    ledger.admit(row);
    ledger.settle(row);
  }
  await ledger.flush(60_000);
  for (const round of [1, 2, 3]) {
    const fresh = Array.from({ length: 10_000 }, () => finished());
    const start = process.cpuUsage();
    const from = performance.now();
    for (const row of fresh) {
      ledger.admit(row);
      ledger.settle(row);
    }
    const used = process.cpuUsage(start);
    print(`admit + settle, round ${round}`, `${((performance.now() - from) / 10).toFixed(2)} µs a call, CPU ${((used.user + used.system) / 10_000).toFixed(2)} µs`);
    const drainStart = process.cpuUsage();
    await ledger.flush(60_000);
    const drained = process.cpuUsage(drainStart);
    print('  this process’s CPU for draining them', `${((drained.user + drained.system) / 10_000).toFixed(2)} µs a call`);
  }
  await ledger.close();
}

/** More rows than memory may hold: part of them is read from the journal again. */
async function drainSpeed(dataDir: string, db: Db, count: number): Promise<void> {
  const ledger = await open(dataDir, db);
  for (let i = 0; i < count; i++) {
    const row = finished();
    ledger.admit(row);
    ledger.settle(row);
  }
  const from = performance.now();
  await ledger.flush(120_000);
  print('drain into PostgreSQL', `${Math.round((count / (performance.now() - from)) * 1000).toLocaleString('en')} rows/s (${count} rows)`);
  await ledger.close();
}

async function direct(db: Db): Promise<void> {
  const ledger = await open(null, db);
  const from = performance.now();
  const one = async () => {
    for (let i = 0; i < 100; i++) {
      const row = finished();
      await ledger.admit(row);
      await ledger.settle(row);
    }
  };
  await Promise.all(Array.from({ length: 20 }, one));
  print('straight to PostgreSQL, 20 at a time', `${Math.round(2_000 / ((performance.now() - from) / 1000)).toLocaleString('en')} calls/s`);
  await ledger.close();
}

function priceOfACall(): void {
  const prices = createPrices();
  const usage = finished().usage!;
  const from = performance.now();
  const connection = { provider: 'openai', prices: [] };
  for (let i = 0; i < 200_000; i++) prices.cost(connection, 'gpt-4o-mini', usage, 1_795_000_000_000 + i);
  print('price of a call', `${(((performance.now() - from) / 200_000) * 1000).toFixed(2)} µs`);
}

function print(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(44)} ${figure}\n`);
}

await main();
