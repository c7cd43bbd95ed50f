import { IdTable } from '../std';
import type { LateMeasurement } from '../gateway/ports';
import type { AdmittedRow, CallRow } from './call-row';
import { type Entry, entryOf } from './entry';
import { codeOf } from './group-sync';
import { readRecords, type RecordsRead } from './journal-reader';
import type { JournalRecord } from './journal-record';
import { type JournalOptions, openSegments, type Segment } from './segments';

/** Where a reader of this process's own journal stands. */
export interface Position {
  segment: Segment;
  offset: number;
}

export interface Journal {
  /** One write each, into the page cache: a killed process loses none. They throw DependencyUnavailable when it cannot be done. */
  admit(row: AdmittedRow): void;
  settle(row: CallRow): Entry;
  correct(id: string, change: Pick<CallRow, 'state' | 'flushed_bytes'>): Entry;
  measured(id: string, late: LateMeasurement): Entry;
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

/**
 * The append-only journal of one process. Writes are synchronous and unbuffered, so that what was acknowledged
 * survives the process; fdatasync follows in groups, off the event loop, so that it survives the machine too.
 */
export function openJournal(options: JournalOptions): Journal {
  const { log } = options;
  const segments = openSegments(options);
  const open = new IdTable<Segment>();

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
    const entries = records.filter(isOwed).map(({ kind, json }) => entryOf(kind, idOf(json), json, segment));
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
  function vanished(segment: Segment, error: unknown): RecordsRead {
    if (segment.owed > 0) log.error({ code: codeOf(error), path: segment.path, records: segment.owed }, 'a file of the journal cannot be read');
    return { records: [], consumed: segment.size, damaged: segment.owed };
  }

  return {
    admit(row) {
      open.set(row.id, segments.append('A', row.id, JSON.stringify(row)));
    },
    settle(row) {
      const entry = segments.append('S', row.id, JSON.stringify(row));
      forget(row.id);
      return entry;
    },
    correct(id, change) {
      return segments.append('C', id, correctionJson(id, change));
    },
    measured(id, late) {
      return segments.append('M', id, measurementJson(id, late));
    },
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

/** Every row and correction begins with its id. */
export function idOf(json: string): string {
  return /^\{"id":"([^"\\]*)"/.exec(json)?.[1] ?? (JSON.parse(json) as { id: string }).id;
}

function isOwed(record: JournalRecord): record is JournalRecord & { kind: Entry['kind'] } {
  return record.kind !== 'A';
}
