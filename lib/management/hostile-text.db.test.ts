import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { OPERATIONS } from './operations';
import type { Operation } from './operation';
import { createTestApi, type TestApi, type TestWorkspace } from './test-api';

/**
 * Text that PostgreSQL or a client of ours cannot take, in every text member of every query and body: always 422,
 * and the member is named. What the members are is read from the schemas that the OpenAPI document is made of.
 */
const CONTROLS = ['\0', 'a\0b', 'a\u001b[2J'];
/** Half of a surrogate pair: JSON can say it, an address cannot. */
const HALF = 'a\ud800b';
const MOMENTS = ['0000-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '1970-01-01T00:00:00+01:00', '9999-12-31T23:59:59-05:00', '2026-02-30T00:00:00Z', '+010000-01-01T00:00:00Z', '2026-01-01T00:00:00Z\0'];

interface Schema {
  type?: string | string[];
  format?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}
interface Member {
  path: string[];
  moment: boolean;
}

let api: TestApi;
let mine: TestWorkspace;
beforeAll(async () => {
  api = await createTestApi();
  mine = await api.workspace('hostile');
});

const queries = OPERATIONS.flatMap((operation) => textMembers(schemaOf(operation.query)).map((member) => [`${operation.method} ${operation.path} ?${member.path}`, operation, member] as const));
const bodies = OPERATIONS.flatMap((operation) =>
  operation.body === undefined ? [] : textMembers(schemaOf(operation.body)).map((member) => [`${operation.method} ${operation.path} ${member.path.join('.')}`, operation, member] as const),
);

test('the members are found', () => {
  const names = [...queries, ...bodies].map(([name]) => name);
  for (const name of ['GET /keys ?q', 'GET /calls ?key', 'GET /calls ?from', 'POST /keys default_route', 'PATCH /keys/{id} tiers.0.connection', 'PATCH /connections/{id} base_url', 'POST /routes tiers.0.model', 'PATCH /workspace fallback_model']) {
    expect(names).toContain(name);
  }
});

describe('a query', () => {
  test.each(queries)('%s', async (_, operation, member) => {
    for (const value of member.moment ? MOMENTS : CONTROLS) {
      await expectNamed(operation, `?${member.path[0]}=${encodeURIComponent(value)}`, undefined, member, value);
    }
  });
});

describe('a body', () => {
  test.each(bodies)('%s', async (_, operation, member) => {
    for (const value of member.moment ? MOMENTS : [...CONTROLS, HALF]) await expectNamed(operation, '', nested(member.path, value), member, value);
  });
});

test.each([
  ['/keys', ['created', '0000-01-01 00:00:00+00', 'key_x']],
  ['/keys', ['created', '2026-02-30 00:00:00+00', 'key_x']],
  ['/keys', ['created', '2026-02-20 25:00:00+00', 'key_x']],
  ['/keys', ['created', '2026-13-20 00:00:00+99', 'key_x']],
  ['/keys?sort=name', ['name', 'a\0', 'key_x']],
  ['/calls', '0000-01-01T00:00:00.000Z call_x'],
  ['/calls', '2026-02-30T00:00:00.000Z call_x'],
])('a cursor of %s that was made by hand is refused: %j', async (path, content) => {
  const cursor = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString('base64url');
  const answer = await api.call('GET', `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`, { token: mine.tokens.owner });
  expect([answer.status, answer.json.errors]).toEqual([422, [expect.objectContaining({ field: 'cursor' })]]);
});

test('the moments at both ends are taken', async () => {
  const answer = await api.call('GET', '/calls?from=1970-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z', { token: mine.tokens.owner });
  expect(answer.status).toBe(200);
});

async function expectNamed(operation: Operation, query: string, body: unknown, member: Member, value: string): Promise<void> {
  const path = operation.path.replace('{id}', 'key_01ffffffffffffffffffffffff');
  const answer = await api.call(operation.method, `${path}${query}`, { token: mine.tokens.owner, body, ...(operation.ifMatch ? { ifMatch: 1 } : {}) });
  const fields = (answer.json.errors ?? []).map((error: { field: string }) => error.field) as string[];
  expect({ value, status: answer.status, named: fields.includes(member.path.join('.')), fields }).toMatchObject({ value, status: 422, named: true });
}

function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
}

/** Enumerations take none but their own words; they are members all the same. */
function textMembers(schema: Schema, path: string[] = []): Member[] {
  const kinds = schema.anyOf ?? [schema];
  return kinds.flatMap((kind) => {
    if (kind.type === 'string') return [{ path, moment: kind.format === 'date-time' || schema.format === 'date-time' }];
    if (kind.items !== undefined) return textMembers(kind.items, [...path, '0']);
    return Object.entries(kind.properties ?? {}).flatMap(([name, inner]) => textMembers(inner, [...path, name]));
  });
}

function nested(path: string[], value: string): unknown {
  return path.reduceRight<unknown>((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value);
}
