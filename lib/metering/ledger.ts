import { join } from 'node:path';
import type { Database } from '../db';
import { DependencyUnavailable, type CallLog, type LateMeasurement } from '../gateway/ports';
import type { Clock } from '../std';
import { createBacklog, type BacklogBounds } from './backlog';
import type { CallRow } from './call-row';
import { deliver, refuseLoudly } from './deliver';
import { startDrain } from './drain';
import { type Entry, entryOf } from './entry';
import { correctionJson, type Journal, measurementJson, openJournal } from './journal';
import { newOwner } from './journal-owner';
import { keepAdopting } from './keep-adopting';
import type { Log } from './log';
import { createOpenCalls } from './open-calls';
import type { JournalOptions } from './segments';
import { rowOf, rowText } from './row-text';
import { createStore } from './store';

/** The one record of calls. Reads of it are `findCall`, `listCalls`, `summary` and `publicFigures`. */
export interface Ledger extends CallLog {
  /** `folder`: an append-only journal, drained into PostgreSQL. `database`: straight into PostgreSQL. */
  journalKind(): 'folder' | 'database';
  lag(): LedgerLag;
  /** Brings what has ended until now into PostgreSQL; false when that takes longer than `boundMs`. */
  flush(boundMs: number): Promise<boolean>;
  /** An ended call of this process that PostgreSQL does not have yet. */
  undrained(id: string): Promise<CallRow | undefined>;
  /** What was said of an ended call since, and is not yet in PostgreSQL. */
  correction(id: string): Partial<Pick<CallRow, 'state' | 'flushed_bytes'> & LateMeasurement>;
  /**
   * Rows of calls that a process without a database of its own has ended: straight into PostgreSQL, any number of times.
   * Rejects when it is away. What it will not take at all is in the log.
   */
  take(entries: readonly Entry[]): Promise<void>;
  /** May other processes be writing to the same ledger, as far as can be seen from here? */
  hasNeighbours(): boolean;
  readonly db: Database;
  /** Gives PostgreSQL a few seconds for what is left, and leaves the rest to the next process. Idempotent. */
  close(): Promise<void>;
}

/** For readiness and the operator. */
export interface LedgerLag {
  /** Ended calls (and corrections) that PostgreSQL does not have yet. */
  rows: number;
  /** For how long PostgreSQL has been taking none, ms; null while it takes them. */
  databaseFailingMs: number | null;
  /** Can the journal be written? True in `database` mode. */
  journalHealthy: boolean;
  /** Journals of dead processes that are still being replayed. */
  replaying: number;
  /** Lines of journals that were torn or damaged, since this process started. */
  damagedLines: number;
  /** Rows that PostgreSQL would not take even after mending; they are in the log. */
  refusedRows: number;
}

export interface OpenLedgerOptions {
  /** Null: no persistent folder; every row goes straight to PostgreSQL. */
  dataDir: string | null;
  db: Database;
  clock: Clock;
  log: Log;
  /** How long a row may take that has to be in PostgreSQL before the client gets its end, ms. */
  directBoundMs?: number;
  journal?: Partial<Pick<JournalOptions, 'segmentBytes' | 'syncDelayMs' | 'write'>>;
  backlog?: BacklogBounds;
}

const CLOSE_BOUND_MS = 5_000;

/**
 * Opens the ledger of this process. A row is safe when the promise of `admit` or `settle` resolves: at the end of the
 * present turn of the event loop where there is a journal, with PostgreSQL's answer where there is none.
 */
export async function openLedger(options: OpenLedgerOptions): Promise<Ledger> {
  const { dataDir, db, clock, log, directBoundMs = 5_000 } = options;
  const store = createStore(db);
  let damagedLines = 0;
  let refusedRows = 0;
  let closing: Promise<void> | null = null;
  const refuse = refuseLoudly(log, () => refusedRows++);

  const root = dataDir === null ? null : join(dataDir, 'journal');
  const owner = root === null ? null : newOwner();
  const journal = root === null ? null : openJournal({ root, owner: owner!, log, written: taken, ...options.journal });
  const backlog = createBacklog(journal, options.backlog);
  const drain = startDrain({ backlog, journal, store, clock, log, refuse, lingerMs: journal ? 80 : 0 });
  const openCalls = createOpenCalls(store, log);
  const adoption =
    root === null
      ? null
      : keepAdopting({ root, owner: owner!, store, clock, log, refuse, damaged: (lines) => (damagedLines += lines), closed: () => closing !== null });
  await adoption?.first;

  function taken(entry: Entry): void {
    backlog.push(entry);
    drain.nudge();
  }

  /** Into the journal and behind it the drain; where there is no journal now, straight into PostgreSQL. */
  function orElse(written: Promise<void> | undefined, direct: () => Promise<void>): Promise<void> {
    if (written === undefined) return direct();
    return written.catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      return direct();
    });
  }

  async function straight(entry: Entry): Promise<void> {
    if (!backlog.push(entry)) throw new DependencyUnavailable('neither journal nor database can take a ledger row');
    await drain.reached(backlog.accepted(), directBoundMs);
  }

  /** Its admission is owed until then: should the process die while PostgreSQL has no row yet, it is all there is. */
  async function settleStraight(row: CallRow): Promise<void> {
    await straight(entryOf('S', row.id, rowText(row), null));
    journal?.forget(row.id);
  }

  return {
    db,
    journalKind: () => (journal ? 'folder' : 'database'),
    admit: (row) => orElse(journal?.admit(row), () => openCalls.admit(row)),
    settle: (row) => orElse(journal?.settle(row), () => settleStraight(row)),
    async charged(id, boundMs) {
      // What was settled straight into PostgreSQL is there. What only the journal holds may be this row.
      if (backlog.row(id) !== undefined || backlog.spilled()) await drain.flush(boundMs);
    },
    correct(id, change) {
      orElse(journal?.correct(id, change), () => straight(entryOf('C', id, correctionJson(id, change), null))).catch(() => log.warn({ id }, 'a correction is not in the database yet'));
    },
    measured(id, late) {
      orElse(journal?.measured(id, late), () => straight(entryOf('M', id, measurementJson(id, late), null))).catch(() => log.warn({ id }, 'a measurement is not in the database yet'));
    },
    lag: () => ({
      rows: Math.max(0, backlog.accepted() - backlog.deliveredTotal()),
      databaseFailingMs: drain.failingSince() === null ? null : clock.monotonic() - drain.failingSince()!,
      journalHealthy: journal?.healthy() ?? true,
      replaying: adoption?.running() ?? 0,
      damagedLines: damagedLines + backlog.damaged(),
      refusedRows,
    }),
    flush(boundMs) {
      journal?.writeNow();
      return drain.flush(boundMs);
    },
    take: (entries) => deliver(store, entries, refuse),
    async undrained(id) {
      const text = backlog.row(id) ?? (backlog.spilled() ? await backlog.search(id) : undefined);
      return text === undefined ? undefined : rowOf(text);
    },
    correction(id) {
      return Object.assign({}, ...backlog.corrections(id).map((json) => JSON.parse(json) as object));
    },
    hasNeighbours: () => adoption?.neighbours() ?? false, // straight into PostgreSQL: no row is ever on the way
    close() {
      return (closing ??= closeAll());
    },
  };

  async function closeAll(): Promise<void> {
    openCalls.close();
    await adoption?.close();
    journal?.writeNow();
    await drain.close(CLOSE_BOUND_MS);
    await journal?.close();
  }
}

function isUnavailable(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'dependency_unavailable';
}
