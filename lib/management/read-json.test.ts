import { expect, test } from 'vitest';
import { parseJson } from './read-json';

test('64 levels are read, one more is refused', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(parseJson(nested(64))).toEqual(expect.any(Array));
  expect(() => parseJson(nested(65))).toThrow('nested more than 64 levels');
  expect(() => parseJson('['.repeat(200_000))).toThrow('nested more than 64 levels');
});

test('brackets and escapes inside texts are no nesting', () => {
  const text = JSON.stringify({ a: '['.repeat(1000), b: '\\"[[[', c: '"{' });
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test('members that could reach a prototype are refused at any depth; their names as values are not', () => {
  for (const text of ['{"__proto__":1}', '{"a":[{"__proto__":{}}]}', '{"\\u005f\\u005fproto__":1}', '{"constructor":{"prototype":{}}}']) {
    expect(() => parseJson(text)).toThrow('is not allowed');
  }
  expect(parseJson('{"a":"__proto__","constructor":"x"}')).toEqual({ a: '__proto__', constructor: 'x' });
});
