import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { openDatabase, type Database } from '../../lib/db';
import { startPostgres } from '../../lib/launch/postgres';
import { finished, admitted, memoryLog } from '../../lib/metering/fixtures';
import { lastDays, listCalls, openLedger, publicFigures, summary, usage, GROUPINGS, type CallFilter, type Ledger } from '../../lib/metering';
import { systemClock } from '../../lib/std';
import { fillLedger, KEYS, MAIN, type Filled } from './ledger-rows';
import { machine, treeCpuSeconds } from './machine';

export interface LedgerOptions {
  /** Ledger rows to build. */
  rows: number;
  /** How often each question is asked; the slowest of them counts. */
  repeats: number;
}

export interface Question {
  name: string;
  kind: 'figure' | 'page';
  medianMs: number;
  worstMs: number;
  /** Of PostgreSQL and of this process together, a question: what it takes where nobody else is at work. Null without /proc. */
  cpuMs: number | null;
  goalMs: number;
  met: boolean;
}

export interface LedgerResult {
  suite: 'ledger';
  at: string;
  machine: Record<string, unknown>;
  rows: number;
  filled: Filled;
  questions: Question[];
  drain: { rowsPerSecond: number; cpuUsPerRow: number | null; goal: number; met: boolean };
}

const FIGURE_MS = 300;
const PAGE_MS = 100;
const DRAIN_ROWS = 60_000;
const DRAIN_GOAL = 10_000;

/**
 * Builds a ledger of millions of rows in a PostgreSQL of its own, with the product's usual settings, and asks what
 * the dashboard asks: figures from the sums, pages of the calls list. Then drains more rows into it.
 */
export async function ledgerBench({ rows, repeats }: LedgerOptions): Promise<LedgerResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ohm-ledger-'));
  const server = await startPostgres({ dataDir, log: () => undefined });
  const db = await openDatabase({ ownerUrl: server.url, secret: 'Zk3vQ9sL1xW8nB5tR2yU7iO4pA6dF0gH', timeoutMs: 60_000 });
  const owner = postgres(server.url, { max: 2, onnotice: () => {} });
  try {
    console.log(`Ohm ledger bench, ${rows.toLocaleString('en-US')} rows; ${machine().cores} cores, load average ${Number(machine().loadAverage).toFixed(1)} at the start`);
    const filled = await fillLedger(owner, rows);
    print('rows made', `${Math.round(rows / filled.seconds).toLocaleString('en-US')} rows/s`);
    print('sums built from the rows', `${Math.round(rows / filled.rebuildSeconds).toLocaleString('en-US')} rows/s, ${filled.rollups.toLocaleString('en-US')} of hours, ${filled.blocks.toLocaleString('en-US')} of blocks, ${filled.parts.toLocaleString('en-US')} of parts of hours, ${filled.groups.toLocaleString('en-US')} of one thing`);
    const questions = await askAll(dataDir, db, repeats, cpuOf(dataDir));
    const drain = await drainSpeed(dataDir, db, cpuOf(dataDir));
    return { suite: 'ledger', at: new Date().toISOString(), machine: machine(), rows, filled, questions, drain };
  } finally {
    await owner.end({ timeout: 1 });
    await db.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** CPU seconds used until now by the server, with its children, and by this process. */
function cpuOf(dataDir: string): () => number | null {
  const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  return () => {
    const server = treeCpuSeconds(pid);
    const { user, system } = process.cpuUsage();
    return server === null ? null : server + (user + system) / 1e6;
  };
}

async function askAll(dataDir: string, db: Database, repeats: number, cpu: () => number | null): Promise<Question[]> {
  const ledger = await openLedger({ dataDir, db, clock: systemClock, log: memoryLog() });
  const asked: Question[] = [];
  const ask = async (kind: Question['kind'], name: string, question: () => Promise<unknown>) => {
    await question(); // what was never read before is read from disk once
    const times: number[] = [];
    const before = cpu();
    for (let i = 0; i < repeats; i++) {
      const from = performance.now();
      await question();
      times.push(performance.now() - from);
    }
    const after = cpu();
    const cpuMs = before === null || after === null ? null : ((after - before) * 1000) / repeats;
    times.sort((a, b) => a - b);
    const [medianMs, worstMs] = [times[times.length >> 1]!, times.at(-1)!];
    const goalMs = kind === 'figure' ? FIGURE_MS : PAGE_MS;
    asked.push({ name, kind, medianMs, worstMs, cpuMs, goalMs, met: worstMs <= goalMs });
    print(name, `${medianMs.toFixed(1)} ms, worst ${worstMs.toFixed(1)} ms, CPU ${cpuMs?.toFixed(0) ?? '?'} ms${worstMs <= goalMs ? '' : `  OVER ${goalMs} ms`}`);
  };
  for (const [name, question] of figures(ledger)) await ask('figure', name, question);
  await ask('figure', 'public figures', () => publicFigures(db));
  for (const [name, filter] of Object.entries(PAGES)) await ask('page', `calls: ${name}`, () => listCalls(ledger, MAIN, filter));
  await ask('page', 'calls: the 20th page', () => deepPage(ledger));
  await ledger.close();
  return asked;
}

type Asked = [name: string, question: () => Promise<unknown>];

/** What the overview and the usage page ask, in a zone of whole hours and in one that splits an hour every midnight. */
function figures(ledger: Ledger): Asked[] {
  const now = Date.now();
  const overview = [1, 7, 30].map((days): Asked => [`overview, ${days} days`, () => summary(ledger, MAIN, new Date(now - days * 86_400_000), new Date(now))]);
  const pages = ['Europe/Berlin', 'Asia/Kolkata'].flatMap((zone) =>
    [1, 7, 30, 90].flatMap((days) =>
      ([null, ...GROUPINGS] as const).flatMap((groupBy): Asked[] => {
        const { fromMs, toMs } = lastDays(days, now, zone);
        const query = { from: new Date(fromMs), to: new Date(toMs), step: days === 1 ? ('hour' as const) : ('day' as const), zone, groupBy };
        const name = `usage, ${zone}, ${days} days, by ${groupBy ?? 'nothing'}`;
        if (groupBy === null) return [[name, () => usage(ledger, MAIN, query)]];
        return [
          [`${name}: lines`, () => usage(ledger, MAIN, { ...query, most: 5 })],
          [`${name}: sums`, () => usage(ledger, MAIN, { ...query, step: null })],
        ];
      }),
    ),
  );
  const filtered = ['Europe/Berlin', 'Asia/Kathmandu'].flatMap((zone): Asked[] => {
    const { fromMs, toMs } = lastDays(90, now, zone);
    const query = { from: new Date(fromMs), to: new Date(toMs), step: 'day' as const, zone };
    return [
      [`usage, ${zone}, one key, 90 days, by model`, () => usage(ledger, MAIN, { ...query, groupBy: 'model', filter: { key: KEYS[3]! } })],
      [`usage, ${zone}, one model, 90 days, by key`, () => usage(ledger, MAIN, { ...query, groupBy: 'key', filter: { model: 'model 4' } })],
    ];
  });
  return [...overview, ...pages, ...filtered];
}

const PAGES: Record<string, CallFilter> = {
  'newest': {},
  'one key': { key: KEYS[0]! },
  'a key that is seldom used': { key: KEYS.at(-1)! },
  'one route': { route: 'route 3' },
  'truncated': { state: 'truncated' },
  'lost': { state: 'lost' },
  'class overloaded': { class: 'overloaded' },
  'class stalled, after content': { class: 'stalled.after_content' },
  'a rare class': { class: 'quota' },
  'a tag': { tag: 'tag 17' },
  'a model': { model: 'model 5' },
  'a connection': { connection: 'conn 2' },
  'truncated calls of a key': { key: KEYS[5]!, state: 'truncated' },
  'a week three weeks ago': { from: new Date(Date.now() - 28 * 86_400_000), to: new Date(Date.now() - 21 * 86_400_000) },
  'nothing at all matches': { tag: 'nobody' },
};

let deep: string | undefined;
async function deepPage(ledger: Ledger): Promise<unknown> {
  if (deep === undefined) for (let page = 0; page < 19; page++) deep = (await listCalls(ledger, MAIN, deep === undefined ? {} : { cursor: deep })).next_cursor!;
  return await listCalls(ledger, MAIN, { cursor: deep! });
}

/** Rows like those of a busy hour: many keys, several models. More of them than memory may hold. */
async function drainSpeed(dataDir: string, db: Database, cpu: () => number | null): Promise<LedgerResult['drain']> {
  const ledger = await openLedger({ dataDir, db, clock: systemClock, log: memoryLog() });
  const rows = Array.from({ length: DRAIN_ROWS }, (_, i) => finished(admitted({ workspace_id: MAIN, key_id: KEYS[i % KEYS.length]!, route: `route ${i % 8}` }), { model: `model ${i % 12}`, connection_id: `conn ${i % 4}` }));
  for (const row of rows) {
    ledger.admit(row);
    ledger.settle(row);
  }
  const before = cpu();
  const from = performance.now();
  await ledger.flush(300_000);
  const rowsPerSecond = (DRAIN_ROWS / (performance.now() - from)) * 1000;
  const after = cpu();
  const cpuUsPerRow = before === null || after === null ? null : ((after - before) * 1e6) / DRAIN_ROWS;
  await ledger.close();
  print('drain into the full ledger', `${Math.round(rowsPerSecond).toLocaleString('en-US')} rows/s, CPU ${cpuUsPerRow?.toFixed(0) ?? '?'} us a row${rowsPerSecond >= DRAIN_GOAL ? '' : `  UNDER ${DRAIN_GOAL}`}`);
  return { rowsPerSecond, cpuUsPerRow, goal: DRAIN_GOAL, met: rowsPerSecond >= DRAIN_GOAL };
}

function print(what: string, figure: string): void {
  console.log(`${what.padEnd(52)} ${figure}`);
}
