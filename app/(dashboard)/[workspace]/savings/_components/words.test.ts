import { expect, test } from 'vitest';
import { barOf, barsSummary, intervalText, outcomeText, shareText, tokensText } from './words';

test('a loss has a minus sign in tokens, shares and intervals, and a zero has none', () => {
  expect([tokensText(-1_234.4), tokensText(0), tokensText(88)]).toEqual(['−1,234', '0', '88']);
  expect([shareText(-0.1234), shareText(0.05), shareText(-0.0001)]).toEqual(['−12.3%', '5%', '0%']);
  expect([outcomeText(-0.16), outcomeText(0.285), outcomeText(0)]).toEqual(['lost 16%', 'saved 28.5%', 'saved 0%']);
  expect(intervalText({ low: -0.02, high: 0.05 }, shareText)).toBe('−2% to 5%');
});

test('bars grow from the middle: gains to the right, losses to the left', () => {
  expect(barOf(50, 100)).toEqual({ left: 50, width: 25 });
  expect(barOf(-100, 100)).toEqual({ left: 0, width: 50 });
  expect(barOf(0, 0)).toEqual({ left: 50, width: 0 });
});

test('the sentence over the bars tells losses, and what was not counted', () => {
  const saver = { saver: 'log-fold' as const, lossless: true, calls: 1, texts: 1, bytes_saved: 1, tokens_saved: -3, tokens_saved_per_call: null, undone: { threw: 0, timeout: 0, larger: 0, structure: 0, provider_refused: 0 } };
  expect(barsSummary([])).toContain('No saver changed anything');
  expect(barsSummary([saver])).toContain('1 made requests longer');
  expect(barsSummary([{ ...saver, tokens_saved: null }])).toContain('not counted');
});
