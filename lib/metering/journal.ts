import { close as closeFd, closeSync, constants, fdatasync, fstat, fsync, ftruncateSync, mkdirSync, openSync, unlink, utimes, writeSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DependencyUnavailable } from '../gateway/ports';
import type { AdmittedRow, CallRow } from './call-row';
import { HEARTBEAT_MS, type JournalOwner } from './journal-owner';
import { readRecords } from './journal-reader';
import { type JournalRecord, recordEncoder, type RecordKind } from './journal-record';
import type { Log } from './log';

/** One file of the journal. It is deleted when it is sealed and owes nothing. */
export interface Segment {
  number: number;
  path: string;
  /** Bytes of whole records: where the next one begins. */
  size: number;
  /** Calls admitted in it that have not ended, and records in it that PostgreSQL does not have yet. */
  owed: number;
  /** Null once it is closed for writing. */
  fd: number | null;
}

/** A record that PostgreSQL does not have yet. */
export interface Entry {
  kind: 'S' | 'C';
  id: string;
  json: string;
  /** Null: it is in no journal. */
  segment: Segment | null;
}

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

export interface JournalOptions {
  /** `<data folder>/journal`. */
  root: string;
  owner: JournalOwner;
  log: Log;
  segmentBytes?: number;
  /** How long after a write fdatasync may begin, ms. */
  syncDelayMs?: number;
  /** Bytes written; throws like fs.writeSync. Tests put faults here. */
  write?: (fd: number, bytes: Buffer, length: number) => number;
}

/**
 * The append-only journal of one process. Writes are synchronous and unbuffered, so that what was acknowledged
 * survives the process; fdatasync follows in groups, off the event loop, so that it survives the machine too.
 */
export function openJournal(options: JournalOptions): Journal {
  const { root, owner, log, segmentBytes = 16 * 1024 * 1024, syncDelayMs = 3 } = options;
  const write = options.write ?? ((fd, bytes, length) => writeSync(fd, bytes, 0, length));
  const folder = join(root, owner.name);
  const encoder = recordEncoder();
  const open = new Map<string, Segment>();
  const segments = new Set<Segment>();
  let current: Segment | null = null;
  let counter = 0;
  let broken: string | null = null;
  let nextOpenAt = 0;
  const sync = groupSync(folder, syncDelayMs, log);
  const heartbeat = setInterval(() => lookAfter(), HEARTBEAT_MS);
  heartbeat.unref();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    complain(error);
  }

  function append(kind: RecordKind, json: string): Segment {
    const length = encoder.encode(kind, json);
    const segment = current && current.size + length <= segmentBytes ? current : startSegment();
    let written = -1;
    let fault: unknown = null;
    try {
      written = write(segment.fd!, encoder.bytes, length);
    } catch (error) {
      fault = error;
    }
    if (written !== length) failWrite(segment, fault);
    segment.size += length;
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
    const path = join(folder, `${String(number).padStart(8, '0')}.log`);
    const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL, 0o600);
    const segment = { number, path, size: 0, owed: 0, fd };
    segments.add(segment);
    sync.folderChanged();
    return segment;
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
      if (error !== null && !/^(ENOSPC|EDQUOT)$/.test(codeOf(error))) seal(segment);
    } catch {
      seal(segment); // its torn end is skipped by whoever reads it
    }
    throw new DependencyUnavailable(`the journal cannot be written: ${broken}`);
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
    unlink(segment.path, () => {}); // already gone: just as well
  }

  function forget(id: string): void {
    const segment = open.get(id);
    if (!segment) return;
    open.delete(id);
    release(segment);
  }

  function release(segment: Segment): void {
    segment.owed--;
    if (segment.owed === 0 && segment !== current) remove(segment);
  }

  /** The heartbeat; and a folder that was deleted under us, whose open file nobody would find again. */
  function lookAfter(): void {
    const now = new Date();
    utimes(folder, now, now, () => {});
    const segment = current;
    if (segment?.fd == null) return;
    fstat(segment.fd, (error, stats) => {
      if (error || stats.nlink > 0 || segment !== current) return;
      log.error({ path: segment.path }, 'the journal was deleted while in use; starting another file');
      seal(segment);
    });
  }

  async function read(from: Position, bytes: number): ReturnType<Journal['read']> {
    const { segment, offset } = from;
    const upTo = segment.size;
    const to = Math.min(upTo, offset + bytes);
    const { records, consumed, damaged } = await readRecords(segment.path, offset, to).catch((error) => vanished(segment, error));
    // A record larger than what was asked for: take it whole.
    if (consumed === 0 && to < upTo) return await read(from, bytes * 2);
    const entries = records.filter(isOwed).map(({ kind, json }): Entry => ({ kind, id: idOf(json), json, segment }));
    return { entries, reached: { segment, offset: consumed === 0 ? upTo : offset + consumed }, damaged };
  }

  function after(position: Position): Position | null {
    if (position.offset < position.segment.size) return position;
    for (const later of segments) {
      if (later.number > position.segment.number && later.size > 0) return { segment: later, offset: 0 };
    }
    return null;
  }

  /** Removed because nothing in it was owed any more; or by someone else, and then what it owed is lost. */
  function vanished(segment: Segment, error: unknown): { records: JournalRecord[]; consumed: number; damaged: number } {
    if (segment.owed > 0) log.error({ code: codeOf(error), path: segment.path, records: segment.owed }, 'a file of the journal cannot be read');
    return { records: [], consumed: segment.size, damaged: segment.owed };
  }

  return {
    admit(row) {
      const segment = append('A', JSON.stringify(row));
      segment.owed++;
      open.set(row.id, segment);
    },
    settle(row) {
      const json = JSON.stringify(row);
      const segment = append('S', json);
      segment.owed++;
      forget(row.id);
      return { kind: 'S', id: row.id, json, segment };
    },
    correct(id, change) {
      const json = JSON.stringify({ id, state: change.state, flushed_bytes: change.flushed_bytes });
      const segment = append('C', json);
      segment.owed++;
      return { kind: 'C', id, json, segment };
    },
    forget,
    release,
    compact() {
      if (current && current.owed === 0 && current.size > 256 * 1024) startSegment();
    },
    read,
    after,
    end: () => current && { segment: current, offset: current.size },
    healthy: () => broken === null,
    async close() {
      clearInterval(heartbeat);
      if (current) seal(current);
      await sync.close();
      if (segments.size === 0) await rmdir(folder).catch(() => {}); // never made, or something is in it that is not ours
      owner.release();
    },
  };
}

/** Every row and correction begins with its id. */
export function idOf(json: string): string {
  return /^\{"id":"([^"\\]*)"/.exec(json)?.[1] ?? (JSON.parse(json) as { id: string }).id;
}

function isOwed(record: JournalRecord): record is JournalRecord & { kind: Entry['kind'] } {
  return record.kind !== 'A';
}

interface GroupSync {
  /** This file was written to. */
  wanted(fd: number): void;
  /** This file will not be written to any more: sync it and close it. */
  last(fd: number): void;
  folderChanged(): void;
  close(): Promise<void>;
}

/** fdatasync for many writes at once, in libuv's threads: begins at most `delayMs` after the first of them. */
function groupSync(folder: string, delayMs: number, log: Log): GroupSync {
  const finished: number[] = [];
  let dirty: number | null = null;
  let folderDirty = false;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;

  const schedule = () => {
    if (timer || running) return;
    timer = setTimeout(start, delayMs);
    timer.unref();
  };
  const start = () => {
    timer = null;
    running = syncAll().then(() => {
      running = null;
      if (dirty !== null || finished.length > 0) schedule();
    });
  };
  const syncAll = async () => {
    const done = finished.splice(0);
    const fd = dirty;
    dirty = null;
    if (folderDirty) {
      folderDirty = false;
      await syncFolder(folder).catch(report);
    }
    for (const each of done) {
      await syncFile(each).catch(report);
      closeFd(each, () => {});
    }
    if (fd !== null && !done.includes(fd)) await syncFile(fd).catch(report);
  };
  const report = (error: unknown) => log.error({ code: codeOf(error), folder }, 'the journal could not be flushed to the disk');

  return {
    wanted(fd) {
      dirty = fd;
      if (timer === null && running === null) schedule();
    },
    last(fd) {
      finished.push(fd);
      if (dirty === fd) dirty = null;
      schedule();
    },
    folderChanged() {
      folderDirty = true;
    },
    async close() {
      if (timer) clearTimeout(timer);
      timer = null;
      await running;
      if (timer) clearTimeout(timer);
      await syncAll();
    },
  };
}

const syncFile = promisify(fdatasync);

async function syncFolder(folder: string): Promise<void> {
  const fd = openSync(folder, 'r');
  try {
    await promisify(fsync)(fd);
  } finally {
    closeSync(fd);
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException)?.code ?? (error as Error)?.message ?? error);
}
