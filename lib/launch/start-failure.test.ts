import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bringUp, installationOf } from './bring-up';
import { PortTaken } from './port';
import { noteServing, servedAt, servedBy } from './serving-note';
import { startFailure } from './start-failure';

const URL_ = 'postgres://me:hidden@db.example:6000/shop';
const coded = (code: string, message = 'said so') => Object.assign(new Error(message), { code });

test.each<[string, unknown, RegExp]>([
  ['a wrong password', coded('28P01', 'password authentication failed for user "me"'), /^DATABASE_URL: .*db\.example:6000\/shop refuses the log-in.*user "me".*Correct/],
  ['a database that is down', new Error('drizzle', { cause: coded('ECONNREFUSED') }), /^DATABASE_URL: .*db\.example:6000\/shop does not answer \(ECONNREFUSED\)\. Start it/],
  ['a host that does not exist', coded('ENOTFOUND'), /^DATABASE_URL: .*cannot be found/],
  ['a database that does not exist', coded('3D000'), /^DATABASE_URL: .*is not there/],
  ['another OHM_SECRET', new Error('OHM_SECRET is not the one that this database was set up with.'), /^OHM_SECRET is not the one/],
])('%s is told by its variable, without the password', (_, error, told) => {
  const line = startFailure(error, URL_);
  expect(line).toMatch(told);
  expect(line).not.toContain('hidden');
});

test('an error of our own is not put into other words', () => {
  expect(startFailure(new TypeError('x is undefined'), URL_)).toBe(null);
});

test('an installation is named by its folder or its database, without user and password', () => {
  expect(installationOf({ dataDir: '/srv/ohm/.data', databaseUrl: null })).toBe('data folder /srv/ohm/.data');
  expect(installationOf({ dataDir: '/srv/ohm/.data', databaseUrl: URL_ })).toBe('database db.example:6000/shop');
});

test('a port that this installation serves already is said so, and not once its process is gone', () => {
  const dir = mkdtempSync(join(tmpdir(), 'ohm-note-'));
  const forget = noteServing(dir, { pid: process.pid, port: 3000, url: 'https://ohm.example', installation: 'data folder' });
  expect([servedBy(dir, 3000), servedBy(dir, 3001)]).toEqual([process.pid, null]);
  expect(new PortTaken(3000, '127.0.0.1', 'EADDRINUSE', process.pid).message).toContain(`served by this installation already (process ${process.pid})`);
  forget();
  expect(servedBy(dir, 3000)).toBe(null);
  rmSync(dir, { recursive: true });
});

test('the address of a server that runs is known by its installation, that of the port asked for before others', () => {
  const dir = mkdtempSync(join(tmpdir(), 'ohm-note-'));
  const at = (port: number) => servedAt(dir, 'data folder', port);
  expect(at(3000)).toBe(null);
  const forget = [4000, 3500].map((port) => noteServing(dir, { pid: process.pid, port, url: `http://127.0.0.1:${port}`, installation: 'data folder' }));
  noteServing(dir, { pid: process.pid, port: 3000, url: 'http://127.0.0.1:3000', installation: 'another database' });
  noteServing(dir, { pid: 2 ** 22 + 1, port: 3100, url: 'http://127.0.0.1:3100', installation: 'data folder' }); // no such process
  expect([at(3000), at(3100), at(4000)]).toEqual(['http://127.0.0.1:3500', 'http://127.0.0.1:3500', 'http://127.0.0.1:4000']);
  for (const note of forget) note();
  expect(at(4000)).toBe(null);
  rmSync(dir, { recursive: true });
});

test('a command that makes no installation leaves a folder without one as it is', async () => {
  const dir = join(mkdtempSync(join(tmpdir(), 'ohm-none-')), 'data');
  for (const [name, value] of Object.entries({ OHM_DATA_DIR: dir, DATABASE_URL: '', OHM_SECRET: '' })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(bringUp({ log: () => undefined, serves: false, makes: false })).rejects.toThrow(`there is no installation in ${dir}.`);
  expect(existsSync(dir)).toBe(false);
});
