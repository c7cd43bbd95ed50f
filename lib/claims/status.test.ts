import { describe, expect, it } from 'vitest';
import type { Claim } from './registry';
import { judge, type Knowledge, type ProbeResult } from './status';

const NOW = 1_000_000_000;
const claim = (kind: 'promise' | 'refusal'): Claim => ({ id: 'c', statement: 'S.', docs: '/d#a', limits: null, kind, probes: ['a', 'b'] });
const result = (probe: string, passed = true, ageMs = 1_000): ProbeResult => ({ id: probe, probe, processId: 'p', ranAtMs: NOW - ageMs, durationMs: 1, passed, detail: `${probe} saw it.`, figures: {} });
const known = (results: ProbeResult[], more: Partial<Knowledge> = {}): Knowledge => ({ results: new Map(results.map((each) => [each.probe, each])), measurements: {}, blind: null, nowMs: NOW, staleAfterMs: 60_000, ...more });

describe('the status of a claim', () => {
  it('is shipped or unsupported only when every probe passed recently', () => {
    expect(judge(claim('promise'), known([result('a'), result('b')]))).toMatchObject({ status: 'shipped', reason: null });
    expect(judge(claim('refusal'), known([result('a'), result('b')]))).toMatchObject({ status: 'unsupported', reason: null });
  });

  it('is failing with what was seen as soon as one probe failed, however old or blind', () => {
    for (const more of [{}, { blind: 'The database is away.' }]) {
      expect(judge(claim('refusal'), known([result('a'), result('b', false, 999_999)], more))).toMatchObject({ status: 'failing', reason: 'b saw it.' });
    }
    expect(judge(claim('promise'), known([result('b', false)])).status).toBe('failing');
  });

  it('is stale with the reason when a result is missing or old, or nothing can be seen', () => {
    expect(judge(claim('promise'), known([]))).toMatchObject({ status: 'stale', reason: expect.stringMatching(/not been checked/), results: [] });
    expect(judge(claim('promise'), known([result('a')])).status).toBe('stale');
    expect(judge(claim('promise'), known([result('a'), result('b', true, 61_000)]))).toMatchObject({ status: 'stale', reason: expect.stringMatching(/last checked/) });
    expect(judge(claim('promise'), known([result('a'), result('b')], { blind: 'Away.' }))).toMatchObject({ status: 'stale', reason: 'Away.' });
  });

  it('of a measurement follows from the measurement, and is not measured with the reason where there is none', () => {
    const savings: Claim = { id: 's', statement: 'S.', docs: '/d#a', limits: null, kind: 'measurement', measurement: 'savings', unmeasuredBecause: 'Nothing is rewritten.' };
    expect(judge(savings, known([]))).toMatchObject({ status: 'not_measured', reason: 'Nothing is rewritten.', measurement: null });
    expect(judge(savings, known([], { measurements: { savings: { method: 'estimate', figures: {} } } })).status).toBe('estimate_only');
    expect(judge(savings, known([], { measurements: { savings: { method: 'holdout', figures: {} } } })).status).toBe('measured');
  });
});
