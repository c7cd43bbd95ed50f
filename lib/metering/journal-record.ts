import { crc32 } from 'node:zlib';
import { type Page, Pages } from './page';

/** `A` a call is admitted, `S` it has ended (its whole row), `C` a correction of an ended one, `M` what was measured of it only then. */
export type RecordKind = 'A' | 'S' | 'C' | 'M';

export interface JournalRecord {
  kind: RecordKind;
  /** JSON, or a packed row (packed-row.ts). */
  text: string;
}

/**
 * One line a record: a checksum as 8 hexadecimal digits, the kind, the text, a line feed. Neither JSON nor a packed row has a line
 * feed of its own, so a torn or damaged line spoils itself and never its neighbours. The checksum is the CRC-32 of the rest,
 * begun with the number of the file: what a file that is written over still holds from earlier is no record of it.
 */
export interface RecordEncoder {
  /** Writes a line behind the last one, without its checksum. It is `page` from `start` to `end`, which the next `encode` moves on. */
  encode(kind: RecordKind, text: string): void;
  /** Does this text surely fit behind the last line? If not, the next line begins another page. */
  fits(text: string): boolean;
  page: Page;
  start: number;
  end: number;
}

export function recordEncoder(): RecordEncoder {
  const pages = new Pages();
  const encoder: RecordEncoder = {
    page: pages.next(0),
    start: 0,
    end: 0,
    encode(kind, text) {
      if (!encoder.fits(text)) {
        encoder.page.close();
        encoder.page = pages.next(mostBytes(text));
        encoder.end = 0;
      }
      encoder.start = encoder.end;
      encoder.end = writeLine(encoder.page.bytes, encoder.start, kind, text);
    },
    fits: (text) => encoder.end + mostBytes(text) <= encoder.page.bytes.length,
  };
  return encoder;
}

/** A UTF-16 unit takes three bytes at the most. */
const mostBytes = (text: string): number => LINE_HEAD + text.length * 3 + 1;

function writeLine(bytes: Buffer, start: number, kind: RecordKind, text: string): number {
  const body = start + LINE_HEAD;
  bytes[body - 1] = kind.charCodeAt(0);
  const end = body + bytes.write(text, body, 'utf8');
  bytes[end] = LINE_FEED;
  return end + 1;
}

/** Writes the checksum of a line whose text is `bytes` from `start` to `end`, for the file that it is about to be written to. */
export function writeChecksum(bytes: Buffer, start: number, end: number, file: number): void {
  let sum = crc32(bytes.subarray(start - 1, end), file);
  for (let at = start - 2; at >= start - LINE_HEAD; at--) {
    bytes[at] = DIGITS[sum & 15]!;
    sum >>>= 4;
  }
}

/** What stands before the text of a line. */
export const LINE_HEAD = 9;

/** What a buffer holds of the file of this number. */
export interface Decoded {
  records: JournalRecord[];
  /** Bytes up to the end of the last whole line. */
  consumed: number;
  /** Lines that are no records, and how many of those stand behind the last record. */
  damaged: number;
  damagedLast: number;
}

export function decodeRecords(bytes: Buffer, file: number): Decoded {
  const records: JournalRecord[] = [];
  let damaged = 0;
  let damagedLast = 0;
  let start = 0;
  for (let end = bytes.indexOf(LINE_FEED, start); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
    const record = decodeLine(bytes.subarray(start, end), file);
    if (record) {
      records.push(record);
      damagedLast = 0;
    } else if (end > start) {
      damaged++; // an empty line is how the writer steps over a torn one
      damagedLast++;
    }
    start = end + 1;
  }
  return { records, consumed: start, damaged, damagedLast };
}

/** Up to version 0.1.0 no file was written over, and every checksum began with this. */
const OLD_FILES = 0;
const LINE_FEED = 10;
const DIGITS = Buffer.from('0123456789abcdef');

function decodeLine(line: Buffer, file: number): JournalRecord | null {
  if (line.length <= LINE_HEAD) return null;
  const kind = String.fromCharCode(line[LINE_HEAD - 1]!);
  if (kind !== 'A' && kind !== 'S' && kind !== 'C' && kind !== 'M') return null;
  const digits = line.toString('latin1', 0, LINE_HEAD - 1);
  if (!/^[0-9a-f]{8}$/.test(digits)) return null;
  const sum = parseInt(digits, 16);
  const text = line.subarray(LINE_HEAD - 1);
  if (sum !== crc32(text, file) && sum !== crc32(text, OLD_FILES)) return null;
  return { kind, text: line.toString('utf8', LINE_HEAD) };
}
