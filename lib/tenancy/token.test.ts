import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashToken, issueToken, isWellFormedToken } from './token';

test('an issued token has the published form, its checksum, its hash and its last four characters', () => {
  for (let i = 0; i < 500; i++) {
    const { token, hash, last4 } = issueToken('sk');
    expect(token).toMatch(/^ohm_sk_[0-9A-Za-z]{38}$/);
    expect(isWellFormedToken(token, 'sk')).toBe(true);
    expect(isWellFormedToken(token, 'mk')).toBe(false);
    expect(isWellFormedToken(token, 'in')).toBe(false);
    expect(hash).toBe(hashToken(token));
    expect(token.endsWith(last4)).toBe(true);
  }
});

test('a token with any one character replaced is not well formed', () => {
  const { token } = issueToken('sk');
  for (let i = 0; i < token.length; i++) {
    const other = token[i] === 'x' ? 'y' : 'x';
    expect(isWellFormedToken(token.slice(0, i) + other + token.slice(i + 1), 'sk')).toBe(false);
  }
});

test('junk is not well formed', () => {
  fc.assert(fc.property(fc.string({ maxLength: 100 }), (junk) => !isWellFormedToken(junk, 'sk')));
  fc.assert(fc.property(fc.stringMatching(/^ohm_sk_[0-9A-Za-z]{38}$/), (junk) => !isWellFormedToken(junk, 'sk')), { numRuns: 1000 });
  for (const junk of ['', "' OR '1'='1", 'ohm_sk_', `${issueToken('sk').token}\n`]) expect(isWellFormedToken(junk, 'sk')).toBe(false);
});

test('every base62 character occurs about as often as the others', () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 4000; i++) {
    for (const c of issueToken('sk').token.slice(7, 39)) counts.set(c, (counts.get(c) ?? 0) + 1);
  }
  const mean = (4000 * 32) / 62;
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(mean * 0.15); // over 6 sigma
});
