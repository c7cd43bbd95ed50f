import { expect, test } from 'vitest';
import { Roster } from './roster';

test('holds whoever was added and has not left, once', () => {
  const people = Array.from({ length: 5 }, (_, name) => ({ name, place: -1 }));
  const roster = new Roster<(typeof people)[number]>();
  for (const person of people) roster.add(person);
  roster.add(people[2]!);
  roster.delete(people[1]!);
  roster.delete(people[4]!);
  roster.delete(people[4]!);
  expect(roster.all().map(({ name }) => name).sort()).toEqual([0, 2, 3]);
  expect(roster.all().map(({ place }) => place)).toEqual([0, 1, 2]);
  roster.add(people[1]!);
  for (const person of people) roster.delete(person);
  expect(roster.size).toBe(0);
  expect(people.every(({ place }) => place === -1)).toBe(true);
});
