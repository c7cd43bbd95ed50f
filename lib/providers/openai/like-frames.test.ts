import fc from 'fast-check';
import { expect, test } from 'vitest';
import { streamReader } from './events';
import { likeFrames } from './like-frames';

const IDENTITY = '"id":"c1","object":"chat.completion.chunk","created":1,"model":"m"';
const frame = (content: string, more = '') => `{${IDENTITY},"choices":[{"index":0,"delta":{"content":${content}}${more}}]}`;
const contentOf = (data: string): string | null => {
  try {
    const { choices } = JSON.parse(data) as { choices: { delta: { content: unknown } }[] };
    const content = choices[0]?.delta.content;
    return typeof content === 'string' && content !== '' ? content : null;
  } catch {
    return null; // the question was whether it can be read
  }
};

test('a frame like the one before is read without parsing, and as parsing would', () => {
  const alike = likeFrames();
  alike.learn(frame('"one"'), 0, contentOf);
  expect(alike.textOf(frame('"two é 😀"'))).toBe('two é 😀');
  for (const other of [frame('""'), frame('"a\\n"'), frame('"a","x":"b"'), frame('"a"b"'), frame('"a\nb"'), frame('null'), frame('"a"', ',"finish_reason":"stop"'), `${frame('"a"')} `, frame('"a"').slice(1)]) {
    expect(alike.textOf(other), other).toBeNull();
  }
});

test.each([
  ['another object’s content', `{${IDENTITY},"note":{"content":"one"},"choices":[{"index":0,"delta":{"content":"one"}}]}`],
  ['content that comes twice', `{${IDENTITY},"choices":[{"index":0,"delta":{"content":"one","content":"one"}}]}`],
  ['no content at all', `{${IDENTITY},"choices":[]}`],
])('%s is not learnt', (_, data) => {
  const alike = likeFrames();
  alike.learn(data, 0, contentOf);
  expect(alike.textOf(data.replaceAll('one', 'two'))).toBeNull();
});

test('whatever comes, in whatever order, means what it means to a reader that knows nothing yet', () => {
  const content = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom('', '"', '\\', 'a\nb', '"content":"', '"}}]}', 'word '));
  const data = fc.oneof(
    { weight: 8, arbitrary: content.map((text) => frame(JSON.stringify(text))) },
    content.map((text) => frame(JSON.stringify(text), ',"finish_reason":null')),
    content.map((text) => `{"choices":[{"index":1,"delta":{"content":${JSON.stringify(text)}}}]}`),
    content.map((text) => `{"choices":[{"index":0,"delta":{"reasoning_content":"r","content":${JSON.stringify(text)}}}]}`),
    content.map((text) => `{"note":{"content":"x"},"choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]}`),
    content.map((text) => frame(`"${text}"`)), // mostly not JSON, or another JSON
    fc.constantFrom(frame('"x"', ',"finish_reason":"stop"'), '{"error":{"message":"x"}}', '[DONE]', frame('7')),
  );
  fc.assert(
    fc.property(fc.array(data, { maxLength: 30 }), (datas) => {
      const knowing = streamReader();
      knowing.read(frame('"begin"'), '');
      knowing.read(`{"choices":[{"index":1,"delta":{}}]}`, '');
      for (const each of datas) {
        const fresh = streamReader();
        fresh.read(frame('""'), ''); // the identity and the choices are out
        fresh.read(`{"choices":[{"index":1,"delta":{}}]}`, '');
        expect(knowing.read(each, ''), each).toEqual(fresh.read(each, ''));
      }
    }),
  );
});
