import { close as closeFd, closeSync, fdatasync, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Log } from './log';

/** fdatasync for many writes at once, in libuv's threads: begins at most `delayMs` after the first of them. */
export interface GroupSync {
  /** This file was written to. */
  wanted(fd: number): void;
  /** This file will not be written to any more: sync it and close it. */
  last(fd: number): void;
  folderChanged(): void;
  close(): Promise<void>;
}

export function groupSync(folder: string, delayMs: number, log: Log): GroupSync {
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

/** What went wrong, short: an errno name where there is one. */
export function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException)?.code ?? (error as Error)?.message ?? error);
}
