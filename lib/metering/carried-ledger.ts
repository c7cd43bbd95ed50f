import type { CallLog } from '../gateway/ports';
import type { Clock } from '../std';
import { createBacklog } from './backlog';
import type { CallRow } from './call-row';
import { refuseLoudly, type RowStore } from './deliver';
import { startDrain } from './drain';
import type { Entry } from './entry';
import { openJournal } from './journal';
import { newOwner } from './journal-owner';
import { keepAdopting } from './keep-adopting';
import type { Log } from './log';

/**
 * The ledger of a process that has no database: a journal of its own, carried to those that have one. The calls that end
 * here are served from what is stored and cost nothing, so no budget is ever charged by these rows and none is waited for.
 */
export interface CarriedLedger {
  /**
   * Durable against process death when it resolves, at the end of this turn of the event loop. Rejects with
   * DependencyUnavailable when the journal cannot be written: the call is then not ours to end.
   */
  settle(row: CallRow): Promise<void>;
  /** The same of a row that is JSON already, beginning with its id. */
  settleText(id: string, json: string): Promise<void>;
  /** After a settled row turned out wrong because the last write failed. */
  correct: CallLog['correct'];
  lag(): { rows: number; journalHealthy: boolean; failingMs: number | null; replaying: number };
  /** Brings what has ended until now to its destination; false when that takes longer than `boundMs`. */
  flush(boundMs: number): Promise<boolean>;
  /** Tries for a few seconds to carry what is left, and leaves the rest to the next process. */
  close(): Promise<void>;
}

export interface CarriedLedgerOptions {
  /** Folder of journals, of this process and of those before it. Of nobody else: whoever shares it takes over what it finds. */
  root: string;
  /** Takes rows any number of times; rejects while it cannot. */
  to: RowStore;
  clock: Clock;
  log: Log;
}

const CLOSE_BOUND_MS = 5_000;
/** Of rows that cost nothing. Each flush costs as much as several calls. */
const SYNC_DELAY_MS = 5;

export function openCarriedLedger({ root, to, clock, log }: CarriedLedgerOptions): CarriedLedger {
  const owner = newOwner();
  const refuse = refuseLoudly(log, () => undefined);
  let closing = false;
  const journal = openJournal({ root, owner, log, syncDelayMs: SYNC_DELAY_MS, written: (entry) => taken(entry) });
  const backlog = createBacklog(journal);
  const drain = startDrain({ backlog, journal, store: to, clock, log, refuse });
  const adoption = keepAdopting({ root, owner, store: to, clock, log, refuse, damaged: () => undefined, closed: () => closing });

  function taken(entry: Entry): void {
    backlog.push(entry);
    drain.nudge();
  }

  return {
    settle: (row) => journal.settle(row),
    settleText: (id, json) => journal.settleText(id, json),
    correct(id, change) {
      journal.correct(id, change).catch(() => log.warn({ id }, 'a correction could not be written down'));
    },
    lag: () => ({
      rows: Math.max(0, backlog.accepted() - backlog.deliveredTotal()),
      journalHealthy: journal.healthy(),
      failingMs: drain.failingSince() === null ? null : clock.monotonic() - drain.failingSince()!,
      replaying: adoption.running(),
    }),
    flush(boundMs) {
      journal.writeNow();
      return drain.flush(boundMs);
    },
    async close() {
      closing = true;
      await adoption.close();
      journal.writeNow();
      await drain.close(CLOSE_BOUND_MS);
      await journal.close();
    },
  };
}
