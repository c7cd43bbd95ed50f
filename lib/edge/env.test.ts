import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseEdgeEnv } from './env';

const SECRET = 'kQ7vN2xR9wLpTf4hZs8mBc3dJy6gUe5a';
const WHOLE = { OHM_EDGE_PRIMARY: 'http://127.0.0.1:3000', OHM_SECRET: SECRET, OHM_DATA_DIR: '/nowhere' };
const problem = (source: Record<string, string>) => {
  try {
    parseEdgeEnv(source);
  } catch (error) {
    return (error as Error).message;
  }
  return null;
};

test('a primary and the secret are enough', () => {
  expect(parseEdgeEnv(WHOLE)).toMatchObject({ port: 3100, host: '127.0.0.1', primary: 'http://127.0.0.1:3000', fallback: null, redisUrl: null, secret: SECRET, maxBodyBytes: 33_554_432 });
});

test('without a primary or a secret it does not start, and says which is missing', () => {
  expect(problem({ OHM_DATA_DIR: '/nowhere' })).toMatch(/^OHM_EDGE_PRIMARY is required[^\n]+\nOHM_SECRET is required[^\n]+$/);
});

test.each([
  ['OHM_EDGE_PORT', '70000'],
  ['OHM_EDGE_HOST', 'http://x'],
  ['OHM_EDGE_PRIMARY', 'ohm.internal:3000'],
  ['OHM_EDGE_PRIMARY', 'http://ohm.internal/v1'],
  ['OHM_EDGE_FALLBACK', 'redis://x'],
  ['OHM_SECRET', 'short'],
  ['REDIS_URL', 'localhost:6379'],
])('a bad %s stops the start with its name: %s', (name, value) => {
  expect(problem({ ...WHOLE, [name]: value })).toMatch(new RegExp(`^${name} [^\n]+$`));
});

test('beside a control plane on the same data folder its own secret is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ohm-edge-'));
  writeFileSync(join(folder, 'secret'), `${SECRET}\n`);
  expect(parseEdgeEnv({ OHM_EDGE_PRIMARY: 'http://127.0.0.1:3000', OHM_DATA_DIR: folder }).secret).toBe(SECRET);
  rmSync(folder, { recursive: true });
});
