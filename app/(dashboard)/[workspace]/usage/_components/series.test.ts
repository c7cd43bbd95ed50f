import { describe, expect, test } from 'vitest';
import type { UsageCell, UsageReport } from '@/lib/metering';
import { chartsOf, pointsOf, TOKEN_KINDS } from './series';

const HOUR = 3_600_000;
const FROM = Date.parse('2026-03-28T23:00:00Z'); // midnight in Berlin, on the eve of summer time

function cell(piece: number, change: Partial<UsageCell> = {}): UsageCell {
  return {
    piece, group: null, calls: 2, by_state: { finished: 2, truncated: 0, rejected: 0, aborted: 0, lost: 0 }, streams: 2, failovers: 0, truncations: 0,
    replay: { hit: 0, miss: 0, bypass: 2 }, tokens: { prompt: 100, cached: null, cache_write: null, completion: 40, reasoning: 10 },
    provider: { calls: 2, prompt_tokens: 100, completion_tokens: 40 }, estimate: { calls: 0, prompt_tokens: 0, completion_tokens: 0 }, estimated_share: 0,
    cost_nano_usd: 5_000, priced_calls: 2, unpriced_calls: 0, unpriced_share: 0, failed_attempts: { metered: 0, prompt_tokens: null, completion_tokens: null }, ...change,
  };
}

function report(rows: UsageCell[], change: Partial<UsageReport> = {}): UsageReport {
  const starts = [0, 23, 47, 71].map((hours) => new Date(FROM + hours * HOUR).toISOString());
  return { from: starts[0]!, to: new Date(FROM + 95 * HOUR).toISOString(), zone: 'Europe/Berlin', since: starts[1]!, starts, rows, totals: [], total: rows[0] ?? cell(0), ...change };
}

const NOW = FROM + 50 * HOUR; // in the third day
const draw = (rows: UsageCell[], grouped: UsageReport | null = null) => {
  const whole = report(rows);
  return chartsOf(whole, grouped, ({ group }) => group?.value ?? '', pointsOf(whole, 'day'), NOW);
};
const values = (rows: UsageCell[], id: string) => draw(rows).find((chart) => chart.id === id)!.series.map((series) => series.values);

test('points are named by the zone’s own calendar and clock', () => {
  expect(pointsOf(report([]), 'day').map(({ label, full }) => [label, full])[0]).toEqual(['29 Mar', 'Sun, 29 Mar 2026']);
  const hours = report([], { starts: [0, 1, 2, 3].map((hours) => new Date(FROM + hours * HOUR).toISOString()) });
  expect(pointsOf(hours, 'hour').map(({ label }) => label)).toEqual(['00:00', '01:00', '03:00', '04:00']); // two o'clock never was
});

describe('a gap, not 0, stands', () => {
  test('before the first call ever, and after now; a day without calls in between had 0 of them and nothing else', () => {
    expect(values([cell(2)], 'calls')).toEqual([[null, 0, 2, null]]);
    for (const id of ['failovers', 'truncations']) expect([id, values([cell(2)], id)]).toEqual([id, [[null, null, 0, null]]]);
    expect(values([cell(2)], 'spend')).toEqual([[null, null, 5_000, null]]);
  });

  test('where no call has a price, and where no stored answer was looked for', () => {
    expect(values([cell(1, { cost_nano_usd: null }), cell(2)], 'spend')).toEqual([[null, null, 5_000, null]]);
    expect(values([cell(1), cell(2, { replay: { hit: 0, miss: 3, bypass: 0 } })], 'replays')).toEqual([[null, null, 0, null]]);
  });

  test('for a kind of token that nobody told', () => {
    const tokens = draw([cell(2)]).find((chart) => chart.id === 'tokens')!;
    expect(tokens.series.map(({ name }) => name)).toEqual(['Prompt, not cached', 'Completion, no reasoning', 'Reasoning']);
  });
});

test('the kinds of tokens add up to all tokens', () => {
  const figures = cell(0, { tokens: { prompt: 100, cached: 60, cache_write: 15, completion: 40, reasoning: 10 } });
  expect(TOKEN_KINDS.map(({ measure }) => measure(figures))).toEqual([25, 60, 15, 30, 10]);
});

test('groups are drawn apart, the five with the most calls', () => {
  const groups = Array.from({ length: 8 }, (_, i) => cell(2, { calls: i + 1, group: { value: `m${i}`, provider: null, groups: 1 } }));
  const calls = draw([cell(2, { calls: 36 })], report(groups)).find((chart) => chart.id === 'calls')!;
  expect(calls.series.map(({ name, values }) => [name, values[2]])).toEqual([['m7', 8], ['m6', 7], ['m5', 6], ['m4', 5], ['m3', 4]]);
});

test('each chart has one sentence that says the sum and when it was most', () => {
  const charts = draw([cell(2, { replay: { hit: 0, miss: 0, bypass: 2 } })]);
  expect(charts.map(({ id, summary }) => `${id}: ${summary}`)).toEqual([
    'calls: Calls: 2 in all, most on Tue, 31 Mar 2026: 2.',
    'tokens: Tokens: 140 in all, most on Tue, 31 Mar 2026: 140.',
    'spend: Spend: $0.000005 in all, most on Tue, 31 Mar 2026: $0.000005.',
    'failovers: Failovers: none.',
    'truncations: Truncations: none.',
    'replays: No stored answer was looked for.',
  ]);
});
