import { randomFillSync } from 'node:crypto';

const ALPHABET = Buffer.from('0123456789abcdefghjkmnpqrstvwxyz'); // Crockford base32, lower case
const TIME = 10;
const RANDOM = 16;
const pool = Buffer.alloc(256 * RANDOM);
let used = pool.length;
/** The id being made; its first ten characters stand for `timeMs`. */
const id = Buffer.alloc(TIME + RANDOM);
let timeMs = NaN;

/**
 * A sortable id: `<prefix>_` + 10 characters of milliseconds + 16 random ones (80 bits).
 * The layout is ULID's (github.com/ulid/spec), lower case, with a prefix that says what it names.
 */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  if (nowMs !== timeMs) writeTime(nowMs);
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  for (let at = TIME; at < TIME + RANDOM; at++) id[at] = ALPHABET[pool[used++]! & 31]!;
  return `${prefix}_${id.toString('latin1')}`;
}

function writeTime(nowMs: number): void {
  let time = nowMs;
  for (let at = TIME - 1; at >= 0; at--) {
    id[at] = ALPHABET[time % 32]!;
    time = Math.floor(time / 32);
  }
  timeMs = nowMs;
}
