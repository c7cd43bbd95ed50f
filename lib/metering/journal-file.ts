import { basename } from 'node:path';

/** What the name of a file of a journal says of it. */
export interface JournalFile {
  /** Counts up in a journal; no two of its files ever had the same. */
  number: number;
  /** It had been another file before, whose records it may still hold behind its own. */
  reused: boolean;
}

export const journalFileName = ({ number, reused }: JournalFile): string => `${String(number).padStart(8, '0')}${reused ? REUSED : FRESH}`;

export const fileOf = (path: string): JournalFile => ({ number: parseInt(basename(path), 10), reused: path.endsWith(REUSED) });

export const isJournalFile = (name: string): boolean => name.endsWith(FRESH);

/** A file that owes nothing, until it is written over. */
export const spareName = (number: number): string => `${number}.spare`;

const FRESH = '.log';
const REUSED = '.reused.log';
