/** Deeper values are no requests that anybody replays, and writing them would exhaust the stack. */
const MAX_DEPTH = 200;

/**
 * A value from JSON.parse in the one spelling of RFC 8785: members sorted by UTF-16 code units, no white space,
 * numbers and strings as ECMAScript writes them. `without` names top-level members that are left out.
 *
 * Null when the value cannot be told apart from another one by this text: a whole number beyond 2^53 is a different
 * number in the text it was parsed from, half of a surrogate pair is no character, and of members with one name
 * JSON.parse keeps the last, where another reader may take the first. `values` tells those: how many values the text
 * had before it was parsed (TopLevel), which is more than what is left of it.
 */
export function canonicalJson(value: Readonly<Record<string, unknown>>, values: number, without: ReadonlySet<string> = NONE): string | null {
  const seen: Seen = { values: 0 };
  try {
    const text = object(value, without, 0, seen);
    return seen.values === values ? text : null;
  } catch (error) {
    if (error === INDISTINCT) return null;
    throw error;
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Thrown inside only; one object, since it is no failure that wants a stack. */
const INDISTINCT = new Error('this value has no canonical text');

interface Seen {
  values: number;
}

function object(value: Readonly<Record<string, unknown>>, without: ReadonlySet<string>, depth: number, seen: Seen): string {
  let text = '';
  const names = Object.keys(value).sort(byCodeUnits);
  seen.values += names.length || 1;
  for (const name of names) {
    if (without.has(name)) count(value[name], depth + 1, seen);
    else text += `${text === '' ? '' : ','}${string(name)}:${written(value[name], depth + 1, seen)}`;
  }
  return `{${text}}`;
}

/** What is left out is as much a part of the text. */
function count(value: unknown, depth: number, seen: Seen): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw INDISTINCT;
  const inside: unknown[] = Array.isArray(value) ? value : Object.values(value);
  seen.values += inside.length || 1;
  for (const each of inside) count(each, depth + 1, seen);
}

function written(value: unknown, depth: number, seen: Seen): string {
  if (typeof value === 'string') return string(value);
  if (typeof value === 'number') return number(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (depth > MAX_DEPTH) throw INDISTINCT;
  if (!Array.isArray(value)) return object(value as Record<string, unknown>, NONE, depth, seen);
  let text = '';
  seen.values += value.length || 1;
  for (const item of value as unknown[]) text += `${text === '' ? '' : ','}${written(item, depth + 1, seen)}`;
  return `[${text}]`;
}

function string(value: string): string {
  const text = JSON.stringify(value);
  if (text.includes('\\ud') && HALF_PAIR.test(value)) throw INDISTINCT;
  return text;
}

const HALF_PAIR = /\p{Cs}/u;

function number(value: number): string {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) throw INDISTINCT;
  return JSON.stringify(value); // -0 is 0 there, as the RFC wants it
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
