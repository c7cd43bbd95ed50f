import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EDGE_VARIABLE_NAMES } from '../edge/env';
import { EnvError, parseEnv, parseSettings, VARIABLE_NAMES } from './env';

const SECRET = 'kQ7vN2xR9wLpTf4hZs8mBc3dJy6gUe5a';
const problem = (source: Record<string, string>) => {
  try {
    parseSettings(source);
  } catch (error) {
    expect((error as Error).name).toBe('EnvError');
    return (error as EnvError).message;
  }
  return null;
};

test('an empty environment is enough for the embedded set-up', () => {
  expect(parseSettings({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:3000',
    databaseUrl: null,
    secret: null,
    allowPrivateUpstreams: [],
    heldBytes: 268_435_456,
    maxBodyBytes: 33_554_432,
    door: 'node',
    journal: 'folder',
  });
});

test('an empty value counts as unset', () => {
  expect(parseSettings({ PORT: '', OHM_SECRET: ' ' })).toMatchObject({ port: 3000, secret: null });
});

test.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['OHM_HOST', 'http://x'],
  ['OHM_PUBLIC_URL', 'ohm.example.com'],
  ['OHM_PUBLIC_URL', 'https://ohm.example.com/path'],
  ['DATABASE_URL', 'mysql://u@h/d'],
  ['OHM_SECRET', 'short'],
  ['OHM_SECRET', 'change-me-change-me-change-me-change-me'],
  ['OHM_SECRET', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ['OHM_ALLOW_PRIVATE_UPSTREAMS', 'localhost'],
  ['OHM_ALLOW_PRIVATE_UPSTREAMS', '10.0.0.0/33'],
  ['OHM_ALLOW_PRIVATE_UPSTREAMS', '10.0.0.0/8:9000-8000'],
  ['OHM_HELD_BYTES', '1MB'],
  ['OHM_MAX_BODY_BYTES', '0'],
  ['OHM_DOOR', 'back'],
  ['OHM_DRAIN_MS', '1.5'],
  ['OHM_JOURNAL', 'redis'],
  ['REDIS_URL', 'localhost:6379'],
  ['REDIS_URL', 'http://localhost:6379'],
  ['UPSTASH_REDIS_REST_URL', 'redis://localhost'],
  ['OHM_STORE_BYTES', '64MB'],
  ['OHM_TRUSTED_PROXIES', 'all'],
  ['OHM_LOG_LEVEL', 'loud'],
  ['OHM_ENV', 'staging'],
])('a bad %s (%s) is refused by its name', (name, value) => {
  expect(problem({ [name]: value })).toMatch(new RegExp(`^${name} `));
});

test('every bad variable is named at once, and no value is repeated', () => {
  const message = problem({ PORT: 'x', OHM_SECRET: 'hunter2', OHM_DOOR: 'y' });
  expect(message?.split('\n').map((line) => line.split(' ')[0])).toEqual(['PORT', 'OHM_SECRET', 'OHM_DOOR']);
  expect(message).not.toContain('hunter2');
});

test('a database of the operator asks for a secret of the operator', () => {
  expect(problem({ DATABASE_URL: 'postgres://u:p@h/d' })).toMatch(/^OHM_SECRET is required/);
  expect(parseEnv({ DATABASE_URL: 'postgres://u:p@h/d', OHM_SECRET: SECRET })).toMatchObject({ databaseUrl: 'postgres://u:p@h/d', secret: SECRET });
});

test('a process that serves needs a database', () => {
  expect(() => parseEnv({ OHM_SECRET: SECRET })).toThrow(/^DATABASE_URL is not set/);
});

test('private upstream rules are networks with port ranges', () => {
  const { allowPrivateUpstreams } = parseSettings({ OHM_ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8, 10.1.0.0/16:8000-9000,192.168.1.5:11434,fd00::/8,[::1]:8080,::1,[fd00::]/8:1-2' });
  expect(allowPrivateUpstreams).toEqual([
    { family: 4, address: '127.0.0.0', prefix: 8, fromPort: 1, toPort: 65_535 },
    { family: 4, address: '10.1.0.0', prefix: 16, fromPort: 8000, toPort: 9000 },
    { family: 4, address: '192.168.1.5', prefix: 32, fromPort: 11_434, toPort: 11_434 },
    { family: 6, address: 'fd00::', prefix: 8, fromPort: 1, toPort: 65_535 },
    { family: 6, address: '::1', prefix: 128, fromPort: 8080, toPort: 8080 },
    { family: 6, address: '::1', prefix: 128, fromPort: 1, toPort: 65_535 },
    { family: 6, address: 'fd00::', prefix: 8, fromPort: 1, toPort: 2 },
  ]);
});

test('where the file system is thrown away the journal is the database', () => {
  expect(parseSettings({ VERCEL: '1' }).journal).toBe('database');
});

test('the store is a Redis by TCP before one by REST, and this process without either', () => {
  const rest = { UPSTASH_REDIS_REST_URL: 'https://x.upstash.io/', UPSTASH_REDIS_REST_TOKEN: 'token' };
  expect(parseSettings({}).store).toEqual({ kind: 'memory', bytes: 67_108_864 });
  expect(parseSettings(rest).store).toEqual({ kind: 'upstash', url: 'https://x.upstash.io', token: 'token' });
  expect(parseSettings({ ...rest, REDIS_URL: 'rediss://u:p@h:6380/2' }).store).toEqual({ kind: 'redis', url: 'rediss://u:p@h:6380/2' });
  expect(problem({ UPSTASH_REDIS_REST_URL: rest.UPSTASH_REDIS_REST_URL })).toMatch(/^UPSTASH_REDIS_REST_TOKEN is required/);
});

test('.env.example names exactly the variables that are read, each once, and none of them is set', () => {
  const lines = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8').split('\n');
  const named = lines.flatMap((line) => /^# ?([A-Z][A-Z_]+)=/.exec(line)?.[1] ?? []);
  expect([...named].sort()).toEqual([...new Set([...VARIABLE_NAMES, ...EDGE_VARIABLE_NAMES])].sort());
  expect(lines.filter((line) => line && !line.startsWith('#'))).toEqual([]);
});

test('a secret made at random is never taken for a placeholder', () => {
  for (let i = 0; i < 20_000; i++) {
    const secret = randomBytes(32).toString('base64url');
    expect(() => parseSettings({ OHM_SECRET: secret }), secret).not.toThrow();
  }
});
