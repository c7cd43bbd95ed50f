import { constants, fstat, ftruncateSync, mkdirSync, openSync, unlink, utimes, writeSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DependencyUnavailable } from '../gateway/ports';
import { codeOf, groupSync } from './group-sync';
import { HEARTBEAT_MS, type JournalOwner } from './journal-owner';
import { type Entry, lineBytes } from './entry';
import { journalFileName } from './journal-file';
import { LINE_HEAD, recordEncoder, type RecordKind, writeChecksum } from './journal-record';
import type { Log } from './log';
import { type OpenFile, spareFiles } from './spare-files';

/** One file of the journal. When it is sealed and owes nothing it is kept to be written over, or deleted. */
export interface Segment {
  number: number;
  path: string;
  /** Bytes of whole records: where the next one begins. */
  size: number;
  /** Calls admitted in it that have not ended, and records in it that PostgreSQL does not have yet: each record is owed until `release`. */
  owed: number;
  /** Null once it is closed for writing. */
  fd: number | null;
  /** The file itself is bad: nothing shall be written over it. */
  bad: boolean;
}

export interface JournalOptions {
  /** `<data folder>/journal`. */
  root: string;
  owner: JournalOwner;
  log: Log;
  segmentBytes?: number;
  /** How long after a write fdatasync may begin, ms. */
  syncDelayMs?: number;
  /** A record stands in a segment, one of those that were written together. An admission needs no more than its segment. */
  written: (record: WrittenRecord) => void;
  /** Bytes written; throws like fs.writeSync. Tests put faults here. */
  write?: (fd: number, bytes: Buffer, start: number, length: number, position: number) => number;
}

export type WrittenRecord = Omit<Entry, 'kind' | 'segment'> & { kind: RecordKind; segment: Segment };

/** The files of one process's journal: one is written, the others wait until they owe nothing. Then they are written over. */
export interface Segments {
  /**
   * Resolves when the record is in the page cache, rejects with DependencyUnavailable when it cannot be done. The
   * records of one turn of the event loop share one write, at the turn's end, and one promise.
   */
  append(kind: RecordKind, id: string, text: string): Promise<void>;
  /** Writes at once what waits for the end of the turn; the reason when it cannot be done. */
  writeNow(): DependencyUnavailable | null;
  /** Something that the segment owed is done. */
  release(segment: Segment): void;
  /** Starts a new file when the present one owes nothing and is not small. */
  compact(): void;
  /** The present file; null before the first record. */
  current(): Segment | null;
  /** Those that there are, oldest first. */
  all(): Iterable<Segment>;
  /** Whether it can be written. Where it could not, it is tried again, at most twice a second: nobody may call while it cannot. */
  healthy(): boolean;
  close(): Promise<void>;
}

export function openSegments(options: JournalOptions): Segments {
  const { root, owner, log, segmentBytes = 16 * 1024 * 1024, syncDelayMs = 4 } = options;
  const write = options.write ?? writeSync;
  const folder = join(root, owner.name);
  const encoder = recordEncoder();
  const segments = new Set<Segment>();
  const spares = spareFiles(folder);
  let current: Segment | null = null;
  let counter = 0;
  let broken: string | null = null;
  let nextOpenAt = 0;
  let group: Group | null = null;
  const sync = groupSync(folder, syncDelayMs, log);
  const heartbeat = setInterval(() => lookAfter(), HEARTBEAT_MS);
  heartbeat.unref();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    complain(error);
  }

  function append(kind: RecordKind, id: string, text: string): Promise<void> {
    if (group !== null && !encoder.fits(text)) writeNow(); // what is written together stands together
    encoder.encode(kind, text);
    if (group === null) {
      group = newGroup();
      setImmediate(writeNow);
    }
    group.records.push({ kind, id, page: encoder.page, start: encoder.start + LINE_HEAD, end: encoder.end - 1, segment: null });
    return group.promise;
  }

  function writeNow(): DependencyUnavailable | null {
    if (group === null) return null;
    const { records, resolve, reject } = group;
    group = null;
    try {
      const segment = writeTogether(records);
      for (const record of records) {
        record.segment = segment;
        segment.size += lineBytes(record);
        segment.owed++;
        options.written(record as WrittenRecord);
      }
      resolve();
      return null;
    } catch (error) {
      reject(error as Error);
      return error as DependencyUnavailable;
    }
  }

  /** They follow one another in one page. Throws DependencyUnavailable. */
  function writeTogether(records: readonly GroupedRecord[]): Segment {
    const { page, start: first } = records[0]!;
    const start = first - LINE_HEAD;
    const length = records[records.length - 1]!.end + 1 - start;
    const segment = current && current.size + length <= segmentBytes ? current : startSegment();
    let written = -1;
    let fault: unknown = null;
    for (const record of records) writeChecksum(page.bytes, record.start, record.end, segment.number);
    try {
      written = write(segment.fd!, page.bytes, start, length, segment.size);
    } catch (error) {
      fault = error;
    }
    if (written !== length) failWrite(segment, fault);
    if (broken !== null) recovered();
    sync.wanted(segment.fd!);
    return segment;
  }

  /** Keeps the present file when a new one cannot be made; with no file at all, throws. Tries twice a second at most. */
  function startSegment(): Segment {
    const now = performance.now();
    if (now >= nextOpenAt) {
      try {
        const next = createSegment();
        if (current) seal(current);
        current = next;
        nextOpenAt = 0;
        return next;
      } catch (error) {
        nextOpenAt = now + 500;
        complain(error);
      }
    }
    if (current) return current;
    throw new DependencyUnavailable(`the journal cannot be written: ${broken}`);
  }

  function createSegment(): Segment {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const number = ++counter;
    const segment: Segment = { number, size: 0, owed: 0, bad: false, ...(spares.reuse(number) ?? fresh(number)) };
    segments.add(segment);
    sync.folderChanged();
    return segment;
  }

  function fresh(number: number): OpenFile {
    const path = join(folder, journalFileName({ number, reused: false }));
    return { path, fd: openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600) };
  }

  function seal(segment: Segment): void {
    if (segment.fd !== null) sync.last(segment.fd);
    segment.fd = null;
    if (current === segment) current = null;
    if (segment.owed === 0) remove(segment);
  }

  /** Takes a torn line back. Where even that fails, or the file itself is bad, the next record starts another file. */
  function failWrite(segment: Segment, error: unknown): never {
    complain(error ?? Object.assign(new Error('the disk is full'), { code: 'ENOSPC' }));
    nextOpenAt = performance.now() + 500;
    try {
      ftruncateSync(segment.fd!, segment.size);
      segment.bad = error !== null && !/^(ENOSPC|EDQUOT)$/.test(codeOf(error));
    } catch {
      segment.bad = true; // its torn end is skipped by whoever reads it
    }
    if (segment.bad) seal(segment);
    throw new DependencyUnavailable(`the journal cannot be written: ${broken}`);
  }

  /** Writes what a reader skips and takes it back: without calls nobody else would find out that there is room again. */
  function probe(): void {
    if (performance.now() < nextOpenAt) return;
    try {
      const segment = current ?? startSegment();
      const written = write(segment.fd!, PROBE, 0, PROBE.length, segment.size);
      if (written !== PROBE.length) failWrite(segment, null);
      ftruncateSync(segment.fd!, segment.size);
      recovered();
    } catch (error) {
      if (!(error instanceof DependencyUnavailable)) failProbe(error);
    }
  }

  function failProbe(error: unknown): void {
    try {
      if (current) failWrite(current, error);
    } catch {
      // said by `complain`; the next probe tries again
    }
  }

  function complain(error: unknown): void {
    const code = codeOf(error);
    if (broken !== code) log.error({ code, folder }, 'the journal cannot be written; calls go straight to the database until it can');
    broken = code;
  }

  function recovered(): void {
    broken = null;
    log.info({ folder }, 'the journal can be written again');
  }

  function remove(segment: Segment): void {
    segments.delete(segment);
    if (!segment.bad && spares.keep(segment)) return;
    unlink(segment.path, () => {}); // already gone: just as well
  }

  function release(segment: Segment): void {
    segment.owed--;
    if (segment.owed === 0 && segment !== current) remove(segment);
  }

  /** The heartbeat; and a folder that was deleted under us, whose open file nobody would find again. */
  function lookAfter(): void {
    const now = new Date();
    utimes(folder, now, now, () => {});
    if (broken !== null) probe();
    const segment = current;
    if (segment?.fd == null) return;
    fstat(segment.fd, (error, stats) => {
      if (error || stats.nlink > 0 || segment !== current) return;
      log.error({ path: segment.path }, 'the journal was deleted while in use; starting another file');
      seal(segment);
    });
  }

  return {
    append,
    writeNow,
    release,
    compact() {
      if (current && current.owed === 0 && current.size > 256 * 1024) startSegment();
    },
    current: () => current,
    all: () => segments,
    healthy: () => {
      if (broken !== null) probe();
      return broken === null;
    },
    async close() {
      clearInterval(heartbeat);
      writeNow();
      if (current) seal(current);
      await sync.close();
      await spares.clear();
      if (segments.size === 0) await rmdir(folder).catch(() => {}); // never made, or something is in it that is not ours
      owner.release();
    },
  };
}

/** Empty lines, as many as a few records have bytes: a reader passes over those that a crash leaves. */
const PROBE = Buffer.alloc(64 * 1024, '\n');

type GroupedRecord = Omit<WrittenRecord, 'segment'> & { segment: Segment | null };

/** The records of one turn of the event loop, and whoever waits for them. */
interface Group {
  records: GroupedRecord[];
  promise: Promise<void>;
  resolve: () => void;
  reject: (why: Error) => void;
}

function newGroup(): Group {
  let resolve!: () => void;
  let reject!: (why: Error) => void;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  promise.catch(() => {}); // those who wait hear of it; a record that nobody waits for is no reason to end the process
  return { records: [], promise, resolve, reject };
}
