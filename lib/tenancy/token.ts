import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * `ohm_sk_` (gateway), `ohm_mk_` (management), `ohm_in_` (an invitation's link) or `ohm_pw_` (a link to a new
 * password) + 32 random base62 characters (190 bits) + the CRC-32 of all that in 6 base62 characters. The checksum
 * turns typing errors and junk away without a look at the database and lets secret scanners be sure. As a pattern:
 * `ohm_(sk|mk|in|pw)_[0-9A-Za-z]{38}`.
 */
export type TokenKind = 'sk' | 'mk' | 'in' | 'pw';

export interface IssuedToken {
  /** Shown once, never stored. */
  token: string;
  /** What is stored. */
  hash: string;
  last4: string;
}

export function issueToken(kind: TokenKind): IssuedToken {
  const head = `ohm_${kind}_${randomBase62(32)}`;
  const token = head + checksum(head);
  return { token, hash: hashToken(token), last4: token.slice(-4) };
}

/** Form and checksum; says nothing of whether the token was ever issued. */
export function isWellFormedToken(token: string, kind: TokenKind): boolean {
  if (token.length !== TOKEN_LENGTH || !token.startsWith(`ohm_${kind}_`)) return false;
  if (!/^[0-9A-Za-z]{38}$/.test(token.slice(7))) return false;
  return token.slice(-6) === checksum(token.slice(0, -6));
}

/** SHA-256, lower-case hex. A slow hash has nothing to add to 190 random bits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const TOKEN_LENGTH = 7 + 32 + 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 = 4 × 62: bytes from there on would favour the first characters.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

function checksum(head: string): string {
  let value = crc32(head);
  let text = '';
  for (let i = 0; i < 6; i++) {
    text = BASE62[value % 62]! + text;
    value = Math.floor(value / 62);
  }
  return text;
}
