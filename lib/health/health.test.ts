import { describe, expect, test } from 'vitest';
import type { ConnectionConfig } from '../gateway/ports';
import { failure } from '../wire';
import { createHealth } from './health';

const connection = (id: string, revision = 1) => ({ id, revision }) as ConnectionConfig;
const broken = failure('server_error', 'x', { upstreamStatus: 500 });
const unauthorized = failure('auth', 'x', { upstreamStatus: 401 });

function make() {
  let now = 0;
  const health = createHealth({ now: () => now, monotonic: () => now }, () => 1);
  return { health, pass: (ms: number) => (now += ms) };
}

describe('health', () => {
  test('a failed pair is skipped until its cool-down ends; then exactly one caller probes it', () => {
    const { health, pass } = make();
    const main = connection('a');
    health.failed(main, 'm', broken, 1_000);
    expect(health.admit(main, 'm', 1_000)).toBe(false);
    pass(2_000);
    expect(health.available(main, 'm', 1_000)).toBe(true);
    expect(health.admit(main, 'm', 1_000)).toBe(true);
    expect(health.admit(main, 'm', 1_000)).toBe(false);
    health.succeeded(main, 'm');
    expect(health.admit(main, 'm', 1_000)).toBe(true);
    expect(health.admit(main, 'm', 1_000)).toBe(true);
  });

  test('a probe without a verdict frees its slot', () => {
    const { health, pass } = make();
    health.failed(connection('a'), 'm', broken, 1_000);
    pass(2_000);
    expect(health.admit(connection('a'), 'm', 1_000)).toBe(true);
    health.abandoned(connection('a'), 'm');
    expect(health.admit(connection('a'), 'm', 1_000)).toBe(true);
  });

  test('other models and other connections are untouched', () => {
    const { health } = make();
    health.failed(connection('a'), 'm', broken, 1_000);
    expect(health.admit(connection('a'), 'other', 1_000)).toBe(true);
    expect(health.admit(connection('b'), 'm', 1_000)).toBe(true);
  });

  test('a rejected credential benches the whole connection until it is edited or 5 minutes pass', () => {
    const { health, pass } = make();
    health.failed(connection('a', 1), 'm', unauthorized, 1_000);
    expect(health.admit(connection('a', 1), 'another model', 1_000)).toBe(false);
    expect(health.admit(connection('a', 2), 'm', 1_000)).toBe(true);
    health.failed(connection('a', 2), 'm', unauthorized, 1_000);
    pass(300_000);
    expect(health.admit(connection('a', 2), 'm', 1_000)).toBe(true);
  });

  test('why a pair is skipped is told without taking its probe', () => {
    const { health, pass } = make();
    const main = connection('a');
    expect(health.benched(main, 'm', 1_000)).toBeNull();
    health.failed(main, 'm', broken, 1_000);
    pass(500);
    expect(health.benched(main, 'm', 1_000)).toEqual({ why: 'cooling_down', forMs: 1_500 });
    pass(1_500);
    expect(health.benched(main, 'm', 1_000)).toBeNull();
    expect(health.admit(main, 'm', 1_000)).toBe(true);
    expect(health.benched(main, 'm', 1_000)).toEqual({ why: 'probed', forMs: null });
    health.failed(main, 'other', unauthorized, 1_000);
    expect(health.benched(main, 'm', 1_000)).toEqual({ why: 'credential_rejected', forMs: 300_000 });
    expect(health.benched(connection('a', 2), 'other', 1_000)).toBeNull();
  });
});
