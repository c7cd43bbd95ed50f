import { expect, it } from 'vitest';
import { expiryErrors, expiryOf } from './expiry';

const NOW = Date.parse('2030-01-01T00:00:00Z');

it.each([
  ['never', undefined, null],
  ['7d', undefined, '2030-01-08T00:00:00.000Z'],
  ['on', '2030-03-04', '2030-03-04T23:59:59Z'],
  ['on', undefined, ''],
  ['junk', undefined, ''],
  ['keep', undefined, undefined],
  [undefined, undefined, undefined],
])('the choice %s with day %s means %s', (choice, day, moment) => expect(expiryOf(choice, day, NOW)).toBe(moment));

it.each([
  ['on', undefined, 'Choose a day.'],
  ['on', '31.1.2030', 'Choose a day.'],
  ['on', '2030-02-40', 'Choose a day.'],
  ['on', '2020-01-01', 'Must lie in the future.'],
  ['junk', undefined, 'Must lie in the future.'],
])('a refused expiry of the choice %s with day %s is told as: %s', (choice, day, told) => {
  expect(expiryErrors({ name: 'Is taken.', expires_at: 'Must lie in the future.' }, choice, day)).toEqual({ name: 'Is taken.', expires_at: told });
});

it('an expiry that was not refused gets no message', () => expect(expiryErrors({ name: 'Is taken.' }, 'on', undefined)).toEqual({ name: 'Is taken.' }));
