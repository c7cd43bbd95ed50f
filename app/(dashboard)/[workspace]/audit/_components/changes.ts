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

function membersOf(thing: unknown): Map<string, string> {
  if (thing === null || thing === undefined) return new Map();
  if (typeof thing !== 'object' || Array.isArray(thing)) return new Map([['value', JSON.stringify(thing)]]);
  return new Map(Object.entries(thing).map(([name, value]) => [name, JSON.stringify(value)]));
}
