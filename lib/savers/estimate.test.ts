import { describe, expect, test } from 'vitest';
import { type Conversation, estimateSavings, sumArm } from './estimate';
import { tQuantile975 } from './student-t';

const conversations = (n: number, calls: number, received: number, billedPerToken: number, noise = 0): Conversation[] =>
  Array.from({ length: n }, (_, at) => ({ calls, received: received + at, billed: (received + at) * billedPerToken + noise * ((at % 5) - 2) }));

const stratum = (treated: Conversation[], holdout: Conversation[]) => ({ treated: sumArm(treated), holdout: sumArm(holdout) });

describe('the estimate', () => {
  test('is what the treated calls would have been billed more', () => {
    const made = estimateSavings([stratum(conversations(100, 4, 1_000, 0.75), conversations(100, 4, 1_000, 1))])!;
    const received = sumArm(conversations(100, 4, 1_000, 1)).received;
    expect(made.saved).toBeCloseTo(received * 0.25, 6);
    expect(made.baseline).toBeCloseTo(received, 6);
    expect([made.treatedCalls, made.holdoutCalls, made.measured]).toEqual([400, 400, true]);
  });

  test('of a saver that costs is a loss, and a measured one', () => {
    const made = estimateSavings([stratum(conversations(100, 4, 1_000, 1.2, 3), conversations(100, 4, 1_000, 1, 3))])!;
    expect(made.saved).toBeLessThan(0);
    expect(made.high).toBeLessThan(0);
    expect(made.measured).toBe(true);
  });

  test('of savers that do nothing is zero, and a measured zero', () => {
    const made = estimateSavings([stratum(conversations(100, 4, 1_000, 1, 3), conversations(90, 4, 1_010, 1, 3))])!;
    expect(made.low).toBeLessThan(0);
    expect(made.high).toBeGreaterThan(0);
    expect(made.measured).toBe(true);
  });

  test.each([
    ['fewer than 200 calls in an arm', stratum(conversations(100, 4, 1_000, 0.5), conversations(49, 4, 1_000, 1))],
    ['an interval wider than 5 % of the baseline to each side', stratum(conversations(50, 4, 1_000, 0.5, 900), conversations(50, 4, 1_000, 1, 900))],
  ])('is not measured with %s', (_, each) => {
    expect(estimateSavings([each])!.measured).toBe(false);
  });

  test('is none where an arm has fewer than two conversations, and leaves such strata out of a sum', () => {
    const lonely = stratum(conversations(100, 4, 1_000, 0.5), conversations(1, 400, 1_000, 1));
    const good = stratum(conversations(100, 4, 1_000, 0.75), conversations(100, 4, 1_000, 1));
    expect(estimateSavings([lonely])).toBeNull();
    expect(estimateSavings([])).toBeNull();
    expect(estimateSavings([lonely, good])).toEqual(estimateSavings([good]));
  });

  test('adds strata, and their uncertainty', () => {
    const one = stratum(conversations(100, 4, 1_000, 0.75, 50), conversations(100, 4, 1_000, 1, 50));
    const alone = estimateSavings([one])!;
    const both = estimateSavings([one, one])!;
    expect(both.saved).toBeCloseTo(2 * alone.saved, 6);
    expect((both.high - both.low) / (alone.high - alone.low)).toBeCloseTo(Math.SQRT2, 1);
  });

  test('an arm’s spread is that of the delete-one-conversation jackknife', () => {
    const arm = conversations(40, 3, 500, 1.1, 70);
    const whole = sumArm(arm);
    const ratios = arm.map((left) => {
      const rest = sumArm(arm.filter((each) => each !== left));
      return rest.billed / rest.received;
    });
    const ratio = whole.billed / whole.received;
    const jackknife = ratios.reduce((sum, each) => sum + (each - ratio) ** 2, 0);
    expect(whole.spread! / whole.received ** 2).toBeCloseTo(jackknife, 12);
  });
});

test.each([
  [1, 12.7062],
  [2, 4.30265],
  [3, 3.18245],
  [4, 2.77645],
  [5, 2.57058],
  [10, 2.22814],
  [30, 2.04227],
  [1_000, 1.96234],
])('t at %d degrees of freedom', (df, expected) => {
  expect(tQuantile975(df)).toBeGreaterThan(expected * 0.995);
  expect(tQuantile975(df)).toBeLessThan(expected * 1.005);
});
