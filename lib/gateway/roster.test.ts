import { expect, test } from 'vitest';
import { createRoster } from './roster';

test('whoever comes is there once, and whoever goes is not, in any order', () => {
  const roster = createRoster<{ name: string; place: number }>();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, place: -1 })) as [{ name: string; place: number }, { name: string; place: number }, { name: string; place: number }];
  const names = () => roster.members.map(({ name }) => name).sort().join('');
  for (const each of [a, b, c, b]) roster.add(each);
  expect([names(), roster.size]).toEqual(['abc', 3]);
  roster.delete(a);
  roster.delete(a);
  expect(names()).toBe('bc');
  roster.delete(c);
  roster.add(a);
  expect(names()).toBe('ab');
  roster.delete(b);
  roster.delete(a);
  expect(roster.size).toBe(0);
});
