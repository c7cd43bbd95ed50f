import { expect, test } from 'vitest';
import { nanoUsdOf } from './usd-rate';

test.each([
  ['0.15', 150_000_000],
  ['$3', 3_000_000_000],
  ['0', 0],
  ['0.000001', 1_000],
  ['999999.999999', 999_999_999_999_000],
  ['', null],
  [undefined, null],
  ['0.0000001', '0.0000001'],
  ['-1', '-1'],
  ['1e3', '1e3'],
  ['1,5', '1,5'],
  ['cheap', 'cheap'],
])('%s dollars a million tokens is %s', (typed, expected) => {
  expect(nanoUsdOf(typed)).toBe(expected);
});
