import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database, withWorkspace } from '../db';
import { startPostgres, type EmbeddedPostgres } from '../launch/postgres';
import { systemClock } from '../std';
import { findCall } from './calls';
import { admitted, finished, memoryLog } from './fixtures';
import { openLedger } from './ledger';

/** A PostgreSQL of its own: this file stops it. */
const dataDir = mkdtempSync(join(tmpdir(), 'ohm-ledger-outage-'));
let postgres: EmbeddedPostgres;
let db: Database;
const start = () => startPostgres({ dataDir, log: () => undefined, settings: { fsync: 'off' } });

beforeAll(async () => {
  postgres = await start();
  db = await openDatabase({ ownerUrl: postgres.url, secret: 'a-secret-for-tests-only-0123456789abcdef', timeoutMs: 1_000 });
});
afterAll(async () => {
  await db.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('PostgreSQL stopped under load: no call is refused or lost, memory stays bounded, and it catches up by itself', async () => {
  const log = memoryLog();
  const ledger = await openLedger({ dataDir, db, clock: systemClock, log, backlog: { rows: 500, bytes: 1e6 }, journal: { segmentBytes: 256 * 1024 } });
  const rows: ReturnType<typeof finished>[] = [];
  let writing = true;
  const load = (async () => {
    while (writing) {
      const row = finished(admitted({ workspace_id: 'ws_outage' }));
      await ledger.admit(row);
      await ledger.settle(row);
      rows.push(row);
      if (rows.length % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 4)); // about 2,000 calls a second
    }
  })();
  const passed = async (count: number) => {
    const target = rows.length + count;
    await expect.poll(() => rows.length, { timeout: 30_000, interval: 5 }).toBeGreaterThan(target);
  };

  await passed(300);
  await postgres.stop();
  const [first, second] = [rows.length, rows.length + 1];
  await passed(5_000);
  await expect.poll(() => ledger.lag().databaseFailingMs, { timeout: 10_000 }).not.toBeNull();
  expect(ledger.lag().rows).toBeGreaterThan(1_000);
  // Rows that are no longer held in memory are still served, whole.
  expect(await ledger.undrained(rows[first]!.id)).toEqual(rows[first]);
  const newest = rows.at(-1)!;
  expect(await findCall(ledger, 'ws_outage', newest.id)).toEqual(newest);
  ledger.correct(rows[second]!.id, { state: 'aborted', flushed_bytes: 1 });

  postgres = await start();
  await passed(300);
  writing = false;
  await load;
  expect(await ledger.flush(60_000)).toBe(true);
  expect(ledger.lag()).toMatchObject({ rows: 0, databaseFailingMs: null, damagedLines: 0, refusedRows: 0 });
  expect(log.lines.map((line) => line.message)).toContain('ledger rows are taken again');

  const summed = await db.unscoped((queries) => queries.execute<{ n: number }>(countRows()));
  expect(summed[0]?.n).toBe(0); // the application sees no row without a workspace
  expect(await count('ws_outage')).toBe(rows.length);
  expect(await findCall(ledger, 'ws_outage', rows[second]!.id)).toEqual({ ...rows[second], state: 'aborted', flushed_bytes: 1 });
  for (const row of [rows[0]!, rows[first]!, rows.at(-1)!]) expect(await findCall(ledger, 'ws_outage', row.id)).toEqual(row);
  await ledger.close();
  expect(readdirSync(join(dataDir, 'journal'))).toEqual([]);
}, 120_000);

test('the charge of a call is waited for no longer than the bound while PostgreSQL is away, and made later', async () => {
  const ledger = await openLedger({ dataDir, db, clock: systemClock, log: memoryLog() });
  await postgres.stop();
  const row = finished(admitted({ workspace_id: 'ws_charged' }));
  await ledger.admit(row);
  await ledger.settle(row);
  await ledger.charged(row.id, 100);
  expect(ledger.lag().rows).toBe(1);
  postgres = await start();
  await ledger.charged(row.id, 30_000);
  expect(await count('ws_charged')).toBe(1);
  await ledger.close();
}, 60_000);

test('a process that starts while PostgreSQL is away takes over what the last one left, and replays it later', async () => {
  const first = await openLedger({ dataDir, db, clock: systemClock, log: memoryLog() });
  await postgres.stop();
  const [ended, open] = [finished(admitted({ workspace_id: 'ws_later' })), admitted({ workspace_id: 'ws_later' })];
  await first.admit(ended);
  await first.settle(ended);
  await first.admit(open);
  await first.close(); // gives up after a while: PostgreSQL is away
  const second = await openLedger({ dataDir, db, clock: systemClock, log: memoryLog() });
  expect(second.lag().replaying).toBe(1);
  postgres = await start();
  await expect.poll(() => second.lag().replaying, { timeout: 20_000 }).toBe(0);
  expect(await findCall(second, 'ws_later', ended.id)).toEqual(ended);
  expect(await findCall(second, 'ws_later', open.id)).toMatchObject({ ...open, state: 'lost' });
  await second.close();
}, 60_000);

async function count(workspaceId: string): Promise<number> {
  const rows = await withWorkspace(db, workspaceId, (tx) => tx.execute<{ n: number }>(countRows()));
  return rows[0]!.n;
}

function countRows() {
  return sql`select count(*)::int as n from calls`;
}
