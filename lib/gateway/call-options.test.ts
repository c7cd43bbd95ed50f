import { expect, test } from 'vitest';
import { callOptions } from './call-options';

test.each([
  ['nightly', 'nightly'],
  ['  customer 7 / eu ', 'customer 7 / eu'],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['', null],
])('X-Ohm-Tag: %j names the call %j', (value, tag) => {
  expect(callOptions({ 'x-ohm-tag': value })).toMatchObject({ tag });
  expect(callOptions({})).toMatchObject({ tag: null });
});

test.each(['x'.repeat(65), 'naïve', 'a\tb', 'a\u0000b'])('X-Ohm-Tag: %j is a 400 that names the header, never half taken', (value) => {
  const refused = callOptions({ 'x-ohm-tag': value });
  expect(refused).toMatchObject({ status: 400 });
  expect(JSON.stringify(refused)).toContain('X-Ohm-Tag');
});
