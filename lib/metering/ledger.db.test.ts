import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { systemClock } from '../std';
import type { CallRow } from './call-row';
import { findCall, listCalls } from './calls';
import { admitted, attempt, finished, memoryLog } from './fixtures';
import { openLedger, type Ledger, type OpenLedgerOptions } from './ledger';

let database: TestDatabase;
let dataDir: string;
const opened: Ledger[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ohm-ledger-'));
});
afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function open(options: Partial<OpenLedgerOptions> = {}): Promise<Ledger> {
  const ledger = await openLedger({ dataDir, db: database.db, clock: systemClock, log: memoryLog(), ...options });
  opened.push(ledger);
  return ledger;
}

const journalFolders = () => readdirSync(join(dataDir, 'journal'));
const rowsOf = (id: string) => database.owner`select * from calls where id = ${id}`;

describe('a call’s row', () => {
  test('comes back from memory and from PostgreSQL as it was written, member for member', async () => {
    const ledger = await open();
    const row = finished(admitted(), {
      attempts: [attempt({ state: 'failed', class: 'rate_limited', upstream_status: 429, message: 'naïve "quoted" \\ \n text' }), attempt({ tier: 2 })],
      tier: 2,
      alert_class: 'rate_limited.before_content',
      usage_estimated: ['completion_tokens'],
      usage_source: 'estimate',
    });
    await ledger.admit(row);
    await ledger.settle(row);
    expect(await findCall(ledger, 'ws_test', row.id)).toEqual(row);
    expect(await ledger.flush(5_000)).toBe(true);
    expect(await ledger.undrained(row.id)).toBeUndefined();
    expect(await findCall(ledger, 'ws_test', row.id)).toEqual(row);
  });

  test('is not to be found before its end, by another workspace, or under an unknown id', async () => {
    const ledger = await open();
    const row = finished();
    await ledger.admit(row);
    expect(await findCall(ledger, 'ws_test', row.id)).toBeUndefined();
    await ledger.settle(row);
    expect(await findCall(ledger, 'ws_other', row.id)).toBeUndefined();
    await ledger.flush(5_000);
    expect(await findCall(ledger, 'ws_other', row.id)).toBeUndefined();
    expect(await findCall(ledger, 'ws_test', 'call_nothing')).toBeUndefined();
  });

  test.each([['a journal', true], ['the database alone', false]])('has charged its budgets when that was waited for, without the pause in which others gather (%s)', async (_kind, journal) => {
    const ledger = await open(journal ? {} : { dataDir: null });
    const row = finished();
    await ledger.admit(row);
    await ledger.settle(row);
    await ledger.charged(row.id, 5_000);
    expect(await rowsOf(row.id)).toHaveLength(1);
    expect(ledger.lag().rows).toBe(0);
  });

  test('is corrected in memory at once and in PostgreSQL afterwards', async () => {
    const ledger = await open();
    const row = finished();
    await ledger.admit(row);
    await ledger.settle(row);
    ledger.correct(row.id, { state: 'aborted', flushed_bytes: 17 });
    expect(await findCall(ledger, 'ws_test', row.id)).toEqual({ ...row, state: 'aborted', flushed_bytes: 17 });
    await ledger.flush(5_000);
    expect(await findCall(ledger, 'ws_test', row.id)).toEqual({ ...row, state: 'aborted', flushed_bytes: 17 });
  });

  test('is corrected to a count that nobody knows, in both', async () => {
    const ledger = await open();
    const row = finished();
    await ledger.admit(row);
    await ledger.settle(row);
    ledger.correct(row.id, { state: 'aborted', flushed_bytes: null });
    expect(await findCall(ledger, 'ws_test', row.id)).toEqual({ ...row, state: 'aborted', flushed_bytes: null });
    await ledger.flush(5_000);
    expect(ledger.correction(row.id)).toEqual({});
    expect(await findCall(ledger, 'ws_test', row.id)).toEqual({ ...row, state: 'aborted', flushed_bytes: null });
  });

  test('is the same in PostgreSQL as in memory, whatever its texts are and whichever members it has', async () => {
    const ledger = await open();
    const texts = ['', ' a ', 'é', "it's", 'null', 'NULL', '{}', '[1]', '%s $1 ;--', '\u007f\u0085\u2028', 'a,b', '(a)', 'a"b', 'a\\b', 'a\nb', '😀'];
    const rows = texts.flatMap((text) => [
      finished(admitted({ route: text, requested_model: text, tag: text }), { model_reported: text, connection_id: text, finish_reason: text, attempts: [attempt({ model: text, message: text, class: 'cut' }), attempt()] }),
      finished(admitted({ route: text, stream: null }), { state: 'rejected', status: 429, error_code: text, tier: null, connection_id: null, provider: null, model: null, model_reported: null, finish_reason: null, attempts: [], usage: null, usage_source: null, usage_estimated: [], cost_nano_usd: null, price_version: null, first_content_ms: null }),
      finished(admitted({ tag: text }), { usage_source: 'estimate', usage_estimated: ['prompt_tokens', 'completion_tokens'], duration_ms: 1234.5678, budget_nano_usd: text === '' ? null : 7 }),
    ]);
    for (const row of rows) await ledger.settle(row);
    for (const row of rows) expect(await findCall(ledger, 'ws_test', row.id)).toEqual(row);
    expect(await ledger.flush(5_000)).toBe(true);
    expect(ledger.lag()).toMatchObject({ rows: 0, refusedRows: 0 });
    for (const row of rows) expect(await findCall(ledger, 'ws_test', row.id)).toEqual(row);
  });

  test('with text that PostgreSQL cannot hold is mended and kept, and does not hold up its neighbours', async () => {
    const ledger = await open();
    const before = finished();
    const nul = finished(admitted({ requested_model: 'a\0b\ud800c' }));
    const long = finished(admitted({ route: Array.from({ length: 9000 }, () => Math.random().toString(36)[2]).join('') }));
    const after = finished();
    for (const row of [before, nul, long, after]) await ledger.settle(row);
    expect(await ledger.flush(5_000)).toBe(true);
    expect((await findCall(ledger, 'ws_test', nul.id))?.requested_model).toBe('a\uFFFDb\uFFFDc');
    expect((await findCall(ledger, 'ws_test', long.id))?.route).toHaveLength(400);
    expect(await findCall(ledger, 'ws_test', after.id)).toEqual(after);
    expect(ledger.lag()).toMatchObject({ rows: 0, refusedRows: 0 });
  });

  test('that PostgreSQL refuses for good goes to the log whole, is kept without its figures, and does not hold up its neighbours', async () => {
    const log = memoryLog();
    const ledger = await open({ log });
    const broken = finished(admitted(), { tier: 1e30 });
    const fine = finished();
    await ledger.settle(broken);
    await ledger.settle(fine);
    expect(await ledger.flush(5_000)).toBe(true);
    expect(ledger.lag().refusedRows).toBe(1);
    expect(log.lines.find((line) => line.level === 'error')?.fields).toMatchObject({ id: broken.id, row: expect.stringContaining('"tier":1e+30') });
    expect(await findCall(ledger, 'ws_test', fine.id)).toEqual(fine);
    expect(await findCall(ledger, 'ws_test', broken.id)).toMatchObject({ state: 'finished', flushed_bytes: broken.flushed_bytes, tier: null, usage: null, attempts: [] });
  });

  test('of its own end replaces a `lost` that was concluded too early, never the reverse', async () => {
    const ledger = await open();
    const row = finished();
    const lost = finished(row, { state: 'lost', flushed_bytes: null, usage: null, usage_source: null });
    await ledger.settle(lost);
    await ledger.flush(5_000);
    await ledger.settle(row);
    await ledger.flush(5_000);
    await ledger.settle(lost);
    await ledger.flush(5_000);
    expect(await findCall(ledger, 'ws_test', row.id)).toEqual(row);
    expect(await rowsOf(row.id)).toHaveLength(1);
  });
});

describe('the journal', () => {
  test('is gone after a close that left nothing owed', async () => {
    const ledger = await open();
    const row = finished();
    await ledger.admit(row);
    await ledger.settle(row);
    await ledger.close();
    expect(journalFolders()).toEqual([]);
    expect(await rowsOf(row.id)).toHaveLength(1);
  });

  test('of a process that ended with a call open is replayed by the next: one row, lost, nothing invented', async () => {
    const first = await open();
    const row = admitted();
    await first.admit(row);
    await first.close();
    expect(journalFolders()).toHaveLength(1);
    const second = await open();
    expect(await findCall(second, 'ws_test', row.id)).toMatchObject({ ...row, state: 'lost', usage: null, cost_nano_usd: null, flushed_bytes: null });
    expect(journalFolders().filter((name) => name.includes('~'))).toEqual([]);
  });

  test('of a living ledger is not touched by a second one on the same folder', async () => {
    const first = await open();
    const row = finished();
    await first.admit(row);
    const second = await open();
    expect(await findCall(second, 'ws_test', row.id)).toBeUndefined();
    await first.settle(row);
    await first.flush(5_000);
    expect(await findCall(second, 'ws_test', row.id)).toEqual(row);
    expect(journalFolders()).toHaveLength(2);
  });

  test('rotates, and keeps two files of what owes nothing to write over them', async () => {
    const ledger = await open({ journal: { segmentBytes: 4096 } });
    const long = admitted();
    await ledger.admit(long);
    for (let i = 0; i < 50; i++) {
      const row = finished();
      await ledger.admit(row);
      await ledger.settle(row);
    }
    await ledger.flush(5_000);
    const files = () => readdirSync(join(dataDir, 'journal', journalFolders()[0]!)).map((name) => name.replace(/^\d+(\.reused)?/, '')).sort();
    await expect.poll(files).toEqual(['.log', '.log', '.spare', '.spare']); // the one with the open call, and the present one
    await ledger.settle(finished(long));
    await ledger.flush(5_000);
    await expect.poll(files).toEqual(['.log', '.spare', '.spare']);
  });
});

describe('a journal', () => {
  test('writes the records of one turn of the event loop together, and says of none that it is safe before it is', async () => {
    const { writeSync } = await import('node:fs');
    let writes = 0;
    const write = (fd: number, bytes: Buffer, start: number, length: number, position: number) => {
      writes++;
      return writeSync(fd, bytes, start, length, position);
    };
    const ledger = await open({ journal: { write } });
    const rows = Array.from({ length: 20 }, () => finished());
    let safe = 0;
    const all = rows.flatMap((row) => [ledger.admit(row), ledger.settle(row)]).map(async (done) => {
      await done;
      safe++;
      expect(writes).toBe(1);
    });
    await Promise.resolve();
    expect([writes, safe]).toEqual([0, 0]);
    await Promise.all(all);
    expect([writes, safe]).toEqual([1, 40]);
    const large = Array.from({ length: 5 }, () => finished(admitted({ requested_model: 'ß'.repeat(60_000) })));
    await Promise.all(large.map((row) => ledger.settle(row)));
    for (const row of [...rows, ...large]) expect(await ledger.undrained(row.id) ?? (await findCall(ledger, 'ws_test', row.id))).toEqual(row);
  });
});

describe('a journal that cannot be written', () => {
  test('sends calls straight to PostgreSQL, and is used again as soon as it can be', async () => {
    let full = false;
    const { writeSync } = await import('node:fs');
    const write = (fd: number, bytes: Buffer, start: number, length: number, position: number) => writeSync(fd, bytes, start, full ? Math.min(10, length) : length, position);
    const ledger = await open({ journal: { write } });
    const rows = [finished(), finished(), finished()];
    await ledger.admit(rows[0]!);
    full = true;
    await ledger.admit(rows[1]!);
    await ledger.settle(rows[0]!);
    await ledger.settle(rows[1]!);
    expect(ledger.lag().journalHealthy).toBe(false);
    expect(await rowsOf(rows[0]!.id)).toHaveLength(1);
    full = false;
    await ledger.admit(rows[2]!);
    await ledger.settle(rows[2]!);
    expect(ledger.lag().journalHealthy).toBe(true);
    await ledger.close();
    expect(journalFolders()).toEqual([]);
    expect(await database.owner`select id from open_calls`).toEqual([]);
    const again = await open();
    for (const row of rows) expect(await findCall(again, 'ws_test', row.id)).toEqual(row);
    expect(again.lag().damagedLines).toBe(0);
  });

  test('refuses calls with `dependency_unavailable` when the database is away too, and recovers by itself', async () => {
    const other = await database.open({ timeoutMs: 300 });
    let full = true;
    const ledger = await openLedger({
      dataDir, db: other, clock: systemClock, log: memoryLog(), directBoundMs: 300,
      journal: { write: (_fd, _bytes, _start, length) => { if (full) throw Object.assign(new Error('no space'), { code: 'ENOSPC' }); return length; } },
    });
    opened.push(ledger);
    await other.close();
    await expect(async () => await ledger.admit(admitted())).rejects.toMatchObject({ code: 'dependency_unavailable' });
    await expect(async () => await ledger.settle(finished())).rejects.toMatchObject({ code: 'dependency_unavailable' });
    full = false;
    await ledger.admit(admitted());
  });

  test('a folder that was deleted under it is made again', async () => {
    const ledger = await open();
    await ledger.admit(admitted());
    rmSync(join(dataDir, 'journal'), { recursive: true });
    await expect.poll(async () => {
      await ledger.admit(admitted());
      try {
        return journalFolders().length;
      } catch {
        return 0;
      }
    }, { timeout: 10_000 }).toBe(1);
  });

  test('a data folder that cannot be made is no reason not to start', async () => {
    mkdirSync(dataDir, { recursive: true });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(dataDir, 'journal'), 'a file is in the way');
    const ledger = await open();
    const row = finished();
    await ledger.admit(row);
    await ledger.settle(row);
    expect(await rowsOf(row.id)).toHaveLength(1);
  });
});

describe('without a folder', () => {
  test('a row is in PostgreSQL when `settle` resolves, and its admission when `admit` does', async () => {
    const ledger = await open({ dataDir: null });
    expect(ledger.journalKind()).toBe('database');
    const row = finished();
    await ledger.admit(row);
    expect(await database.owner`select id from open_calls where id = ${row.id}`).toHaveLength(1);
    await ledger.settle(row);
    expect(await rowsOf(row.id)).toHaveLength(1);
    expect(await database.owner`select id from open_calls where id = ${row.id}`).toHaveLength(0);
  });

  test('concurrent calls share statements and all arrive', async () => {
    const ledger = await open({ dataDir: null });
    const rows = Array.from({ length: 200 }, () => finished());
    await Promise.all(rows.map(async (row) => {
      await ledger.admit(row);
      await ledger.settle(row);
    }));
    const found = await database.owner`select count(*)::int as n from calls where id in ${database.owner(rows.map((row) => row.id))}`;
    expect(found[0]?.n).toBe(200);
  });

  test('calls of an instance that fell silent are closed as lost by another', async () => {
    const ledger = await open({ dataDir: null });
    const row = admitted();
    const mine = admitted();
    await ledger.admit(mine);
    await database.owner`insert into ledger_instances values ('gone', now() - interval '10 minutes')`;
    await database.owner`insert into open_calls values (${row.id}, 'ws_test', 'gone', ${database.owner.json(row as never)}, now() - interval '10 minutes')`;
    const other = await open({ dataDir: null });
    await expect.poll(() => findCall(other, 'ws_test', row.id)).toMatchObject({ ...row, state: 'lost', flushed_bytes: null, usage: null });
    expect(await findCall(other, 'ws_test', mine.id)).toBeUndefined();
    expect(await database.owner`select id from open_calls where id = ${mine.id}`).toHaveLength(1);
  });
});

describe('the list', () => {
  test('shows a call right after its end, newest first, in pages that neither repeat nor skip', async () => {
    const ledger = await open();
    const base = Date.parse('2026-01-01T00:00:00.000Z');
    const rows = Array.from({ length: 25 }, (_, i) => finished(admitted({ workspace_id: 'ws_list', created_at: new Date(base + Math.floor(i / 3)).toISOString() })));
    for (const row of rows) await ledger.settle(row);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listCalls(ledger, 'ws_list', { limit: 4, cursor });
      seen.push(...page.data.map((row) => row.id));
      cursor = page.next_cursor ?? undefined;
      // Newer calls that come in between do not shift the pages.
      await ledger.settle(finished(admitted({ workspace_id: 'ws_list', created_at: new Date(base + 1_000_000).toISOString() })));
    } while (cursor);
    const expected = [...rows].sort((a, b) => (a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1));
    expect(seen).toEqual(expected.map((row) => row.id));
  });

  test('filters by key, route, state, class and time, and never crosses workspaces', async () => {
    const ledger = await open();
    const ws = { workspace_id: 'ws_filter' };
    const plain = finished(admitted({ ...ws, key_id: 'key_a', created_at: '2026-01-01T00:00:00.000Z' }));
    const rerouted = finished(admitted({ ...ws, route: 'other', created_at: '2026-01-02T00:00:00.000Z' }), {
      attempts: [attempt({ state: 'failed', class: 'stalled' }), attempt({ tier: 2, state: 'failed', class: 'rate_limited' }), attempt({ tier: 3 })],
      alert_class: 'rate_limited.before_content', tier: 3,
    });
    const truncated = finished(admitted({ ...ws, created_at: '2026-01-03T00:00:00.000Z' }), { state: 'truncated', alert_class: 'rate_limited.after_content' });
    for (const row of [plain, rerouted, truncated, finished(admitted({ workspace_id: 'ws_stranger' }))]) await ledger.settle(row);
    const ids = async (filter: Parameters<typeof listCalls>[2]) => (await listCalls(ledger, 'ws_filter', filter)).data.map((row) => row.id);
    expect(await ids({})).toEqual([truncated.id, rerouted.id, plain.id]);
    expect(await ids({ key: 'key_a' })).toEqual([plain.id]);
    expect(await ids({ route: 'other' })).toEqual([rerouted.id]);
    expect(await ids({ state: 'truncated' })).toEqual([truncated.id]);
    expect(await ids({ class: 'rate_limited' })).toEqual([truncated.id, rerouted.id]);
    expect(await ids({ class: 'stalled' })).toEqual([rerouted.id]);
    expect(await ids({ class: 'rate_limited', route: 'other' })).toEqual([rerouted.id]);
    expect(await ids({ class: 'rate_limited', to: '2026-01-03T00:00:00Z' })).toEqual([rerouted.id]);
    expect(await ids({ class: 'rate_limited', limit: 1 })).toEqual([truncated.id]);
    expect(await ids({ class: 'rate_limited.after_content' })).toEqual([truncated.id]);
    expect(await ids({ class: 'rate_limited.before_content' })).toEqual([rerouted.id]);
    expect(await ids({ class: 'rate_limited.before_content', key: 'key_a' })).toEqual([]);
    expect(await ids({ from: '2026-01-02T00:00:00Z', to: new Date('2026-01-03T00:00:00Z') })).toEqual([rerouted.id]);
  });

  test('finds the calls that an attempt of a class failed at a moment, also where a later one failed in another way', async () => {
    const ledger = await open();
    const at = (day: number, more: Partial<CallRow>) => finished(admitted({ workspace_id: 'ws_moment', created_at: `2026-01-0${day}T00:00:00.000Z` }), more);
    const stalled = attempt({ state: 'failed', class: 'stalled' });
    const answered = at(1, { attempts: [stalled, attempt({ tier: 2 })], alert_class: 'stalled.before_content', tier: 2 });
    const cutLater = at(2, { state: 'truncated', attempts: [stalled, attempt({ tier: 2, state: 'truncated', class: 'cut' })], alert_class: 'cut.after_content', tier: 2 });
    const failedLater = at(3, { state: 'rejected', attempts: [stalled, attempt({ tier: 2, state: 'failed', class: 'auth' })], alert_class: 'auth.before_content' });
    const fellSilent = at(4, { state: 'truncated', attempts: [attempt({ state: 'truncated', class: 'stalled' })], alert_class: 'stalled.after_content' });
    for (const row of [answered, cutLater, failedLater, fellSilent]) await ledger.settle(row);
    const ids = async (filter: Parameters<typeof listCalls>[2]) => (await listCalls(ledger, 'ws_moment', filter)).data.map((row) => row.id);
    expect(await ids({ class: 'stalled' })).toEqual([fellSilent.id, failedLater.id, cutLater.id, answered.id]);
    expect(await ids({ class: 'stalled.before_content' })).toEqual([failedLater.id, cutLater.id, answered.id]);
    expect(await ids({ class: 'stalled.after_content' })).toEqual([fellSilent.id]);
    expect(await ids({ class: 'cut.before_content' })).toEqual([]);
    const first = await listCalls(ledger, 'ws_moment', { class: 'stalled.before_content', limit: 2 });
    expect(await ids({ class: 'stalled.before_content', limit: 2, cursor: first.next_cursor! })).toEqual([answered.id]);
  });

  test.each(['', 'x', 'bm90IGEgY3Vyc29y', 'AAAA'])('refuses %j as a cursor by name', async (cursor) => {
    const ledger = await open();
    await expect(listCalls(ledger, 'ws_test', { cursor })).rejects.toMatchObject({ name: 'Refusal', code: 'invalid', issues: [{ field: 'cursor' }] });
  });
});
