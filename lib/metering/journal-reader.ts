import { open } from 'node:fs/promises';
import { type Decoded, decodeRecords, type JournalRecord } from './journal-record';
import { fileOf } from './journal-file';

/** Whole records between two offsets of a file of the journal. */
export async function readRecords(path: string, from: number, to: number): Promise<Decoded> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(to - from);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return decodeRecords(bytes.subarray(0, filled), fileOf(path).number);
  } finally {
    await file.close();
  }
}

/**
 * Every record of a file that nobody writes to any more, a piece at a time. A torn end counts as damaged; but in a file
 * that was written over, what stands behind the last record is from earlier.
 */
export async function* recordsOf(path: string, size: number, pieceBytes = 1024 * 1024): AsyncGenerator<{ records: JournalRecord[]; damaged: number }> {
  const { reused } = fileOf(path);
  let offset = 0;
  let piece = pieceBytes;
  let unsure = 0; // damaged, if a record follows
  while (offset < size) {
    const to = Math.min(size, offset + piece);
    const { records, consumed, damaged, damagedLast } = await readRecords(path, offset, to);
    if (consumed === 0 && to < size) {
      piece *= 2; // one line is longer than the piece
      continue;
    }
    const torn = to === size && offset + consumed < size ? 1 : 0;
    if (!reused) yield { records, damaged: damaged + torn };
    else if (records.length === 0) unsure += damaged;
    else {
      yield { records, damaged: unsure + damaged - damagedLast };
      unsure = damagedLast;
    }
    if (consumed === 0) return;
    offset += consumed;
    if (torn) return;
  }
}
