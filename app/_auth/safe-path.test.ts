import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safePath } from './safe-path';

test.each(['/', '/acme', '/acme/keys?created=1', '/acme/calls/call_1#attempts', '/a%20b'])('a path of the product is kept: %s', (path) => {
  expect(safePath(path, '/fallback')).toBe(path);
});

test.each([
  null, undefined, '', 'acme', '//evil', '/\\evil', '\\\\evil', 'https:evil', 'https://evil', 'javascript:alert(1)', '/%2f', '/%0d%0aset-cookie:x',
  '/\tevil', '/\n/evil', '/%5cevil', '/a\\b', '/..//evil', '/.//evil', '/%', '/%00', ` //evil`, '/\u0085evil',
])('anything else is not: %j', (path) => {
  const result = safePath(path, '/fallback');
  expect(result === '/fallback' || (!result.startsWith('//') && new URL(result, 'http://here').origin === 'http://here')).toBe(true);
  if (path !== '/%2f') expect(result).toBe('/fallback');
});

test('whatever comes in, a browser stays on this origin', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string().map((rest) => `/${rest}`), fc.stringMatching(/^[/\\.%0-9a-f:@?#]{1,12}$/)), (text) => {
      const url = new URL(safePath(text, '/fallback'), 'https://ohm.example');
      expect(url.origin).toBe('https://ohm.example');
    }),
    { numRuns: 2_000 },
  );
});
