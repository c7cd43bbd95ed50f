import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford base32, lower case
const pool = Buffer.alloc(4096);
let used = pool.length;

/**
 * A sortable id: `<prefix>_` + 10 characters of milliseconds + 16 random ones (80 bits).
 * The layout is ULID's (github.com/ulid/spec), lower case, with a prefix that says what it names.
 */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  let id = '';
  let time = nowMs;
  for (let i = 0; i < 10; i++) {
    id = ALPHABET[time % 32] + id;
    time = Math.floor(time / 32);
  }
  if (used + 16 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  for (let i = 0; i < 16; i++) id += ALPHABET[pool[used++]! & 31];
  return `${prefix}_${id}`;
}
