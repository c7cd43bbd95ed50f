import { IdTable } from '../std';
import type { DependencyUnavailable, LateMeasurement } from '../gateway/ports';
import type { AdmittedRow, CallRow } from './call-row';
import { type Entry, entryOf } from './entry';
import { codeOf } from './group-sync';
import { readRecords } from './journal-reader';
import type { Decoded, JournalRecord } from './journal-record';
import { admittedText, idOf, rowText } from './row-text';
import { type JournalOptions, openSegments, type Segment, type WrittenRecord } from './segments';

/** Where a reader of this process's own journal stands. */
export interface Position {
  segment: Segment;
  offset: number;
}

export interface Journal {
  /**
   * Resolve when the record is in the page cache: a killed process loses none. Reject with DependencyUnavailable when
   * it cannot be done. The records of one turn of the event loop share one write at its end.
   */
  admit(row: AdmittedRow): Promise<void>;
  settle(row: CallRow): Promise<void>;
  /** The same of a row that is JSON already, beginning with its id. */
  settleText(id: string, json: string): Promise<void>;
  correct(id: string, change: Pick<CallRow, 'state' | 'flushed_bytes'>): Promise<void>;
  measured(id: string, late: LateMeasurement): Promise<void>;
  /** Writes at once what waits for the end of the turn; the reason when it cannot be done. */
  writeNow(): DependencyUnavailable | null;
  /** The call ended somewhere else (straight in PostgreSQL): its admission is owed no more. */
  forget(id: string): void;
  /** PostgreSQL has this record. */
  release(segment: Segment): void;
  /** Starts a new file when the present one owes nothing, so that little is replayed after a crash. */
  compact(): void;
  /** Ended calls and corrections from a position on, about `bytes` of one file, and how far it got. */
  read(from: Position, bytes: number): Promise<{ entries: Entry[]; reached: Position; damaged: number }>;
  /** Where the next unread record is; null when the position is the very end of the journal. */
  after(position: Position): Position | null;
  /** Just behind the newest record; null before the first. */
  end(): Position | null;
  /** False while it cannot be written. */
  healthy(): boolean;
  /** Flushes to the disk; removes the folder when nothing is owed, else leaves it to the next process. */
  close(): Promise<void>;
}

export interface OpenJournalOptions extends Omit<JournalOptions, 'written'> {
  /** Told of every record but admissions, as soon as it is in the page cache and before whoever waits for it. */
  written: (entry: Entry) => void;
}

/**
 * The append-only journal of one process. Writes are synchronous, so that what was acknowledged survives the
 * process; fdatasync follows in groups, off the event loop, so that it survives the machine too.
 */
export function openJournal(options: OpenJournalOptions): Journal {
  const { log } = options;
  const segments = openSegments({ ...options, written });
  const open = new IdTable<Segment>();

  function written(record: WrittenRecord): void {
    if (record.kind === 'A') return open.set(record.id, record.segment);
    if (record.kind === 'S') forget(record.id);
    options.written(record as Entry);
  }

  function forget(id: string): void {
    const segment = open.take(id);
    if (segment) segments.release(segment);
  }

  async function read(from: Position, bytes: number): ReturnType<Journal['read']> {
    const { segment, offset } = from;
    const upTo = segment.size;
    const to = Math.min(upTo, offset + bytes);
    const { records, consumed, damaged } = await readRecords(segment.path, offset, to).catch((error) => vanished(segment, error));
    // A record larger than what was asked for: take it whole.
    if (consumed === 0 && to < upTo) return await read(from, bytes * 2);
    const entries = records.filter(isOwed).map(({ kind, text }) => entryOf(kind, idOf(text), text, segment));
    return { entries, reached: { segment, offset: consumed === 0 ? upTo : offset + consumed }, damaged };
  }

  function after(position: Position): Position | null {
    if (position.offset < position.segment.size) return position;
    for (const later of segments.all()) {
      if (later.number > position.segment.number && later.size > 0) return { segment: later, offset: 0 };
    }
    return null;
  }

  /** Removed because nothing in it was owed any more; or by someone else, and then what it owed is lost. */
  function vanished(segment: Segment, error: unknown): Decoded {
    if (segment.owed > 0) log.error({ code: codeOf(error), path: segment.path, records: segment.owed }, 'a file of the journal cannot be read');
    return { records: [], consumed: segment.size, damaged: segment.owed, damagedLast: segment.owed };
  }

  return {
    admit: (row) => segments.append('A', row.id, admittedText(row)),
    settle: (row) => segments.append('S', row.id, rowText(row)),
    settleText: (id, json) => segments.append('S', id, json),
    correct(id, change) {
      const done = segments.append('C', id, correctionJson(id, change));
      segments.writeNow(); // rare, and what it corrects may be read already
      return done;
    },
    measured: (id, late) => segments.append('M', id, measurementJson(id, late)),
    writeNow: segments.writeNow,
    forget,
    release: segments.release,
    compact: segments.compact,
    read,
    after,
    end() {
      const segment = segments.current();
      return segment && { segment, offset: segment.size };
    },
    healthy: segments.healthy,
    close: segments.close,
  };
}

/** Beginning with the id, like every record. */
export function correctionJson(id: string, { state, flushed_bytes }: Pick<CallRow, 'state' | 'flushed_bytes'>): string {
  return JSON.stringify({ id, state, flushed_bytes });
}

export function measurementJson(id: string, { tokens_before, tokens_after, tokenizer, savers }: LateMeasurement): string {
  return JSON.stringify({ id, tokens_before, tokens_after, tokenizer, savers });
}

function isOwed(record: JournalRecord): record is JournalRecord & { kind: Entry['kind'] } {
  return record.kind !== 'A';
}
