export interface Change {
  /** Member of the thing as the API shows it; `value` where the thing is no object. */
  name: string;
  /** JSON; null: it was, or is, not there. */
  from: string | null;
  to: string | null;
}

/** What is different between two states of a thing, member by member; `null` for a thing that did not exist. */
export function changes(before: unknown, after: unknown): Change[] {
  const from = membersOf(before);
  const to = membersOf(after);
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((name) => ({ name, from: from.get(name) ?? null, to: to.get(name) ?? null }))
    .filter((change) => change.from !== change.to);
}

/** The same in a few words: what a thing was made as is too much for a line, and its revision goes without saying. */
export function inShort(before: unknown, after: unknown): string {
  const changed = changes(before, after).map(({ name }) => name);
  if (changed.length === 0) return 'nothing to compare';
  if (before === null || before === undefined) return 'as it was made';
  if (after === null || after === undefined) return 'as it was until then';
  return changed.filter((name) => name !== 'revision' && name !== 'updated_at').join(', ') || changed.join(', ');
}

function membersOf(thing: unknown): Map<string, string> {
  if (thing === null || thing === undefined) return new Map();
  if (typeof thing !== 'object' || Array.isArray(thing)) return new Map([['value', JSON.stringify(thing)]]);
  return new Map(Object.entries(thing).map(([name, value]) => [name, JSON.stringify(value)]));
}
