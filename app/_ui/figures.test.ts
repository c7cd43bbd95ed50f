import { describe, expect, it } from 'vitest';
import { formatBytes, formatCount, formatCounted, formatDuration, formatMoney, formatShare } from './figures';

describe('figures', () => {
  it('one of a unit is not several', () => {
    expect([0, 1, 1_234].map((value) => formatCounted(value, 'token'))).toEqual(['0 tokens', '1 token', '1,234 tokens']);
  });

  it.each([
    [null, 'not reported'],
    [0, '$0'],
    [1, '$0.000000001'],
    [41_000, '$0.000041'],
    [41_500, '$0.0000415'],
    [12_340_000, '$0.0123'],
    [500_000_000, '$0.50'],
    [456_000_000, '$0.456'],
    [999_600_000, '$1.00'],
    [1_234_560_000_000, '$1,234.56'],
    [-41_000, '−$0.000041'],
  ])('money of %s nano-USD is %s, never nothing for something', (nano, text) => expect(formatMoney(nano)).toBe(text));

  it.each([
    [null, 'not reported'],
    [0, '0 B'],
    [5312, '5,312 B'],
    [12_345, '12.3 kB'],
    [2_000_000, '2.00 MB'],
  ])('bytes of %s is %s, exact while small', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [null, 'not reported'],
    [0.42, '0.4 ms'],
    [103, '103 ms'],
    [1240, '1.24 s'],
    [125_000, '2 min 5 s'],
    [3_720_000, '1 h 2 min'],
  ])('duration of %s ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

  it('a share without a denominator is not reported', () => {
    expect(formatShare(0, 0)).toBe('not reported');
    expect(formatShare(1, 3)).toBe('33%');
    expect(formatShare(1, 1000)).toBe('0.10%');
    expect(formatCount(null)).toBe('not reported');
  });
});
