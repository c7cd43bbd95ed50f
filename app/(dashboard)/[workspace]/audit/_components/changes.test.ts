import { expect, test } from 'vitest';
import { changes, inShort } from './changes';

test('a change shows the members that are different, and no others', () => {
  expect(changes({ name: 'a', revision: 1, limits: { x: 1 } }, { name: 'a', revision: 2, limits: { x: 1 } })).toEqual([{ name: 'revision', from: '1', to: '2' }]);
});

test('a thing that was made shows all of it, and so does one that is gone', () => {
  expect(changes(null, { name: 'a' })).toEqual([{ name: 'name', from: null, to: '"a"' }]);
  expect(changes({ name: 'a', note: null }, null)).toEqual([{ name: 'name', from: '"a"', to: null }, { name: 'note', from: 'null', to: null }]);
});

test('what is no object is compared as a whole', () => {
  expect(changes([1], [2])).toEqual([{ name: 'value', from: '[1]', to: '[2]' }]);
  expect(changes(null, null)).toEqual([]);
});

test('in short: the names of what changed, without what always does', () => {
  expect(inShort({ disabled: false, revision: 1 }, { disabled: true, revision: 2 })).toBe('disabled');
  expect(inShort({ revision: 1 }, { revision: 2 })).toBe('revision');
  expect([inShort(null, { name: 'a' }), inShort({ name: 'a' }, null), inShort(null, null)]).toEqual(['as it was made', 'as it was until then', 'nothing to compare']);
});
