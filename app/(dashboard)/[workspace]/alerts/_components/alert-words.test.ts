import { expect, test } from 'vitest';
import { firesWords, isMuted, scopeWords } from './alert-words';

test.each([
  [{ kind: 'auth', threshold: 1, window_s: 300, min_calls: 10 }, 'at least 1 call in 5 min'],
  [{ kind: 'rate_limited.after_content', threshold: 3, window_s: 90, min_calls: 10 }, 'at least 3 calls in 90 s'],
  [{ kind: 'failover_rate', threshold: 20, window_s: 900, min_calls: 10 }, 'at least 20%, of 10 calls or more in 15 min'],
  [{ kind: 'no_traffic', threshold: 1, window_s: 3_600, min_calls: 10 }, 'no call in 1 h'],
  [{ kind: 'no_traffic', threshold: 5, window_s: 86_400, min_calls: 10 }, 'fewer than 5 calls in 1 day'],
  [{ kind: 'budget', threshold: 80, window_s: 60, min_calls: 10 }, 'at 80%, 100%'],
] as const)('%j fires at "%s"', (alert, words) => {
  expect(firesWords(alert)).toBe(words);
});

test('a scope whose key is gone says so', () => {
  expect([scopeWords({ type: 'all', id: null, name: null }), scopeWords({ type: 'key', id: 'k', name: 'ci' }), scopeWords({ type: 'route', id: 'r', name: null })]).toEqual(['all calls', 'key ci', 'a route that is gone']);
});

test('a mute ends by itself', () => {
  const at = Date.parse('2026-11-30T12:00:00Z');
  expect([null, '2026-11-30T11:59:59.999Z', '2026-11-30T12:00:00.001Z'].map((muted_until) => isMuted({ muted_until }, at))).toEqual([false, false, true]);
});
