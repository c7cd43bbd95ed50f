import { afterEach, describe, expect, test } from 'vitest';
import { clientOf } from './client';

const MARK = Symbol.for('ohm.server-sets-client-address');
const shared = globalThis as Record<symbol, unknown>;
const address = (forwarded: string | null, proxies: number) => clientOf({ get: (name) => (name === 'x-forwarded-for' ? forwarded : null) }, proxies).address;
afterEach(() => {
  delete shared[MARK];
});

describe('behind the product\'s own server', () => {
  test('the one address that it wrote is the client\'s, whatever the number of proxies', () => {
    shared[MARK] = true;
    for (const proxies of [0, 1, 3]) expect(address('203.0.113.7', proxies)).toBe('203.0.113.7');
    expect(address('', 0)).toBeNull();
  });
});

describe('under plain next start', () => {
  test('nobody\'s word counts when no proxy is trusted', () => expect(address('203.0.113.7', 0)).toBeNull());

  test('the entry counts that the outermost trusted proxy wrote, not what the client put before it', () => {
    expect(address('6.6.6.6, 203.0.113.7', 1)).toBe('203.0.113.7');
    expect(address('6.6.6.6, 203.0.113.7, 10.0.0.1', 2)).toBe('203.0.113.7');
    expect(address('203.0.113.7', 2)).toBe('203.0.113.7');
  });

  test('what is no address is none', () => {
    for (const junk of ['unknown', '_hidden', '203.0.113.7:8080', '<script>', null]) expect(address(junk, 1)).toBeNull();
  });
});
