import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeRecords as decode, LINE_HEAD, recordEncoder, type RecordKind, writeChecksum } from './journal-record';

const encoder = recordEncoder();
const FILE = 3;
const encode = (kind: RecordKind, json: string, file = FILE) => {
  encoder.encode(kind, json);
  writeChecksum(encoder.page.bytes, encoder.start + LINE_HEAD, encoder.end - 1, file);
};
const line = (kind: RecordKind, json: string, file = FILE) => {
  encode(kind, json, file);
  return Buffer.from(encoder.page.bytes.subarray(encoder.start, encoder.end));
};
const decodeRecords = (bytes: Buffer) => decode(bytes, FILE);

test('what was written is read, in order, whatever the text and its length', () => {
  const texts = ['{"id":"a"}', JSON.stringify({ id: 'ß–😀\n\0', message: '\ud800' }), JSON.stringify({ id: 'x'.repeat(200_000) })];
  const bytes = Buffer.concat(texts.map((text, i) => line((['A', 'S', 'C'] as const)[i]!, text)));
  const { records, consumed, damaged } = decodeRecords(bytes);
  expect(records).toEqual(texts.map((text, i) => ({ kind: ['A', 'S', 'C'][i], text })));
  expect([consumed, damaged]).toEqual([bytes.length, 0]);
});

test('a line torn at any byte is never a record, and never spoils the one before it or the one after it', () => {
  const [first, second, third] = [line('A', '{"id":"1"}'), line('S', '{"id":"2"}'), line('S', '{"id":"3"}')];
  for (let cut = 0; cut < second.length - 1; cut++) {
    const torn = decodeRecords(Buffer.concat([first, second.subarray(0, cut)]));
    expect(torn.records.map((record) => record.text)).toEqual(['{"id":"1"}']);
    expect(torn.consumed).toBe(first.length);
    const resumed = decodeRecords(Buffer.concat([first, second.subarray(0, cut), Buffer.from('\n'), third]));
    expect(resumed.records.map((record) => record.text)).toEqual(['{"id":"1"}', '{"id":"3"}']);
    expect(resumed.damaged).toBe(cut === 0 ? 0 : 1);
  }
});

test('one bit that changed, anywhere in a line, spoils that line only', () => {
  const [before, victim, after] = [line('A', '{"id":"1"}'), line('S', '{"id":"22","x":1}'), line('C', '{"id":"3"}')];
  for (let i = 0; i < victim.length - 1; i++) {
    for (const bit of [0, 3, 7]) {
      const flipped = Buffer.from(victim);
      flipped[i]! ^= 1 << bit;
      if (flipped.includes(10) && flipped.indexOf(10) < victim.length - 1) continue; // two lines now, both spoilt
      const { records, damaged } = decodeRecords(Buffer.concat([before, flipped, after]));
      expect(records.map((record) => record.text)).toEqual(['{"id":"1"}', '{"id":"3"}']);
      expect(damaged).toBe(1);
    }
  }
});

test('a line whose page is held stays as it was written, whatever is written after it', () => {
  const texts = Array.from({ length: 300 }, (_, i) => JSON.stringify({ id: String(i), text: 'ß'.repeat(i * 10) }));
  const kept = texts.map((text) => {
    encode('S', text);
    encoder.page.hold();
    return encoder.page.bytes.subarray(encoder.start, encoder.end);
  });
  expect(decodeRecords(Buffer.concat(kept)).records).toEqual(texts.map((json) => ({ kind: 'S', text: json })));
});

test('a page is written again once it is full and nobody holds a line of it, and no sooner', () => {
  const fresh = recordEncoder();
  const fill = () => {
    const { page } = fresh;
    const json = `{"id":"1","text":"${'x'.repeat(1000)}"}`;
    while (fresh.fits(json)) fresh.encode('S', json);
    fresh.encode('S', json);
    return page;
  };
  fresh.page.hold();
  fresh.page.hold();
  const first = fill();
  first.letGo();
  const second = fill(); // nobody held a line of it
  expect(second).not.toBe(first);
  expect(fresh.page).toBe(second);
  second.hold();
  first.letGo();
  fill();
  expect(fresh.page).toBe(first);
  first.hold();
  first.letGo(); // there is room behind its last line
  fill();
  expect(fresh.page).toBe(first);
});

test('a line that is longer than a page is whole too', () => {
  const json = `{"id":"1","text":"${'ß'.repeat(200_000)}"}`;
  encode('S', json);
  expect(decodeRecords(encoder.page.bytes.subarray(encoder.start, encoder.end)).records).toEqual([{ kind: 'S', text: json }]);
});

test('a line belongs to the file that it was written for, and to no other', () => {
  const mine = [line('A', '{"id":"1"}'), line('S', '{"id":"1","a":1}')];
  const bytes = Buffer.concat([...mine, line('S', '{"id":"2"}', FILE - 1), line('S', '{"id":"3"}', FILE + 256)]);
  expect(decodeRecords(bytes)).toMatchObject({ records: [{ kind: 'A' }, { kind: 'S' }], consumed: bytes.length, damaged: 2, damagedLast: 2 });
  expect(decodeRecords(Buffer.concat([bytes, mine[0]!]))).toMatchObject({ damaged: 2, damagedLast: 0 });
});

test('journals from before files were written over can still be read', () => {
  const text = 'S{"id":"1"}';
  expect(decodeRecords(Buffer.from(`${crc32(text).toString(16).padStart(8, '0')}${text}\n`)).records).toEqual([{ kind: 'S', text: '{"id":"1"}' }]);
});
