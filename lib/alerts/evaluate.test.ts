import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate, levelOf, type Episode, type Sample, type Transition, type Watched } from './evaluate';
import { ALERT_KINDS, clearForS, KINDS, kindOf, MAX_PAUSE_S, MIN_WINDOW_S, pauseFor, type AlertKind } from './kinds';

const NOW = Date.UTC(2026, 10, 30, 12);
const rule = (kind: AlertKind, rest: Partial<Watched> = {}): Watched => ({ kind, threshold: KINDS[kind].threshold, windowS: KINDS[kind].windowS, minCalls: 10, watchedSinceMs: 0, ...rest });
const sample = (value: number, rest: Partial<Sample> = {}): Sample => ({ subject: '', value, of: null, facts: null, ...rest });
const types = (transitions: Transition[]) => transitions.map(({ type }) => type);

describe('a figure has reached', () => {
  test.each([
    ['a count below its threshold', rule('auth', { threshold: 3 }), sample(2), 0],
    ['a count at its threshold', rule('auth', { threshold: 3 }), sample(3), 1],
    ['no call at all', rule('rate_limited.after_content'), sample(0), 0],
    ['a share at its threshold', rule('failover_rate', { threshold: 20 }), sample(20, { of: 10 }), 1],
    ['a share just below', rule('failover_rate', { threshold: 20 }), sample(19.999, { of: 1_000 }), 0],
    ['a share of too few calls', rule('failover_rate', { threshold: 20, minCalls: 10 }), sample(100, { of: 9 }), 0],
    ['49.9% of a budget', rule('budget', { threshold: 50 }), sample(49.9), 0],
    ['50% of a budget', rule('budget', { threshold: 50 }), sample(50), 50],
    ['79% of a budget', rule('budget', { threshold: 50 }), sample(79), 50],
    ['79% of a budget, told from 80 on', rule('budget', { threshold: 80 }), sample(79), 0],
    ['80% of a budget', rule('budget', { threshold: 80 }), sample(80), 80],
    ['240% of a budget', rule('budget', { threshold: 80 }), sample(240), 100],
    ['99% of a budget, told from 100 on', rule('budget', { threshold: 100 }), sample(99), 0],
    ['silence in a window that was watched whole', rule('no_traffic', { windowS: 60, watchedSinceMs: NOW - 60_000 }), sample(0), 1],
    ['silence in a window that began before the rule', rule('no_traffic', { windowS: 60, watchedSinceMs: NOW - 59_999 }), sample(0), 0],
    ['one call where one is enough', rule('no_traffic', { windowS: 60 }), sample(1), 0],
    ['one call where three are wanted', rule('no_traffic', { windowS: 60, threshold: 3 }), sample(1), 1],
  ])('%s', (_, watched, figure, level) => {
    expect(levelOf(watched, figure, NOW)).toBe(level);
  });
});

describe('an episode', () => {
  const watched = rule('rate_limited.before_content', { threshold: 2, windowS: 60 });
  const open = (rest: Partial<Episode> = {}): Episode => ({ subject: '', level: 1, clearSinceMs: null, ...rest });

  test('begins once', () => {
    expect(types(evaluate(watched, [sample(2)], [], NOW))).toEqual(['fire']);
    expect(types(evaluate(watched, [sample(5)], [open()], NOW))).toEqual(['stay']);
  });

  test('ends when it has been clear for a whole window, to the millisecond', () => {
    expect(evaluate(watched, [sample(1)], [open()], NOW)).toEqual([expect.objectContaining({ type: 'stay', clearSinceMs: NOW })]);
    expect(evaluate(watched, [sample(0)], [open({ clearSinceMs: NOW - 59_999 })], NOW)).toEqual([expect.objectContaining({ type: 'stay', clearSinceMs: NOW - 59_999 })]);
    expect(types(evaluate(watched, [sample(0)], [open({ clearSinceMs: NOW - 60_000 })], NOW))).toEqual(['recover']);
  });

  test('goes on when the figure comes back, and its clear time begins anew', () => {
    expect(evaluate(watched, [sample(2)], [open({ clearSinceMs: NOW - 59_000 })], NOW)).toEqual([expect.objectContaining({ type: 'stay', clearSinceMs: null })]);
  });

  test('of something that is not heard of any more is clear', () => {
    expect(types(evaluate(rule('auth', { windowS: 60 }), [], [open({ subject: 'main' })], NOW))).toEqual(['stay']);
    expect(types(evaluate(rule('auth', { windowS: 60 }), [], [open({ subject: 'main', clearSinceMs: NOW - 60_000 })], NOW))).toEqual(['recover']);
  });

  test('of one connection leaves those of others alone', () => {
    const transitions = evaluate(rule('auth', { windowS: 60 }), [sample(3, { subject: 'a' }), sample(1, { subject: 'b' })], [open({ subject: 'b' })], NOW);
    expect(transitions).toEqual([expect.objectContaining({ type: 'fire', sample: expect.objectContaining({ subject: 'a' }) }), expect.objectContaining({ type: 'stay', subject: 'b' })]);
  });

  test('of a budget is told at each step, falls back silently, and is over at once', () => {
    const budget = rule('budget', { threshold: 50 });
    expect(evaluate(budget, [sample(85)], [open({ level: 50 })], NOW)).toEqual([expect.objectContaining({ type: 'rise', level: 80 })]);
    expect(evaluate(budget, [sample(130)], [open({ level: 50 })], NOW)).toEqual([expect.objectContaining({ type: 'rise', level: 100 })]);
    expect(evaluate(budget, [sample(60)], [open({ level: 100 })], NOW)).toEqual([expect.objectContaining({ type: 'stay', level: 50 })]);
    expect(types(evaluate(budget, [sample(0)], [open({ level: 100 })], NOW))).toEqual(['recover']);
  });

  test('of silence is over with the first calls', () => {
    expect(types(evaluate(rule('no_traffic', { windowS: 60 }), [sample(1)], [open()], NOW))).toEqual(['recover']);
  });

  test('survives a clock that jumps back', () => {
    expect(types(evaluate(watched, [sample(0)], [open({ clearSinceMs: NOW + 3_600_000 })], NOW))).toEqual(['stay']);
  });
});

/** Plays figures one after another, as the database would keep what follows. */
function played(watched: Watched, figures: { atMs: number; value: number }[]): { type: string; atMs: number }[] {
  const told: { type: string; atMs: number }[] = [];
  let open: Episode[] = [];
  for (const { atMs, value } of figures) {
    for (const transition of evaluate(watched, [sample(value, { of: value === 0 ? null : 1_000 })], open, atMs)) {
      if (transition.type !== 'stay') told.push({ type: transition.type, atMs });
      if (transition.type === 'fire' || transition.type === 'rise') open = [{ subject: '', level: transition.level, clearSinceMs: null }];
      else if (transition.type === 'stay') open = [{ subject: '', level: transition.level, clearSinceMs: transition.clearSinceMs }];
      else open = [];
    }
  }
  return told;
}

describe('whatever the figures do', () => {
  const timeline = fc
    .array(fc.record({ stepMs: fc.integer({ min: 1, max: 120_000 }), value: fc.integer({ min: 0, max: 120 }) }), { maxLength: 200 })
    .map((steps) => {
      let atMs = NOW;
      return steps.map(({ stepMs, value }) => ({ atMs: (atMs += stepMs), value }));
    });
  const anyRule = fc.constantFrom(...ALERT_KINDS).map((kind) => rule(kind, { windowS: Math.min(300, kindOf(kind).maxWindowS) }));

  test('beginnings and ends take turns', () => {
    fc.assert(
      fc.property(anyRule, timeline, (watched, figures) => {
        const told = played(watched, figures).filter(({ type }) => type !== 'rise');
        expect(told.map(({ type }) => type)).toEqual(told.map((_, at) => (at % 2 === 0 ? 'fire' : 'recover')));
      }),
    );
  });

  test('an episode lasts at least its clear time, and no two figures above the threshold within that are two episodes', () => {
    fc.assert(
      fc.property(anyRule, timeline, (watched, figures) => {
        const told = played(watched, figures);
        const clearMs = clearForS(watched.kind, watched.windowS) * 1000;
        for (const [at, end] of told.entries()) {
          if (end.type !== 'recover') continue;
          expect(end.atMs - told[at - 1]!.atMs).toBeGreaterThanOrEqual(clearMs);
          const quiet = figures.filter(({ atMs }) => atMs > end.atMs - clearMs && atMs <= end.atMs);
          expect(quiet.every(({ value }) => levelOf(watched, sample(value, { of: value === 0 ? null : 1_000 }), end.atMs) === 0)).toBe(true);
        }
      }),
    );
  });

  test('steps of a budget are told once each in an episode', () => {
    fc.assert(
      fc.property(timeline, (figures) => {
        const rising = figures.map(({ atMs }, at) => ({ atMs, value: at }));
        expect(played(rule('budget', { threshold: 50 }), rising).map(({ type }) => type)).toEqual(['fire', 'rise', 'rise'].slice(0, [50, 80, 100].filter((step) => rising.length > step).length));
      }),
    );
  });

  test('looking twice at the same moment changes nothing', () => {
    fc.assert(
      fc.property(anyRule, fc.integer({ min: 0, max: 120 }), (watched, value) => {
        const once = played(watched, [{ atMs: NOW, value }]);
        expect(played(watched, [{ atMs: NOW, value }, { atMs: NOW, value }])).toEqual(once);
      }),
    );
  });
});

test('every window is looked at at least twice in its length', () => {
  for (const windowS of [MIN_WINDOW_S, 11, 30, 59, 60, 61, 3_600, 604_800]) {
    expect(pauseFor([windowS, 3_600]) * 2).toBeLessThanOrEqual(windowS);
    expect(pauseFor([windowS, 3_600])).toBeLessThanOrEqual(MAX_PAUSE_S);
  }
});
