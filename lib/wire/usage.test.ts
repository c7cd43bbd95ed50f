import { expect, test } from 'vitest';
import { tokenCount } from './usage';

test.each([[0, 0], [69, 69], [1e9, 1e9]])('%j is a count', (value, count) => expect(tokenCount(value)).toBe(count));

test.each([1.5, 0.0001, -1, 1e9 + 1, 1e19, 1e300, Number.NaN, Number.POSITIVE_INFINITY, '5', null, undefined, true])('%j is none: it stays unknown', (value) => {
  expect(tokenCount(value)).toBeNull();
});
