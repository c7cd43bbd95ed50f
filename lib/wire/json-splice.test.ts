import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spliceStrings, type StringChange } from './json-splice';
import { scanTopLevel } from './json-text';

/** The new text; its members stand where they are said to. */
function splice(json: string, changes: StringChange[]): string | null {
  const made = spliceStrings(json, scanTopLevel(json), changes);
  if (made !== null) expect(made.scan).toEqual(scanTopLevel(made.json));
  return made?.json ?? null;
}


describe('replacing strings in a JSON text', () => {
  test('changes these and no other byte', () => {
    const json = '{ "model" : "m",\n "messages": [ {"role":"user", "content" : "a\\n\\"b" , "n": 12345678901234567890}, {"content":[{"type":"text","text":"x"} , {"text" : "\\u0041"}]}, 1.0e2 ,{}],"z":[[],{}]}';
    const made = splice(json, [
      { path: ['messages', 1, 'content', 1, 'text'], text: '' },
      { path: ['messages', 0, 'content'], text: 'new "one"\n' },
    ]);
    expect(made).toBe(json.replace('"a\\n\\"b"', '"new \\"one\\"\\n"').replace('"\\u0041"', '""'));
  });

  test('reaches a string at the top, and members that stand in another order than the changes', () => {
    expect(splice('{"input":"a","instructions":"b"}', [{ path: ['instructions'], text: 'c' }, { path: ['input'], text: 'd' }])).toBe('{"input":"d","instructions":"c"}');
  });

  test.each<[string, string, (string | number)[]]>([
    ['a member that is not there', '{"a":{"b":"x"}}', ['a', 'c']],
    ['a place behind the list', '{"a":["x"]}', ['a', 1]],
    ['a value that is no string', '{"a":[7]}', ['a', 0]],
    ['a step into a string', '{"a":"x"}', ['a', 0]],
    ['a top-level member that stands there twice', '{"a":"x","a":"y"}', ['a']],
    ['a member on the way that stands there twice', '{"a":{"b":"x","b":"y"}}', ['a', 'b']],
    ['the same under another spelling', '{"a":{"b":"x","\\u0062":"y"}}', ['a', 'b']],
  ])('gives nothing for %s', (_, json, path) => {
    expect(splice(json, [{ path, text: 'new' }])).toBeNull();
  });

  test('of any JSON, any of its strings: it reads as it should', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 3 }), fc.string(), (value, indent, text) => {
        const json = JSON.stringify({ top: value }, null, indent);
        const paths = stringsIn(value, ['top']);
        const changes = paths.filter((_, at) => at % 2 === 0).map((path) => ({ path, text }));
        const expected = JSON.parse(json) as never;
        for (const { path } of changes) put(expected, path, text);
        expect(JSON.parse(splice(json, changes)!)).toEqual(expected);
      }),
    );
  });
});

function stringsIn(value: unknown, path: (string | number)[]): (string | number)[][] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.flatMap((each, at) => stringsIn(each, [...path, at]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((name) => stringsIn((value as Record<string, unknown>)[name], [...path, name]));
}

function put(holder: Record<string | number, unknown>, path: readonly (string | number)[], text: string): void {
  let at = holder;
  for (const step of path.slice(0, -1)) at = at[step] as typeof holder;
  Object.defineProperty(at, path.at(-1)!, { value: text, enumerable: true, configurable: true, writable: true });
}
