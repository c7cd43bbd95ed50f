import { expect, test } from 'vitest';
import { addressOf, onlyWith, readFilters } from './filters';

test('an address comes back as it was written', () => {
  const filters = readFilters({ range: 'month', zone: 'Asia/Kolkata', group: 'model', key: 'key_1', route: 'chat' });
  expect(addressOf('/w/usage', filters)).toBe('/w/usage?range=month&zone=Asia%2FKolkata&group=model&key=key_1&route=chat');
  expect(readFilters(Object.fromEntries(new URL(`http://x${addressOf('/w/usage', filters)}`).searchParams))).toEqual(filters);
  expect(addressOf('/w/usage', readFilters({}))).toBe('/w/usage');
});

test('what is no value is ignored', () => {
  expect(readFilters({ range: 'constructor', zone: 'Mars/Base', group: 'colour', key: 'a\u0000b' })).toEqual(readFilters({}));
});

test('tags stand alone: no other filter goes with them, and no other grouping', () => {
  expect(readFilters({ group: 'tag', key: 'key_1' }).only.key).toBe('');
  expect(readFilters({ tag: 'nightly', group: 'model', key: 'key_1' })).toMatchObject({ group: '', only: { key: '', tag: 'nightly' } });
});

test('looking at one group alone ends the grouping by it', () => {
  expect(onlyWith(readFilters({ group: 'model' }), 'model', 'm')).toMatchObject({ group: '', only: { model: 'm' } });
  expect(onlyWith(readFilters({ group: 'model' }), 'key', 'k')).toMatchObject({ group: 'model', only: { key: 'k' } });
});
