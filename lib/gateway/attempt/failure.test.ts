import { describe, expect, test } from 'vitest';
import { failure, type FailureClass } from '../../wire';
import { type AttemptMoment, retryDelayMs } from './failure';

const delay = (cls: FailureClass, moment: AttemptMoment, rest: { upstreamStatus?: number; retryAfterMs?: number } = {}) =>
  retryDelayMs(failure(cls, 'x', rest), moment, () => 0.5);

describe('the one retry', () => {
  test('a connection that failed before any response header is tried again at once', () => {
    expect(delay('connect', 'before_response')).toBe(0);
  });

  test('408, 500, 502, 503, 504 and 529 are tried again after a quarter of a second', () => {
    expect(delay('timeout', 'refused', { upstreamStatus: 408 })).toBe(250);
    for (const upstreamStatus of [500, 502, 504]) expect(delay('server_error', 'refused', { upstreamStatus })).toBe(250);
    for (const upstreamStatus of [503, 529]) expect(delay('overloaded', 'refused', { upstreamStatus })).toBe(250);
  });

  test('other statuses go straight to the next tier', () => {
    for (const upstreamStatus of [501, 505, 520, 522, 524, 527, 409, 425, 302]) expect(delay('server_error', 'refused', { upstreamStatus })).toBeNull();
    expect(delay('auth', 'refused', { upstreamStatus: 401 })).toBeNull();
    expect(delay('quota', 'refused', { upstreamStatus: 402 })).toBeNull();
    expect(delay('not_found', 'refused', { upstreamStatus: 404 })).toBeNull();
  });

  test('the class decides before the status does: what a wait does not mend goes straight to the next tier', () => {
    for (const cls of ['context_length', 'too_large', 'quota', 'auth', 'not_found', 'content_policy', 'invalid_request'] as const) {
      for (const upstreamStatus of [500, 503]) expect([cls, delay(cls, 'refused', { upstreamStatus })]).toEqual([cls, null]);
    }
  });

  test('a 429 waits as long as it asks when that is at most 2 s', () => {
    expect(delay('rate_limited', 'refused', { upstreamStatus: 429, retryAfterMs: 2_000 })).toBe(2_000);
    expect(delay('rate_limited', 'refused', { upstreamStatus: 429, retryAfterMs: 2_001 })).toBeNull();
    expect(delay('rate_limited', 'refused', { upstreamStatus: 429 })).toBeNull();
  });

  test('a stream that died or erred before its first event is tried again, one cut later is not', () => {
    expect(delay('cut', 'before_event')).toBe(250);
    expect(delay('overloaded', 'before_event')).toBe(250);
    expect(delay('cut', 'after_event')).toBeNull();
    expect(delay('server_error', 'after_event')).toBeNull();
  });

  test('a silent tier is never asked twice', () => {
    for (const moment of ['before_response', 'before_event', 'after_event'] as const) {
      expect(delay('timeout', moment)).toBeNull();
      expect(delay('stalled', moment)).toBeNull();
    }
  });

  test('what is no event stream is not tried again', () => {
    expect(delay('not_a_stream', 'before_event')).toBeNull();
    expect(delay('malformed', 'before_event')).toBeNull();
  });
});
