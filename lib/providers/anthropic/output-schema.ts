import { isAbsent, isObject, type Losses, unread } from '../../wire';
import type { Members } from './json-values';
import type { ModelFamily } from './model-families';

/** `response_format` as the wire's `output_config.format`; null where it asks for nothing but text. */
export function outputFormat(format: unknown, family: ModelFamily, losses: Losses): Members | null {
  if (isAbsent(format)) return null;
  const type = isObject(format) ? format.type : null;
  if (type === 'text') return null;
  const described = isObject(format) && type === 'json_schema' && isObject(format.json_schema) ? format.json_schema : null;
  const path = 'response_format.json_schema.schema';
  if (described === null) losses.refuseValue('response_format', type === 'json_object' ? 'This model has no JSON mode without a schema: use `json_schema`.' : 'This model does not know this `response_format`.');
  else if (!family.schemas) losses.refuseValue('response_format', 'This model cannot answer by a JSON schema.');
  else if (!isObject(described.schema)) losses.refuseValue(path, `\`${path}\` must be a JSON schema.`);
  else {
    for (const name of [...unread(format as Members, FORMAT), ...unread(described, DESCRIBED)]) losses.drop(`response_format.${name}`);
    return { type: 'json_schema', schema: schemaFor(described.schema, path, 'response_format', losses) };
  }
  return null;
}

const FORMAT = new Set(['type', 'json_schema']);
/** Its name means nothing to the model, and every answer by a schema is a strict one here. */
const DESCRIBED = new Set(['name', 'schema', 'strict']);

/**
 * A schema as the wire's grammar takes it: limits that it does not know are moved into descriptions and named, and
 * objects are closed, which every answer by the narrower schema satisfies as well. An object with members of any name
 * cannot be said.
 */
export function schemaFor(schema: Members, path: string, name: string, losses: Losses): Members {
  const made: Members = {};
  const limits: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (LIMITS.has(key) && !(key === 'minItems' && (value === 0 || value === 1))) {
      limits.push(`${key}: ${JSON.stringify(value)}`);
      losses.drop(`${name}.${key}`);
    } else if (key !== 'additionalProperties') {
      set(made, key, inner(key, value, path, name, losses));
    }
  }
  const open = schema.additionalProperties;
  if (isObject(open)) losses.refuseValue(`${path}.additionalProperties`, 'This model can only fill objects whose members are all named.');
  if (schema.type === 'object' || isObject(schema.properties)) {
    if (open === true || (open === undefined && !isObject(schema.properties))) losses.drop(`${name}.additionalProperties`);
    made.additionalProperties = false;
  }
  if (limits.length > 0) made.description = [schema.description, limits.join(', ')].filter((text) => typeof text === 'string' && text !== '').join('. ');
  return made;
}

const LIMITS = new Set(['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains']);

/** Depth is bounded: a request's body is. */
function inner(key: string, value: unknown, path: string, name: string, losses: Losses): unknown {
  const schema = (each: unknown, at: string): unknown => (isObject(each) ? schemaFor(each, `${path}.${at}`, name, losses) : each);
  if (NAMED.has(key) && isObject(value)) {
    const made: Members = {};
    for (const [member, each] of Object.entries(value)) set(made, member, schema(each, `${key}.${member}`));
    return made;
  }
  if (LISTED.has(key) && Array.isArray(value)) return value.map((each: unknown, at) => schema(each, `${key}[${at}]`));
  return ONE.has(key) ? schema(value, key) : value;
}

const NAMED = new Set(['properties', '$defs', 'definitions']);
const LISTED = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const ONE = new Set(['items', 'not']);

/** `__proto__` is a member like any other. */
function set(target: Members, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}
