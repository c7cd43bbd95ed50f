import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { asCurl } from './as-code';

const body = { name: "it's", commit: 'complete' as const, deadline_ms: 1000, tiers: [{ connection: 'main', model: 'a$HOME`b"', first_content_timeout_ms: null, idle_timeout_ms: null, response_timeout_ms: null }] };

it('survives a shell unchanged, whatever the names hold', () => {
  const script = asCurl('http://localhost:3000', body, { id: 'route_1', revision: 7 }).replace(/^curl/, `printf '%s\\n'`);
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, OHM_MANAGEMENT_KEY: 'k' } });
  expect(words).toContain('If-Match: "7"');
  expect(JSON.parse(words.slice(words.indexOf('{')))).toEqual(body);
});

it('makes a new route by POST, without a revision', () => {
  expect(asCurl('http://localhost:3000', body, null)).not.toContain('If-Match');
});
