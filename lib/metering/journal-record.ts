import { crc32 } from 'node:zlib';

/** `A` a call is admitted, `S` it has ended (its whole row), `C` a correction of an ended one. */
export type RecordKind = 'A' | 'S' | 'C';

export interface JournalRecord {
  kind: RecordKind;
  json: string;
}

/**
 * One line a record: CRC-32 of the rest as 8 hexadecimal digits, the kind, the JSON, a line feed. JSON text has
 * no line feed of its own, so a torn or damaged line spoils itself and never its neighbours.
 * The encoder owns one buffer: `bytes` is valid until the next `encode`.
 */
export interface RecordEncoder {
  encode(kind: RecordKind, json: string): number;
  bytes: Buffer;
}

export function recordEncoder(): RecordEncoder {
  const encoder: RecordEncoder = {
    bytes: Buffer.allocUnsafe(64 * 1024),
    encode(kind, json) {
      const room = HEAD + json.length * 3 + 1;
      if (room > encoder.bytes.length) encoder.bytes = Buffer.allocUnsafe(room * 2);
      const bytes = encoder.bytes;
      bytes[HEAD - 1] = kind.charCodeAt(0);
      const end = HEAD + bytes.write(json, HEAD, 'utf8');
      let sum = crc32(bytes.subarray(HEAD - 1, end));
      for (let i = 7; i >= 0; i--) {
        bytes[i] = DIGITS[sum & 15]!;
        sum >>>= 4;
      }
      bytes[end] = LINE_FEED;
      return end + 1;
    },
  };
  return encoder;
}

/** Length of the line that holds this JSON. */
export function recordBytes(json: string): number {
  return HEAD + Buffer.byteLength(json) + 1;
}

/** Reads the whole lines of a buffer. `consumed` ends after the last line feed; damaged lines are only counted. */
export function decodeRecords(bytes: Buffer): { records: JournalRecord[]; consumed: number; damaged: number } {
  const records: JournalRecord[] = [];
  let damaged = 0;
  let start = 0;
  for (let end = bytes.indexOf(LINE_FEED, start); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
    const record = decodeLine(bytes.subarray(start, end));
    if (record) records.push(record);
    else if (end > start) damaged++; // an empty line is how the writer steps over a torn one
    start = end + 1;
  }
  return { records, consumed: start, damaged };
}

const HEAD = 9;
const LINE_FEED = 10;
const DIGITS = Buffer.from('0123456789abcdef');

function decodeLine(line: Buffer): JournalRecord | null {
  if (line.length <= HEAD) return null;
  const kind = String.fromCharCode(line[HEAD - 1]!);
  if (kind !== 'A' && kind !== 'S' && kind !== 'C') return null;
  const sum = line.toString('latin1', 0, HEAD - 1);
  if (!/^[0-9a-f]{8}$/.test(sum) || parseInt(sum, 16) !== crc32(line.subarray(HEAD - 1))) return null;
  return { kind, json: line.toString('utf8', HEAD) };
}
