import { expect, test } from 'vitest';
import { noLosses, unread } from './losses';

test('a name that got lost is told once, in order, however many there are', () => {
  const losses = noLosses();
  const names = Array.from({ length: 200_000 }, (_, at) => `a member of a hostile client, number ${at}`); // looked up one by one in a list, this takes minutes
  for (const name of [...names, ...names]) losses.drop(name);
  expect(losses.dropped).toEqual(names);
});

test('members that say nothing are not told as lost, and those that every object has are not taken for read', () => {
  const value = JSON.parse('{"role":"user","name":"n","annotations":[],"audio":null,"constructor":1,"__proto__":{"a":1},"list":[0],"no":false}') as Record<string, unknown>;
  expect(unread(value, new Set(['role']), 'name')).toEqual(['constructor', '__proto__', 'list', 'no']);
});
