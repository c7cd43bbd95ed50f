import { describe, expect, test } from 'vitest';
import { failure } from '../wire';
import { type CoolDown, coolDownAfter, gateOf } from './cool-down';

const server = failure('server_error', 'x');
const silent = failure('stalled', 'x');

/** Fails `times` probes in a row without jitter and gives the lengths of the cool-downs. */
function lengths(times: number, why = server): number[] {
  const seen: number[] = [];
  let state: CoolDown | null = null;
  for (let i = 0; i < times; i++) {
    const next: CoolDown = coolDownAfter(state && { ...state, probing: true }, why, 1_000, 0, 1);
    seen.push(next.until);
    state = next;
  }
  return seen;
}

describe('cool-down', () => {
  test('starts at 2 s and doubles with every failed probe up to 15 s', () => {
    expect(lengths(6)).toEqual([2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  });

  test('reaches 30 s after silence', () => {
    expect(lengths(6, silent)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  test('is as long as the provider asked, at most 5 minutes, without jitter', () => {
    expect(coolDownAfter(null, failure('rate_limited', 'x', { retryAfterMs: 7_000 }), 1_000, 100, 0).until).toBe(7_100);
    expect(coolDownAfter(null, failure('rate_limited', 'x', { retryAfterMs: 3_600_000 }), 1_000, 0, 0).until).toBe(300_000);
  });

  test('jitter only shortens it, by a fifth at most', () => {
    expect(coolDownAfter(null, server, 1_000, 0, 0).until).toBe(1_600);
    expect(coolDownAfter(null, server, 1_000, 0, 0.999_999).until).toBeLessThanOrEqual(2_000);
  });

  test('a straggler that fails during the cool-down neither doubles nor shortens it', () => {
    const first = coolDownAfter(null, server, 1_000, 0, 1);
    const again = coolDownAfter(first, server, 1_000, 500, 0);
    expect(again.lengthMs).toBe(2_000);
    expect(again.until).toBeGreaterThanOrEqual(first.until);
  });

  test('after it ends one probe may go, and while that runs nobody else', () => {
    const state = coolDownAfter(null, server, 1_000, 0, 1);
    expect(gateOf(state, 1_000, 1_999)).toBe('closed');
    expect(gateOf(state, 1_000, 2_000)).toBe('half_open');
    expect(gateOf({ ...state, probing: true }, 1_000, 5_000)).toBe('closed');
  });

  test('a missed budget says nothing about tiers that wait longer', () => {
    const state = coolDownAfter(null, silent, 800, 0, 1);
    expect(gateOf(state, 800, 1)).toBe('closed');
    expect(gateOf(state, 500, 1)).toBe('closed');
    expect(gateOf(state, 801, 1)).toBe('open');
    expect(gateOf(coolDownAfter(null, server, 800, 0, 1), 60_000, 1)).toBe('closed');
  });
});
