import { describe, expect, it } from 'vitest';
import type { AttemptRow } from '@/lib/metering/call-row';
import type { FailureClass } from '@/lib/wire';
import { progressOf, type Facts } from './steps';

const FRESH: Facts = {
  connections: [{ id: 'conn_1', name: 'sandbox', kind: 'sandbox' }],
  routes: [{ id: 'route_1', name: 'demo', tiers: 2 }],
  keys: [],
  finished: null,
  latest: null,
};
const KEY = { id: 'key_1', name: 'ci', state: 'active' as const, defaultRoute: 'demo' };

describe('the checklist', () => {
  it('of a new workspace asks for a key, with its route filled in', () => {
    const { steps, done, problem } = progressOf(FRESH);
    expect(steps.map((step) => [step.id, step.done])).toEqual([['connection', true], ['route', true], ['key', false], ['call', false]]);
    expect(steps[2]?.action?.path).toBe('/keys/new?from=overview');
    expect({ done, problem }).toEqual({ done: false, problem: null });
  });

  it('does not count keys that cannot be used', () => {
    const { steps } = progressOf({ ...FRESH, keys: [{ ...KEY, state: 'disabled' }] });
    expect(steps[2]).toMatchObject({ done: false, text: 'No key is active: all are disabled or expired.' });
  });

  it('does not count a route without tiers', () => {
    expect(progressOf({ ...FRESH, routes: [{ id: 'route_1', name: 'demo', tiers: 0 }] }).steps[1]?.done).toBe(false);
  });

  it('is done when one call finished, whatever came after it', () => {
    const progress = progressOf({ ...FRESH, keys: [KEY], finished: { id: 'call_1' }, latest: failedWith('auth') });
    expect(progress).toMatchObject({ done: true, problem: null, finishedCallId: 'call_1' });
    expect(progress.steps[3]?.action?.path).toBe('/calls/call_1');
  });

  it.each<[FailureClass, string, string]>([
    ['auth', 'connection', '/connections/conn_1'],
    ['connect', 'connection', '/connections/conn_1'],
    ['not_found', 'route', '/routes'],
    ['server_error', 'route', '/routes'],
    ['context_length', 'call', '/calls/call_9'],
  ])('after a call that failed with %s it names the step %s and the page %s', (cls, step, path) => {
    expect(progressOf({ ...FRESH, keys: [KEY], latest: failedWith(cls) }).problem).toMatchObject({ step, fix: { path } });
  });

  it('sends a key without the right model to its own page', () => {
    const latest = { ...failedWith('auth'), error_code: 'model_not_found', attempts: [] };
    expect(progressOf({ ...FRESH, keys: [KEY], latest }).problem).toMatchObject({ step: 'key', fix: { path: '/keys/key_1' } });
  });
});

function failedWith(cls: FailureClass): NonNullable<Facts['latest']> {
  const attempt: AttemptRow = {
    tier: 1, connection: 'sandbox', provider: 'sandbox', model: 'status:401', state: 'failed', skip_reason: null, class: cls, upstream_status: null,
    message: null, bytes: 0, started_ms: 0, headers_ms: null, first_content_ms: null, duration_ms: 3, usage: null,
  };
  return { id: 'call_9', state: 'rejected', error_code: 'upstream_error', key_id: 'key_1', requested_model: 'auto', attempts: [attempt] };
}
