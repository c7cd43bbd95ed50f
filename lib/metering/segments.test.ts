import { mkdtempSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { decodeRecords } from './journal-record';
import { openSegments, type Segments } from './segments';

const root = mkdtempSync(join(tmpdir(), 'ohm-segments-'));
let segments: Segments;
afterEach(async () => {
  await segments.close();
  rmSync(root, { recursive: true, force: true });
});

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const full = () => Object.assign(new Error('no space'), { code: 'ENOSPC' });

function open(write: (fd: number, bytes: Buffer, start: number, length: number) => number): Segments {
  return (segments = openSegments({ root, owner: { name: 'own', release: () => undefined }, log: quiet, written: () => undefined, write }));
}

/** The lines of all files. */
const kept = () => readdirSync(join(root, 'own')).map((name) => decodeRecords(readFileSync(join(root, 'own', name))));

test.each([
  ['no byte is taken', () => { throw full(); }],
  ['a part is taken', (fd: number, bytes: Buffer, start: number) => writeSync(fd, bytes, start, 10)],
  ['the file itself is bad', () => { throw Object.assign(new Error('input/output error'), { code: 'EIO' }); }],
])('a journal of which %s is well again without a call as soon as it can be written', async (_, fault) => {
  let broken = false;
  let attempts = 0;
  open((fd, bytes, start, length) => {
    attempts++;
    return broken ? fault(fd, bytes, start) : writeSync(fd, bytes, start, length);
  });
  await segments.append('A', 'call_1', '{"id":"call_1"}');
  broken = true;
  await expect(segments.append('A', 'call_2', '{"id":"call_2"}')).rejects.toThrow('cannot be written');
  attempts = 0;
  for (let i = 0; i < 100; i++) expect(segments.healthy()).toBe(false);
  expect(attempts).toBeLessThanOrEqual(1); // however often it is asked
  broken = false;
  await expect.poll(() => segments.healthy(), { timeout: 5_000 }).toBe(true);
  await segments.append('S', 'call_1', '{"id":"call_1","state":"finished"}');
  expect(kept().flatMap(({ records }) => records.map(({ json }) => json))).toEqual(['{"id":"call_1"}', '{"id":"call_1","state":"finished"}']);
  expect(kept().every(({ damaged }) => damaged === 0)).toBe(true);
});

test('a full disk is not well because a file can be made on it', async () => {
  let attempts = 0;
  open(() => {
    attempts++;
    throw full();
  });
  await expect(segments.append('A', 'call_1', '{"id":"call_1"}')).rejects.toThrow('cannot be written');
  await expect.poll(() => [segments.healthy(), attempts > 2], { timeout: 5_000 }).toEqual([false, true]);
});
