import { mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isAbandoned, newOwner, takenOver } from './journal-owner';

const root = mkdtempSync(join(tmpdir(), 'ohm-ledger-owner-'));
afterAll(() => rmSync(root, { recursive: true }));

const owner = newOwner();
const [boot, namespace, pid, start, random] = owner.name.split('.') as [string, string, string, string, string];
const named = (...parts: string[]) => isAbandoned(root, parts.join('.'), Date.now());

test('one’s own journal is not abandoned until it is released, even in the same process', () => {
  const mine = newOwner();
  expect(isAbandoned(root, mine.name, Date.now())).toBe(false);
  mine.release();
  expect(isAbandoned(root, mine.name, Date.now())).toBe(true);
});

test('a living process with the right start mark owns its journal; a pid that was given to another process does not', () => {
  expect(named(boot, namespace, pid, start, random)).toBe(false);
  expect(named(boot, namespace, '1', start, random)).toBe(true); // alive, but started at another moment
  expect(named(boot, namespace, pid, '1', random)).toBe(true);
  expect(named(boot, namespace, '4194304', '1', random)).toBe(true); // above any pid
});

test('where the process cannot be looked up, on another machine, boot or container, its heartbeat decides', () => {
  for (const name of [`ffffffffffffffff.${namespace}.${pid}.${start}.aa`, `${boot}.1.${pid}.${start}.aa`]) {
    expect(isAbandoned(root, name, Date.now())).toBe(true); // its own folder is gone
    mkdirSync(join(root, name));
    expect(isAbandoned(root, name, Date.now())).toBe(false);
    expect(isAbandoned(root, `x.x.1.1.bb~${name}`, Date.now())).toBe(false);
    utimesSync(join(root, name), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    expect(isAbandoned(root, name, Date.now())).toBe(true);
  }
});

test('a folder that was taken over belongs to the last one who did so, and its name does not grow', () => {
  const dead = `${boot}.${namespace}.4194304.1.cc`;
  const once = takenOver(dead, owner);
  expect(isAbandoned(root, once, Date.now())).toBe(false);
  const other = newOwner();
  expect(takenOver(once, other)).toBe(`${dead}~${other.name}`);
  other.release();
});

test('what is no journal is left alone', () => {
  for (const name of ['lost+found', '.DS_Store', 'README', 'a.b.c']) expect(isAbandoned(root, name, Date.now())).toBe(false);
});
