import { type Entry, textOf, lineBytes } from './entry';
import type { Journal, Position } from './journal';

/**
 * Ended calls that PostgreSQL does not have yet, oldest first. It holds them in memory up to a bound; beyond it
 * they stay in the journal alone and are read from there again when their turn comes.
 */
export interface Backlog {
  /** False: it was not taken, because memory is full and it is in no journal either. */
  push(entry: Entry): boolean;
  /** The oldest entries, at most `rows` of them and about `bytes` of text. They stay until `delivered`. */
  peek(rows: number, bytes: number): Promise<Entry[]>;
  /** The first `count` of the last peek are in PostgreSQL. */
  delivered(count: number): void;
  /** Of an ended call that is held in memory: its text. */
  row(id: string): string | undefined;
  /** The newest correction and the measurement of a call that are held in memory. */
  corrections(id: string): string[];
  /** Looks for an ended call among those that only the journal holds: slow, and only needed while there are any. */
  search(id: string): Promise<string | undefined>;
  /** Are there entries that only the journal holds? */
  spilled(): boolean;
  /** Entries held in memory. */
  held(): number;
  /** Entries ever taken in, and ever delivered. Their difference is what PostgreSQL is behind. */
  accepted(): number;
  deliveredTotal(): number;
  damaged(): number;
}

export interface BacklogBounds {
  rows: number;
  bytes: number;
}

/** About 40 MB at the most, nearly all of it outside of the heap. */
export const DEFAULT_BOUNDS: BacklogBounds = { rows: 20_000, bytes: 32 * 1024 * 1024 };
const READ_BYTES = 1024 * 1024;

export function createBacklog(journal: Journal | null, bounds: BacklogBounds = DEFAULT_BOUNDS): Backlog {
  let queue: Entry[] = [];
  let head = 0;
  let heldBytes = 0;
  let spill: Position | null = null;
  let accepted = 0;
  let delivered = 0;
  let damaged = 0;

  const isFull = () => queue.length - head >= bounds.rows || heldBytes >= bounds.bytes;

  function hold(entry: Entry): void {
    queue.push(entry);
    entry.page.hold();
    heldBytes += entry.end - entry.start;
  }

  /** Looked for one by one: somebody asks for a call now and then, but thousands of calls a second would have to be entered. */
  function newest(kind: Entry['kind'], id: string): string | undefined {
    for (let at = queue.length - 1; at >= head; at--) {
      const entry = queue[at]!;
      if (entry.kind === kind && entry.id === id) return textOf(entry);
    }
    return undefined;
  }

  async function refill(): Promise<void> {
    while (spill && !isFull() && queue.length - head < bounds.rows / 2) {
      const { entries, reached, damaged: bad } = await journal!.read(spill, READ_BYTES);
      entries.forEach(hold);
      damaged += bad;
      delivered += bad; // it will never come; nobody shall wait for it
      // Asked here, in one go with clearing it: a record written meanwhile must not fall between reader and writer.
      spill = journal!.after(reached);
    }
  }

  return {
    push(entry) {
      const segment = entry.segment;
      if (segment === null) {
        if (isFull()) return false;
        hold(entry);
      } else if (spill === null) {
        if (isFull()) spill = { segment, offset: segment.size - lineBytes(entry) };
        else hold(entry);
      }
      accepted++;
      return true;
    },
    async peek(limit, bytes) {
      if (head === queue.length || spill) await refill();
      const batch: Entry[] = [];
      let size = 0;
      for (let i = head; i < queue.length && batch.length < limit && (size < bytes || batch.length === 0); i++) {
        const entry = queue[i]!;
        batch.push(entry);
        size += entry.end - entry.start;
      }
      return batch;
    },
    delivered(count) {
      for (let i = head; i < head + count; i++) {
        const entry = queue[i]!;
        heldBytes -= entry.end - entry.start;
        entry.page.letGo();
        if (entry.segment) journal!.release(entry.segment);
      }
      head += count;
      delivered += count;
      if (head === queue.length || head > 4096) {
        queue = queue.slice(head);
        head = 0;
      }
    },
    row: (id) => newest('S', id),
    corrections: (id) => [newest('C', id), newest('M', id)].filter((json) => json !== undefined),
    async search(id) {
      const end = journal?.end() ?? null; // what comes in meanwhile is not looked at: it might outrun us
      for (let at = spill; at && end && !isBehind(at, end); ) {
        const { entries, reached } = await journal!.read(at, READ_BYTES);
        const found = entries.find((entry) => entry.kind === 'S' && entry.id === id);
        if (found) return textOf(found);
        at = journal!.after(reached);
      }
      return undefined;
    },
    spilled: () => spill !== null,
    held: () => queue.length - head,
    accepted: () => accepted,
    deliveredTotal: () => delivered,
    damaged: () => damaged,
  };
}

function isBehind(position: Position, end: Position): boolean {
  if (position.segment !== end.segment) return position.segment.number > end.segment.number;
  return position.offset >= end.offset;
}
