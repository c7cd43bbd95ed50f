import { expect, test } from 'vitest';
import { priceSet } from './price';

test('a rate that is wrong is told one fault, the first', () => {
  const faults = (rate: unknown) => priceSet.safeParse({ connection: 'main', model: 'm', input_nano_usd_per_million_tokens: rate, output_nano_usd_per_million_tokens: 0 }).error?.issues.map(({ message }) => message);
  expect([faults(-1), faults(1.5), faults(2e15 + 1), faults(1_500), faults(150_000_000)]).toEqual([
    ['must not be negative'], ['must be a whole number of nano-USD'], ['must be at most 1,000,000,000,000,000 (a dollar a token)'], ['must be a multiple of 1,000: costs are counted in millionths of a millionth of a dollar a token'], undefined,
  ]);
});
