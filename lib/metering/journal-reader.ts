import { open } from 'node:fs/promises';
import { decodeRecords, type JournalRecord } from './journal-record';

export interface RecordsRead {
  records: JournalRecord[];
  /** Bytes up to the end of the last whole line. */
  consumed: number;
  damaged: number;
}

/** Whole records between two offsets of a file. */
export async function readRecords(path: string, from: number, to: number): Promise<RecordsRead> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(to - from);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return decodeRecords(bytes.subarray(0, filled));
  } finally {
    await file.close();
  }
}

/** Every record of a file that nobody writes to any more, a piece at a time. A torn end counts as damaged. */
export async function* recordsOf(path: string, size: number, pieceBytes = 1024 * 1024): AsyncGenerator<{ records: JournalRecord[]; damaged: number }> {
  let offset = 0;
  let piece = pieceBytes;
  while (offset < size) {
    const to = Math.min(size, offset + piece);
    const { records, consumed, damaged } = await readRecords(path, offset, to);
    if (consumed === 0 && to < size) {
      piece *= 2; // one line is longer than the piece
      continue;
    }
    const torn = to === size && offset + consumed < size ? 1 : 0;
    yield { records, damaged: damaged + torn };
    if (consumed === 0) return;
    offset += consumed;
    if (torn) return;
  }
}
