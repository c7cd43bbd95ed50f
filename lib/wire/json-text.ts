/**
 * JSON as text. A client's body is passed on with one or two members changed and every other byte as it was
 * written: numbers beyond 2^53, key order, spacing and duplicate keys survive, which parse and stringify
 * would not do. Everything here is one pass without recursion, since the depth is the client's choice.
 */

export interface Member {
  name: string;
  /** Index of the key's opening quote. */
  keyStart: number;
  valueStart: number;
  /** One past the value's last character. */
  valueEnd: number;
}

export interface TopLevel {
  /** In order of appearance; a repeated name appears repeatedly. */
  members: Member[];
  /** Deepest nesting of objects and arrays; `{}` is 1. */
  depth: number;
  /** Members and elements at every depth, a repeated name each time; an empty object or array counts as one. */
  values: number;
}

/** The top-level members of an object that JSON.parse accepted; what it gives for any other text is unspecified. */
export function scanTopLevel(text: string): TopLevel {
  return scan(text, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY) as TopLevel;
}

type ShapeFault = 'too_deep' | 'too_many_values';

/** The same, and whether the text is one that JSON.parse may be given: see shapeFault. */
function scan(text: string, maxDepth: number, maxValues: number): TopLevel | ShapeFault {
  const members: Member[] = [];
  let values = 0;
  let depth = 0;
  let deepest = 0;
  let keyStart = -1; // of the member being read, -1 between members
  let name = '';
  let valueStart = -1;
  let lastEnd = 0;

  const { length } = text; // asked once: strings come in many shapes, and each time would be looked up
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) continue;
    if ((code === COMMA || code === OPEN_BRACE || code === OPEN_BRACKET) && ++values > maxValues) return 'too_many_values';
    if (depth === 1) {
      if (code === COLON && valueStart === -1) {
        valueStart = -2; // the next character starts it
        continue;
      }
      if (code === COMMA || code === CLOSE_BRACE) {
        if (keyStart !== -1) members.push({ name, keyStart, valueStart, valueEnd: lastEnd });
        keyStart = valueStart = -1;
        if (code === CLOSE_BRACE) break;
        continue;
      }
      if (valueStart === -2) valueStart = at;
    }
    if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (depth === 1 && keyStart === -1) {
        keyStart = at;
        name = keyName(text.slice(at, end));
      }
      at = end - 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > maxDepth) return 'too_deep';
      if (depth > deepest) deepest = depth;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth--;
    }
    lastEnd = at + 1;
  }
  return { members, depth: deepest, values };
}

/**
 * The text with some top-level members given a new raw JSON value, or removed (null); a member that is not
 * there is added at the end. A repeated member is changed at every place, so that no reader sees the old one.
 */
export function replaceMembers(text: string, changes: Record<string, string | null>, scan: TopLevel = scanTopLevel(text)): string {
  const { members } = scan;
  const close = members.length === 0 ? text.lastIndexOf('}') : members[members.length - 1]!.valueEnd;
  let result = '';
  let kept = 0;
  let from = 0; // where the text not yet copied begins
  for (const member of members) {
    const change = Object.hasOwn(changes, member.name) ? changes[member.name] : undefined;
    if (change === null) {
      // The text before the first member, or the separator before a later one, goes with what is removed.
      result += kept === 0 && from === 0 ? text.slice(0, member.keyStart) : '';
      from = member.valueEnd;
      continue;
    }
    if (kept === 0 && from > 0) from = member.keyStart;
    result += text.slice(from, change === undefined ? member.valueEnd : member.valueStart);
    if (change !== undefined) result += change;
    from = member.valueEnd;
    kept++;
  }
  if (members.length === 0) result = text.slice(0, close);
  for (const name in changes) {
    if (changes[name] === null || has(members, name)) continue;
    result += `${kept++ === 0 ? '' : ','}${JSON.stringify(name)}:${changes[name]}`;
  }
  return result + text.slice(close);
}

function has(members: readonly Member[], name: string): boolean {
  for (const member of members) if (member.name === name) return true;
  return false;
}

/** Is this text nested no deeper than `limit`? Works on any text, so it can stand before JSON.parse. */
export const checkDepth = (text: string, limit = MAX_DEPTH): boolean => shapeFault(text, limit, Number.POSITIVE_INFINITY) === null;

/**
 * What is wrong with the shape of a JSON text, seen without parsing it: nested deeper than `maxDepth`, or of more
 * than `maxValues` values (members and elements). A few megabytes of `[],[],` would hold JSON.parse, and with it
 * every other call of the process, for seconds.
 */
export function shapeFault(text: string, maxDepth: number, maxValues: number): ShapeFault | null {
  let depth = 0;
  let values = 0;
  const { length } = text;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (code === COMMA || code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++values > maxValues) return 'too_many_values';
      if (code !== COMMA && ++depth > maxDepth) return 'too_deep';
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return null;
}

export type JsonObjectRead =
  | { ok: true; value: Record<string, unknown>; scan: TopLevel }
  | { ok: false; problem: 'not_json' | 'not_an_object' | 'too_deep' | 'too_many_values' | 'forbidden_key' | 'duplicate_member'; message: string; param: string | null };

/**
 * Reads a request body that must be an object: JSON, not nested beyond `maxDepth` (64), of at most `maxValues` values (250,000), without `__proto__` or
 * `constructor.prototype` keys at any depth, and with each name in `once` at most once at the top, since two
 * readers may disagree on which one counts. The message is fit for the client.
 */
export function readJsonObject(text: string, options: { maxDepth?: number; maxValues?: number; once?: readonly string[] } = {}): JsonObjectRead {
  const { maxDepth = MAX_DEPTH, maxValues = MAX_VALUES, once = ['model'] } = options;
  const found = scan(text, maxDepth, maxValues); // before parsing: see shapeFault
  if (found === 'too_deep') return bad(found, `The JSON body is nested deeper than ${maxDepth} levels.`);
  if (found === 'too_many_values') return bad(found, `The JSON body holds more than ${maxValues} values.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return bad('not_json', text.startsWith('\ufeff') ? 'The request body begins with a byte order mark, which JSON does not allow.' : 'The request body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad('not_an_object', 'The request body must be a JSON object.');
  const key = forbiddenKey(text, value);
  if (key !== null) return bad('forbidden_key', `The JSON body has a key that is not allowed: ${key}.`, key);
  const twice = twiceAmong(found.members, once);
  if (twice !== null) return bad('duplicate_member', `The JSON body has "${twice}" more than once.`, twice);
  return { ok: true, value: value as Record<string, unknown>, scan: found };
}

function twiceAmong(members: readonly Member[], names: readonly string[]): string | null {
  for (let at = 1; at < members.length; at++) {
    const { name } = members[at]!;
    if (!names.includes(name)) continue;
    for (let before = 0; before < at; before++) if (members[before]!.name === name) return name;
  }
  return null;
}

/** `__proto__` or `constructor.prototype` when an object in `value` has such a key of its own, else null. */
export function forbiddenKey(text: string, value: unknown): '__proto__' | 'constructor.prototype' | null {
  // Nearly every body stops here. What is looked for first is cheap to look for.
  if (!(text.includes('__proto__') || text.includes('constructor') || text.includes('\\u00')) || !SUSPECT.test(text)) return null;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const node = left.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (Object.hasOwn(node, '__proto__')) return '__proto__';
    if (Object.hasOwn(node, 'constructor')) {
      const made: unknown = (node as Record<string, unknown>).constructor;
      if (typeof made === 'object' && made !== null && Object.hasOwn(made, 'prototype')) return 'constructor.prototype';
    }
    for (const child of Array.isArray(node) ? node : Object.values(node)) left.push(child);
  }
  return null;
}

export const MAX_DEPTH = 64;
export const MAX_VALUES = 250_000;

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** A key that spells one of the two names, or one that escapes a character and so might. */
const SUSPECT = /"(?:__proto__|constructor|[^"\\]{0,11}\\u00[0-9a-fA-F]{2}[^"]{0,80})"\s*:/;

/** One past the closing quote; the text's length when the string is never closed. */
export function stringEnd(text: string, open: number): number {
  let quote = text.indexOf('"', open + 1);
  while (quote !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}

function keyName(raw: string): string {
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw; // not JSON: whoever parses the whole says so
  }
}

function bad(problem: Exclude<JsonObjectRead, { ok: true }>['problem'], message: string, param: string | null = null): JsonObjectRead {
  return { ok: false, problem, message, param };
}
