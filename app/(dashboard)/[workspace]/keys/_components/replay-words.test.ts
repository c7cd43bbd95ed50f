import { expect, test } from 'vitest';
import { keptForWords, replayWords } from './replay-words';

test.each([
  [1, '1 second'],
  [90, '90 seconds'],
  [300, '5 minutes'],
  [3_600, '1 hour'],
  [5_400, '90 minutes'],
  [86_400, '1 day'],
  [2_592_000, '30 days'],
])('%i s is %s', (seconds, words) => expect(keptForWords(seconds)).toBe(words));

test('says what becomes of answers', () => {
  expect(replayWords({ enabled: false, ttl_s: 3_600, scope: 'key' })).toMatch(/^off/);
  expect(replayWords({ enabled: true, ttl_s: 3_600, scope: 'key' })).toBe('answers are kept for 1 hour and served to this key alone');
  expect(replayWords({ enabled: true, ttl_s: 60, scope: 'workspace' })).toContain('1 minute and served to every key');
});
