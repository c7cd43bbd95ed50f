import { LINE_HEAD, type RecordKind } from './journal-record';
import { Page } from './page';
import type { Segment } from './segments';

/** A record that PostgreSQL does not have yet. */
export interface Entry {
  kind: Exclude<RecordKind, 'A'>;
  /** Of the call. */
  id: string;
  /** Its text, in UTF-8, as the journal has it: the bytes of this page from `start` to `end`. Whoever keeps the entry holds the page. */
  page: Page;
  start: number;
  end: number;
  /** Null: it is in no journal. */
  segment: Segment | null;
}

export function entryOf(kind: Entry['kind'], id: string, text: string, segment: Segment | null): Entry {
  const bytes = Buffer.from(text);
  return { kind, id, page: pageOf(bytes), start: 0, end: bytes.length, segment };
}

/** A page of its own for bytes that came from elsewhere. */
export const pageOf = (bytes: Buffer): Page => new Page(bytes, null);

export const textOf = (entry: Entry): string => entry.page.bytes.toString('utf8', entry.start, entry.end);

/** Length of its line in a journal. */
export const lineBytes = (entry: Pick<Entry, 'start' | 'end'>): number => LINE_HEAD + entry.end - entry.start + 1;
