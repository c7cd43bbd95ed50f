/**
 * Names of lost hints as a header can carry them: members that nobody knows are named by the client, who may call
 * them anything. Characters that no header may hold become `?`; long names and long lists are cut, and say so.
 */
export function droppedNames(names: Iterable<string>): readonly string[] {
  const clean = new Set<string>();
  let left = 0;
  for (const name of names) {
    if (clean.size >= MAX_NAMES) left++;
    else clean.add(name.length > MAX_CHARACTERS ? `${spelled(name.slice(0, MAX_CHARACTERS))}...` : spelled(name));
  }
  return left === 0 ? [...clean] : [...clean, `and ${left} more`];
}

const MAX_NAMES = 32;
const MAX_CHARACTERS = 64;

const spelled = (name: string): string => name.replace(/[^\x21-\x2b\x2d-\x7e]/g, '?');
