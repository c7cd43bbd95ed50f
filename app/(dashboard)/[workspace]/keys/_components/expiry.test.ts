import { expect, it } from 'vitest';
import { expiryOf } from './expiry';

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
