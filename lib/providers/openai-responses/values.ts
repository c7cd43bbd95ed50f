import { isObject, type Losses, unread } from '../../wire';

export const hasText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** `response_format` as `text.format`, null where it says nothing. */
export function formatOf(value: unknown, losses: Losses): object | null {
  const type = isObject(value) ? value.type : undefined;
  if (type === 'text') return null;
  if (type === 'json_object') return { type };
  if (type === 'json_schema' && isObject(value) && isObject(value.json_schema)) {
    const { name, description, schema, strict } = value.json_schema;
    for (const lost of [...unread(value, FORMAT), ...unread(value.json_schema, DESCRIBED)]) losses.drop(`response_format.${lost}`);
    return defined({ type, name, description, schema, strict });
  }
  losses.refuseValue('response_format', 'This `response_format` is none that the Responses API knows.');
  return null;
}

const FORMAT = new Set(['type', 'json_schema']);
const DESCRIBED = new Set(['name', 'description', 'schema', 'strict']);

/** Without the members that nobody set. */
export function defined(members: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(members)) if (members[name] !== undefined && members[name] !== null) kept[name] = members[name];
  return kept;
}
