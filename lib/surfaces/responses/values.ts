import { isObject } from '../../wire';

export const hasText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The input as items; a string is none. */
export const itemsOf = (input: unknown): Record<string, unknown>[] => (Array.isArray(input) ? input.filter(isObject) : []);

/** Without the members that nobody set. */
export function defined(members: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(members)) if (members[name] !== undefined && members[name] !== null) kept[name] = members[name];
  return kept;
}
