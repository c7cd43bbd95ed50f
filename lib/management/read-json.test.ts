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

test.each([
  ['{"name":"a","name":"a"}', 'name'],
  ['{"name":"a","limits":{"daily_cost_usd":1,"monthly_cost_usd":2,"daily_cost_usd":3}}', 'limits.daily_cost_usd'],
  ['{"tiers":[{"model":"a"},{"model":"a","model":"b"}]}', 'tiers.1.model'],
  [String.raw`{"name":1,"\u006eame":2}`, 'name'],
])('a name that stands twice in one object is refused and named: %s', (text, path) => {
  expect(() => parseJson(text)).toThrow(`The member ${path} stands twice.`);
});

test('equal names in different objects, and in texts, are none that stand twice', () => {
  const text = String.raw`{"a":{"a":"{\"a\":1,\"a\":2}"},"b":[{"a":1},{"a":1},"a","a"],"c":{}}`;
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test('a mebibyte of one text or of many members takes no time', () => {
  const start = performance.now();
  parseJson(JSON.stringify({ a: '"\\'.repeat(250_000) }));
  parseJson(JSON.stringify(Object.fromEntries(Array.from({ length: 80_000 }, (_, at) => [`m${at}`, 0]))));
  expect(performance.now() - start).toBeLessThan(2_000);
});
