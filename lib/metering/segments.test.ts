import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fileOf } from './journal-file';
import { decodeRecords } from './journal-record';
import { recordsOf } from './journal-reader';
import { type JournalOptions, openSegments, type Segment, type Segments } from './segments';

const root = mkdtempSync(join(tmpdir(), 'ohm-segments-'));
let segments: Segments;
afterEach(async () => {
  await segments.close();
  rmSync(root, { recursive: true, force: true });
});

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const full = () => Object.assign(new Error('no space'), { code: 'ENOSPC' });

function open(write: JournalOptions['write'], options: Partial<JournalOptions> = {}): Segments {
  return (segments = openSegments({ root, owner: { name: 'own', release: () => undefined }, log: quiet, written: () => undefined, write, ...options }));
}

/** The lines of all files. */
const kept = () => readdirSync(join(root, 'own')).map((name) => decodeRecords(readFileSync(join(root, 'own', name)), fileOf(name).number));

test.each([
  ['no byte is taken', () => { throw full(); }],
  ['a part is taken', (fd: number, bytes: Buffer, start: number, _length: number, position: number) => writeSync(fd, bytes, start, 10, position)],
  ['the file itself is bad', () => { throw Object.assign(new Error('input/output error'), { code: 'EIO' }); }],
])('a journal of which %s is well again without a call as soon as it can be written', async (_, fault) => {
  let broken = false;
  let attempts = 0;
  open((fd, bytes, start, length, position) => {
    attempts++;
    return broken ? fault(fd, bytes, start, length, position) : writeSync(fd, bytes, start, length, position);
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
  expect(kept().flatMap(({ records }) => records.map(({ text }) => text))).toEqual(['{"id":"call_1"}', '{"id":"call_1","state":"finished"}']);
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

describe('a file that owes nothing', () => {
  const CALLS = 40;
  const path = (name: string) => join(root, 'own', name);
  const names = () => readdirSync(join(root, 'own')).sort();
  /** Files of ten calls each; what PostgreSQL has is released at once, but for what `keeps` names. */
  async function writeCalls(keeps: (id: string) => boolean = () => false, write: JournalOptions['write'] = undefined): Promise<string[]> {
    const ids = Array.from({ length: CALLS }, (_, i) => `call_${String(i).padStart(2, '0')}`);
    const owed: Segment[] = [];
    open(write, { segmentBytes: 10 * 2 * `00000000S{"id":"call_00"}\n`.length, written: ({ kind, id, segment }) => { if (kind === 'S' && !keeps(id)) owed.push(segment); } });
    for (const id of ids) {
      await segments.append('A', id, `{"id":"${id}"}`);
      await segments.append('S', id, `{"id":"${id}"}`);
      segments.release(segments.current()!); // its admission
      for (const segment of owed.splice(0)) segments.release(segment);
    }
    return ids;
  }
  async function read(name: string): Promise<{ ids: string[]; damaged: number }> {
    const ids = new Set<string>();
    let damaged = 0;
    for await (const piece of recordsOf(path(name), readFileSync(path(name)).length, 64)) {
      damaged += piece.damaged;
      for (const { text } of piece.records) ids.add((JSON.parse(text) as { id: string }).id);
    }
    return { ids: [...ids], damaged };
  }

  test('is written over, and what it held before is read by nobody', async () => {
    const ids = await writeCalls();
    await segments.append('A', 'call_40', '{"id":"call_40"}');
    expect(names()).toEqual(['00000005.reused.log', '4.spare']);
    expect(readFileSync(path('00000005.reused.log'), 'utf8')).toContain(ids[25]); // it was file 3
    expect(await read('00000005.reused.log')).toEqual({ ids: ['call_40'], damaged: 0 });
  });

  test('no line of its own is lost or taken for damage wherever the new ones end', async () => {
    await writeCalls();
    const { length } = readFileSync(path('3.spare'));
    for (let n = 0; n < 7; n++) {
      const id = `call_${'x'.repeat(n)}`;
      await segments.append('A', id, `{"id":"${id}"}`);
      expect(await read(names()[0]!)).toMatchObject({ damaged: 0 });
      expect((await read(names()[0]!)).ids).toContain(id);
    }
    expect(readFileSync(path(names()[0]!))).toHaveLength(length);
  });

  test('damage between its records is counted, and costs one line', async () => {
    await writeCalls();
    for (const id of ['call_a', 'call_b', 'call_c']) await segments.append('A', id, `{"id":"${id}"}`);
    const file = path(names()[0]!);
    const bytes = readFileSync(file);
    bytes[bytes.indexOf('call_b')]! ^= 1;
    writeFileSync(file, bytes);
    expect(await read(names()[0]!)).toEqual({ ids: ['call_a', 'call_c'], damaged: 1 });
  });

  test('stays as it is while it owes something, and is gone when the process closes', async () => {
    await writeCalls((id) => id === 'call_05');
    expect(await read('00000001.log')).toMatchObject({ ids: expect.arrayContaining(['call_05']) });
    await segments.close();
    expect(names()).toEqual(['00000001.log']);
  });

  test('is not written over when the file itself is bad', async () => {
    await expect(writeCalls(undefined, () => { throw Object.assign(new Error('input/output error'), { code: 'EIO' }); })).rejects.toThrow('cannot be written');
    await expect.poll(names).toEqual([]);
  });
});
