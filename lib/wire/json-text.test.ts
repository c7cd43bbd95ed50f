import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDepth, readJsonObject, replaceMembers, scanTopLevel } from './json-text';

describe('scanTopLevel', () => {
  it('finds what JSON.parse finds, whatever the spacing and escapes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const parsed = JSON.parse(text) as Record<string, unknown>;
        const { members } = scanTopLevel(text);
        expect(members.map(({ name }) => name)).toEqual(Object.keys(parsed).filter((key) => Object.hasOwn(parsed, key)));
        for (const { name, keyStart, valueStart, valueEnd } of members) {
          expect(JSON.parse(text.slice(valueStart, valueEnd))).toEqual(parsed[name]);
          expect(text[keyStart]).toBe('"');
        }
      }),
    );
  });

  it('shows repeated and escaped names', () => {
    expect(scanTopLevel(String.raw`{"model":1,"mod\u0065l":2,"a\"}":{"model":3}}`).members.map(({ name }) => name)).toEqual(['model', 'model', 'a"}']);
  });

  it('tells the depth', () => {
    expect(scanTopLevel('{}').depth).toBe(1);
    expect(scanTopLevel('{"a":[{"b":"[[[["}]}').depth).toBe(3);
  });

  it('reads 200,000 levels and a string of escapes in one pass', () => {
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const escapes = JSON.stringify({ a: '"\\'.repeat(500_000) });
    const start = performance.now();
    expect(scanTopLevel(deep).depth).toBe(200_001);
    expect(scanTopLevel(escapes).members).toHaveLength(1);
    expect(checkDepth(deep)).toBe(false);
    expect(performance.now() - start).toBeLessThan(2000); // linear work takes some 10 ms; anything quadratic would take minutes
  });
});

describe('replaceMembers', () => {
  it.each([
    ['{"model":"a","x":1.0}', { model: '"b"' }, '{"model":"b","x":1.0}'],
    ['{ "x" : 12345678901234567890 , "model" : "a" }', { model: '"b"' }, '{ "x" : 12345678901234567890 , "model" : "b" }'],
    ['{"x":1}', { model: '"b"', y: '2' }, '{"x":1,"model":"b","y":2}'],
    ['{ }', { model: '"b"', y: '2' }, '{ "model":"b","y":2}'],
    ['{"model":"a","model":"c"}', { model: '"b"' }, '{"model":"b","model":"b"}'],
    ['{"a":1, "b":2, "c":3}', { b: null }, '{"a":1, "c":3}'],
    ['{"a":1, "b":2, "c":3}', { a: null }, '{"b":2, "c":3}'],
    ['{"a":1, "b":2, "c":3}', { c: null }, '{"a":1, "b":2}'],
    ['{"a":1, "b":2, "c":3}', { a: null, b: null }, '{"c":3}'],
    ['{ "a":1 }', { a: null }, '{  }'],
    ['{ "a":1, "a":2 }', { a: null, b: '3' }, '{ "b":3 }'],
    ['{"a":{"model":1}}\n', { model: '"$&"' }, '{"a":{"model":1},"model":"$&"}\n'],
  ])('%s with %j', (text, changes, expected) => {
    expect(replaceMembers(text, changes as Record<string, string | null>)).toBe(expected);
    JSON.parse(expected);
  });

  it('gives what editing the parsed object gives', () => {
    const names = fc.constantFrom('a', 'b', 'model', 'stream_options', 'x"\\');
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), fc.dictionary(names, fc.option(fc.jsonValue())), fc.constantFrom(undefined, 2), (object, edits, indent) => {
        const changes = Object.fromEntries(Object.entries(edits).map(([name, value]) => [name, value === null ? null : JSON.stringify(value)]));
        const expected = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
        for (const [name, value] of Object.entries(edits)) {
          if (value === null) delete expected[name];
          else expected[name] = JSON.parse(JSON.stringify(value));
        }
        expect(JSON.parse(replaceMembers(JSON.stringify(object, null, indent), changes))).toEqual(expected);
      }),
    );
  });
});

describe('readJsonObject', () => {
  it.each([
    ['\ufeff{"model":"m"}', 'not_json'],
    ['{', 'not_json'],
    ['', 'not_json'],
    ['[1]', 'not_an_object'],
    ['null', 'not_an_object'],
    ['"x"', 'not_an_object'],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'too_deep'],
    [`{"a":${'['.repeat(200_000)}`, 'too_deep'],
    ['{"__proto__":{}}', 'forbidden_key'],
    ['{"a":[{"b":{"__proto__" : 1}}]}', 'forbidden_key'],
    [String.raw`{"a":{"\u005f_proto_\u005F":1}}`, 'forbidden_key'],
    [String.raw`{"a":{"__\u0070roto__":1}}`, 'forbidden_key'],
    [String.raw`{"a":{"\u005f\u005f\u0070\u0072\u006f\u0074\u006f\u005f\u005f":1}}`, 'forbidden_key'],
    ['{"constructor":{"prototype":{"x":1}}}', 'forbidden_key'],
    [String.raw`{"\u0063onstructor":{"prototype":{"x":1}}}`, 'forbidden_key'],
    ['{"model":"a","model":"b"}', 'duplicate_member'],
    [String.raw`{"model":"a","mod\u0065l":"b"}`, 'duplicate_member'],
  ])('%.60s is refused as %s', (text, problem) => {
    expect(readJsonObject(text)).toMatchObject({ ok: false, problem });
  });

  it.each([
    `{"a":${'['.repeat(63)}${']'.repeat(63)}}`,
    '{"properties":{"constructor":{"type":"string"}}}',
    '{"a":"__proto__"}',
    String.raw`{"a":"{\"__proto__\":1}"}`,
    String.raw`{"x\"__proto__":1}`,
    '{"a":1,"a":2}',
  ])('%.60s is accepted', (text) => {
    expect(readJsonObject(text)).toMatchObject({ ok: true, value: JSON.parse(text) });
  });
});
