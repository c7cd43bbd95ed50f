import { constants, openSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { journalFileName, spareName } from './journal-file';

/** A file that is open for writing. */
export interface OpenFile {
  path: string;
  fd: number;
}

/**
 * Files of a journal that owe nothing, kept to be written over: a file's first bytes cost several times what their
 * replacement costs, since memory and blocks are found for them, and its length is made durable with them (PostgreSQL
 * recycles the segments of its write-ahead log for the same reason).
 */
export interface SpareFiles {
  /** Under a name of its own, so that nobody takes what it holds for something that is owed. False: it was not kept. */
  keep(file: { number: number; path: string }): boolean;
  /** One of them, as the file of this number; null when there is none. */
  reuse(number: number): OpenFile | null;
  /** Removes them. */
  clear(): Promise<void>;
}

const MOST = 2;

export function spareFiles(folder: string): SpareFiles {
  const spares: string[] = [];
  return {
    keep({ number, path }) {
      if (spares.length >= MOST) return false;
      const spare = join(folder, spareName(number));
      try {
        renameSync(path, spare);
      } catch {
        return false; // already gone
      }
      spares.push(spare);
      return true;
    },
    reuse(number) {
      const spare = spares.pop();
      if (spare === undefined) return null;
      const path = join(folder, journalFileName({ number, reused: true }));
      try {
        renameSync(spare, path);
        return { path, fd: openSync(path, constants.O_WRONLY) };
      } catch {
        return null; // somebody has cleared the folder
      }
    },
    async clear() {
      await Promise.all(spares.map((spare) => rm(spare, { force: true })));
    },
  };
}
