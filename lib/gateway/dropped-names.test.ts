import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { droppedNames } from './dropped-names';

test('plain names stay as they are, each once', () => {
  expect(droppedNames(['user', 'image_url.detail', 'user'])).toEqual(['user', 'image_url.detail']);
});

test('what no header may hold, or what would look like two names, is masked', () => {
  expect(droppedNames(['a\r\nset-cookie: x', 'föö', 'a,b'])).toEqual(['a??set-cookie:?x', 'f??', 'a?b']);
});

test('long names and long lists are cut, and say so', () => {
  expect(droppedNames(['x'.repeat(500)])).toEqual([`${'x'.repeat(64)}...`]);
  expect(droppedNames(Array.from({ length: 100 }, (_, index) => `n${index}`)).at(-1)).toBe('and 68 more');
});

test('any names make one header that can be sent', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 60 }), (names) => {
      const value = droppedNames(names).join(', ');
      validateHeaderValue('x-ohm-dropped-params', value);
      expect(value.length).toBeLessThan(3_000);
    }),
  );
});
