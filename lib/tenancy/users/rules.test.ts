import { describe, expect, test } from 'vitest';
import { networkPrefix } from './attempts';
import { normalEmail, passwordProblem } from './rules';

describe('an e-mail address', () => {
  test.each([
    ['  Ada@Example.COM ', 'ada@example.com'],
    ['o’hara+tag@sub.example.co', 'o’hara+tag@sub.example.co'],
    ['root@localhost', 'root@localhost'],
  ])('%j is kept as %j', (text, kept) => expect(normalEmail(text)).toBe(kept));

  test.each(['', 'ada', '@example.com', 'ada@', 'a b@example.com', 'ada@exa mple.com', 'ada@example.com\r\nBcc: x@y', 'ada\0@example.com', `${'a'.repeat(250)}@example.com`, 'ada@-', '<ada@example.com>'])(
    '%j is none',
    (text) => expect(() => normalEmail(text)).toThrow(expect.objectContaining({ code: 'invalid', issues: [expect.objectContaining({ field: 'email' })] })),
  );
});

describe('a password', () => {
  test.each(['correct horse battery staple', 'tr0ub4dor&3-and-more', 'ünïcödé-pässwörd', 'yellow bicycle', 'x'.repeat(100) + 'Qw7 f', '   spaces are fine   '])('%j may be taken', (text) => {
    expect(passwordProblem(text, 'ada@example.com')).toBeNull();
  });

  test.each([
    ['short', 'at least 12'],
    ['elevenchars', 'at least 12'],
    ['a1!'.repeat(86), 'at most 256'],
    ['ada.lovelace@example.com', 'e-mail address'],
    ['ADA.LOVELACE', 'e-mail address'],
    ['ada.lovelace1815', 'e-mail address'],
    ['password1234', 'attacker'],
    ['Password1234!', 'attacker'],
    ['passwordpassword', 'attacker'],
    ['123456789012', 'attacker'],
    ['qwertyuiop123', 'attacker'],
    ['qwertyuiopasdf', 'attacker'],
    ['aaaaaaaaaaaa', 'attacker'],
    ['abc123abc123', 'attacker'],
    ['changeme2026!', 'attacker'],
  ])('%j may not: %s', (text, reason) => {
    expect(passwordProblem(text, 'ada.lovelace@example.com')).toContain(reason);
  });

  test('has its length counted in characters as people see them', () => {
    expect(passwordProblem('🦊🐻🐼🐨🐯🦁', 'a@example.com')).toContain('at least');
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2ff:3:4:5:6', '2001:0db8:0001:0200::/56'],
  ['2001:db8:1:200::1', '2001:0db8:0001:0200::/56'],
  ['2001:db8:1:300::1', '2001:0db8:0001:0300::/56'],
  ['::1', '0000:0000:0000:0000::/56'],
  ['fe80::1%eth0', 'fe80:0000:0000:0000::/56'],
  ['junk', 'unknown'],
  [null, 'unknown'],
])('%s is limited as %s', (address, prefix) => expect(networkPrefix(address)).toBe(prefix));
