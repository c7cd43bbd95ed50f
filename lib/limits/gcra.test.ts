import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adjust, type Bucket, take } from './gcra';

const MINUTE = 60_000;

/** Takes one unit at each moment; how many were allowed. */
function allowed(bucket: Bucket, moments: number[], units = 1): number {
  let fullAt = 0;
  let count = 0;
  for (const now of moments) {
    const taken = take(bucket, fullAt, now, units);
    fullAt = taken.fullAtMs;
    if (taken.allowed) count++;
  }
  return count;
}

describe('a bucket', () => {
  test('lets exactly its limit through at once, then one for each share of the window', () => {
    const bucket = { limit: 60, windowMs: MINUTE };
    expect(allowed(bucket, Array.from({ length: 100 }, () => 5))).toBe(60);
    expect(allowed(bucket, [...Array.from({ length: 60 }, () => 0), 999, 1_000, 1_500, 2_000])).toBe(62);
  });

  test('says what is left, when it is full again, and when to come back', () => {
    const bucket = { limit: 2, windowMs: MINUTE };
    const first = take(bucket, 0, 1_000, 1);
    expect(first).toMatchObject({ allowed: true, remaining: 1, resetMs: 30_000, retryMs: 0 });
    const second = take(bucket, first.fullAtMs, 1_000, 1);
    expect(second).toMatchObject({ allowed: true, remaining: 0, resetMs: 60_000 });
    const third = take(bucket, second.fullAtMs, 1_000, 1);
    expect(third).toMatchObject({ allowed: false, remaining: 0, retryMs: 30_000, fullAtMs: second.fullAtMs });
    expect(take(bucket, third.fullAtMs, 31_000, 1).allowed).toBe(true);
  });

  test('takes more than a whole bucket only when it is full, and owes the rest', () => {
    const bucket = { limit: 100, windowMs: MINUTE };
    const big = take(bucket, 0, 0, 250);
    expect(big.allowed).toBe(true);
    expect(take(bucket, big.fullAtMs, MINUTE, 1)).toMatchObject({ allowed: false });
    expect(take(bucket, big.fullAtMs, 2 * MINUTE, 1).allowed).toBe(true);
  });

  test('gives back what an estimate took too much', () => {
    const bucket = { limit: 100, windowMs: MINUTE };
    const taken = take(bucket, 0, 0, 100);
    const back = adjust(bucket, taken.fullAtMs, 0, -60);
    expect(take(bucket, back, 0, 60).allowed).toBe(true);
    expect(take(bucket, back, 0, 61).allowed).toBe(false);
  });

  test('never lets more through in any window than twice its limit, nor more than the refill allows over a longer time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.integer({ min: 0, max: 10 * MINUTE }), { maxLength: 400 }), (limit, moments) => {
        const sorted = [...moments].sort((a, b) => a - b);
        const passed = allowed({ limit, windowMs: MINUTE }, sorted);
        const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
        expect(passed).toBeLessThanOrEqual(limit + Math.floor((span / MINUTE) * limit) + 1);
      }),
    );
  });

  test('a clock that jumps back keeps nobody out for longer than what was taken', () => {
    const bucket = { limit: 10, windowMs: MINUTE };
    const taken = take(bucket, 0, 1_000_000, 10);
    expect(take(bucket, taken.fullAtMs, 0, 1).retryMs).toBeGreaterThan(0); // callers use a monotonic clock in one process
  });
});
