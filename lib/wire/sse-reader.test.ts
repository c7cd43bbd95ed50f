import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseReader } from './sse-reader';

type Seen = ['event', string, string] | ['stray', string] | ['invalid'] | ['overflow'];

function read(chunks: Buffer[], maxEventBytes?: number): Seen[] {
  const seen: Seen[] = [];
  const reader = createSseReader({
    onEvent: (data, name) => seen.push(['event', data, name]),
    onStray: (line) => seen.push(['stray', line]),
    onInvalid: () => seen.push(['invalid']),
    onOverflow: () => seen.push(['overflow']),
    ...(maxEventBytes === undefined ? {} : { maxEventBytes }),
  });
  for (const chunk of chunks) reader.feed(chunk);
  reader.end();
  expect(reader.heldBytes).toBe(0);
  return seen;
}

const readText = (text: string) => read([Buffer.from(text)]);
const event = (data: string, name = ''): Seen => ['event', data, name];

function everySplit(bytes: Buffer, expected: Seen[]): void {
  for (let at = 0; at <= bytes.length; at++) {
    expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected);
  }
  expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(expected);
}

describe('framing', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['a lone CR', '\r'],
  ])('%s ends a line wherever the bytes are cut', (_name, end) => {
    const lines = ['data: {"a":"ü語🙂\u2028"}', '', ': note', 'event: x', 'data:one', 'data: two', 'id: 7', 'retry: 3', '', 'data: [DONE]', '', ''];
    everySplit(Buffer.from(lines.join(end)), [event('{"a":"ü語🙂\u2028"}'), event('one\ntwo', 'x'), event('[DONE]')]);
  });

  it('mixes line ends in one stream', () => {
    everySplit(Buffer.from('data: 1\r\r\ndata: 2\n\rdata: 3\r\n\ndata: 4\r\n\r\n'), [event('1'), event('2'), event('3'), event('4')]);
  });

  it('keeps the line end that follows a lone CR and a cut line', () => {
    expect(read([Buffer.from('data: 1\rdata: 2'), Buffer.from('\ndata: 3\n\n')])).toEqual([event('1\n2\n3')]);
  });

  it('drops a leading BOM and keeps a later one', () => {
    everySplit(Buffer.from('\ufeffdata: \ufeff1\n\n'), [event('\ufeff1')]);
  });

  it('drops at most one space after the colon and needs none', () => {
    expect(readText('data:a\n\ndata:  b\n\ndata:\tc\n\n')).toEqual([event('a'), event(' b'), event('\tc')]);
  });

  it('ignores events with empty data, and an event name without data names nothing later', () => {
    expect(readText('data\n\ndata:\n\ndata: \n\nevent: gone\n\ndata: 1\n\n')).toEqual([event('1')]);
  });

  it('ignores comments, id, retry and unknown fields', () => {
    expect(readText(': OPENROUTER PROCESSING\n\nid: 1\nretry: 5\nx-vendor: 1\ndata: 1\n\n')).toEqual([event('1')]);
  });
});

describe('what is no field', () => {
  it('is handed on line by line', () => {
    const body = '{\n  "error": {\n    "code": 503\n  }\n}\n';
    expect(readText(`data: 1\n\n${body}`)).toEqual([event('1'), ['stray', '{'], ['stray', '  "error": {'], ['stray', '    "code": 503'], ['stray', '  }'], ['stray', '}']]);
  });

  it('includes HTML, a proxy sentence, a bare error field and a last line without an end', () => {
    expect(readText('<html>\nupstream connect error: reset\nerror: boom\n{"error":1}')).toEqual([
      ['stray', '<html>'],
      ['stray', 'upstream connect error: reset'],
      ['stray', 'error: boom'],
      ['stray', '{"error":1}'],
    ]);
  });
});

describe('the end of the body', () => {
  it.each([
    ['data: [DONE]', [event('[DONE]')]],
    ['data: {"a":1}', [event('{"a":1}')]],
    ['data: {"a":1}\n', [event('{"a":1}')]],
    ['data: {"a":\ndata: 1}', [event('{"a":\n1}')]],
    ['data: {"a":', []],
    ['data: [DON', []],
    ['data: 1\n\nda', [event('1'), ['stray', 'da']]],
  ] as [string, Seen[]][])('%j', (text, expected) => {
    expect(readText(text)).toEqual(expected);
  });
});

describe('broken bytes', () => {
  it('spoil their own event and no other', () => {
    const bytes = Buffer.concat([Buffer.from('data: 1\n\ndata: "'), Buffer.from([0xff, 0xc3]), Buffer.from('"\n\ndata: 2\n\n')]);
    everySplit(bytes, [event('1'), ['invalid'], event('2')]);
  });

  it('are told from a replacement character that the model wrote', () => {
    everySplit(Buffer.from('data: "\ufffd"\n\n'), [event('"\ufffd"')]);
  });
});

describe('bounds', () => {
  it.each([
    ['an endless line', ['data: ', 'x'.repeat(60), 'x'.repeat(60)]],
    ['an endless line that ends in the same read', [`data: ${'x'.repeat(120)}\n\n`]],
    ['endless data lines without a blank one', Array.from({ length: 30 }, () => 'data: 12345\n')],
    ['an endless stray line', ['{', '"'.repeat(120), '\n']],
  ])('%s overflows once and lets everything go', (_name, texts) => {
    const seen = read([...texts.map((text) => Buffer.from(text)), Buffer.from('data: 1\n\n')], 100);
    expect(seen).toEqual([['overflow']]);
  });

  it('do not count finished events', () => {
    expect(read([Buffer.from(`data: ${'x'.repeat(50)}\n\n`.repeat(10))], 100)).toHaveLength(10);
  });

  it('know the held bytes after every read', () => {
    const reader = createSseReader({ onEvent: () => {}, onStray: () => {}, onInvalid: () => {}, onOverflow: () => {} });
    reader.feed(Buffer.from('data: ü'));
    expect(reader.heldBytes).toBe(8);
    reader.feed(Buffer.from('x\ndata: y\nda'));
    expect(reader.heldBytes).toBe('üx\ny'.length + 1 + 2);
    reader.feed(Buffer.alloc(100_000, 'z'));
    expect(reader.heldBytes).toBe('üx\ny'.length + 1 + 2 + 100_000);
    reader.close();
    expect(reader.heldBytes).toBe(0);
  });

  it('hold for a line that drips in byte by byte', () => {
    const reader = createSseReader({ onEvent: () => {}, onStray: () => {}, onInvalid: () => {}, onOverflow: () => {} });
    const before = process.memoryUsage().external + process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 200_000; i++) reader.feed(Buffer.from('x'));
    expect(reader.heldBytes).toBe(200_000);
    globalThis.gc?.();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });
});

it('does not let small events keep large reads alive', () => {
  const kept: string[] = [];
  const reader = createSseReader({ onEvent: (data) => kept.push(data), onStray: () => {}, onInvalid: () => {}, onOverflow: () => {} });
  const padding = `:${'x'.repeat(60_000)}\n`;
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 2000; i++) reader.feed(Buffer.from(`data: {"number":${i}, "text":"long enough"}\n\n${padding}`));
  globalThis.gc?.();
  expect(kept).toHaveLength(2000);
  if (globalThis.gc !== undefined) expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000); // all reads: 120 MB
});

it('can be closed from inside a callback', () => {
  const seen: string[] = [];
  const reader = createSseReader({
    onEvent: (data) => {
      seen.push(data);
      reader.close();
    },
    onStray: () => {},
    onInvalid: () => {},
    onOverflow: () => {},
  });
  reader.feed(Buffer.from('data: 1\n\ndata: 2\n\n'));
  reader.feed(Buffer.from('data: 3\n\n'));
  reader.end();
  expect(seen).toEqual(['1']);
});

it('agrees with eventsource-parser on any stream, however it is cut', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
    fc.string({ maxLength: 8 }).map((text) => `data:${text.replace(/[\r\n]/g, '')}`),
    fc.constantFrom('', '', '', ': comment', 'event: name', 'id: 1', 'retry: 10', 'data', 'other: x'),
  );
  const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 });
  fc.assert(
    fc.property(stream, fc.array(fc.nat(400), { maxLength: 8 }), (parts, cuts) => {
      // The oracle has no notion of a pending event at the end: close the last one.
      const text = `${parts.map(([content, end]) => content + end).join('')}\n\n`;
      const expected: Seen[] = [];
      const oracle = createParser({ onEvent: ({ data, event: name }) => void (data !== '' && expected.push(event(data, name ?? ''))) });
      oracle.feed(text);
      const bytes = Buffer.from(text);
      const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      expect(read(at.slice(1).map((to, i) => bytes.subarray(at[i], to)))).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});
