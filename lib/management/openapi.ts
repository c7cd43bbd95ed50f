import * as z from 'zod';
import { MAX_BODY_BYTES } from './read-json';
import type { Operation } from './operation';
import { PROBLEMS } from './problem';
import { REQUESTS_PER_MINUTE } from './rate-limit';
import { problem } from './schemas/problem';

type Json = Record<string, unknown>;

export interface OpenApiOptions {
  version: string;
  /** Origin that the API is reached under. */
  publicUrl: string;
}

/** The management API as OpenAPI 3.1, from the very schemas that the door parses with. */
export function openApiDocument(operations: readonly Operation[], options: OpenApiOptions): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= pathItem(operation.path));
    path[operation.method.toLowerCase()] = describe(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ohm management API',
      version: options.version,
      description: INTRODUCTION,
      license: { name: 'Proprietary', url: options.publicUrl },
    },
    servers: [{ url: `${options.publicUrl}/api/v1` }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    security: [{ managementKey: [] }, { dashboardSession: [] }],
    paths,
    components: { schemas: schemasOf(operations), securitySchemes: SECURITY, responses: RESPONSES, headers: HEADERS, parameters: PARAMETERS },
  };
}

const INTRODUCTION = [
  'Connections, routes, keys and the ledger of one workspace.',
  'Bodies are strict: an unknown member is 422 and named; a feature that does not exist yet is 422 `not_available_yet` unless its neutral value is sent.',
  'Edits carry `If-Match` with the revision that was read: 428 without, 409 when somebody edited in the meantime. Secrets are taken once and never returned.',
  `Bodies may have ${MAX_BODY_BYTES} bytes. A key may make ${REQUESTS_PER_MINUTE} requests a minute.`,
].join(' ');

const SECURITY = {
  managementKey: { type: 'http', scheme: 'bearer', bearerFormat: 'ohm_mk_…', description: 'A management key. Gateway keys (`ohm_sk_…`) open nothing here.' },
  dashboardSession: {
    type: 'apiKey', in: 'cookie', name: 'ohm-session',
    description: 'The dashboard’s own session; `__Host-` stands before the name under https. Same-origin requests only. `X-Ohm-Workspace` names the workspace for a member of several.',
  },
};

const HEADERS = {
  RequestId: { description: 'Quote it when you report something.', schema: { type: 'string' } },
  ETag: { description: 'The revision, for If-Match.', schema: { type: 'string' } },
  RateLimit: { description: 'What is left of this minute’s requests.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds.', schema: { type: 'integer', minimum: 1 } },
};

const IF_MATCH = { name: 'If-Match', in: 'header', schema: { type: 'string', examples: ['"3"'] } };

const PARAMETERS = {
  IfMatch: { ...IF_MATCH, required: true, description: 'The revision that was read: 428 without, 409 when it is not the present one.' },
  IfMatchOptional: { ...IF_MATCH, required: false, description: 'The revision that was read: 409 when it is not the present one.' },
  Workspace: {
    name: 'X-Ohm-Workspace', in: 'header', required: false, schema: { type: 'string' },
    description: 'Slug or id. Needed with the dashboard session by a member of several workspaces; a management key has its own.',
  },
};

const PROBLEM_STATUSES = {
  400: 'MalformedBody', 401: 'Unauthenticated', 402: 'BudgetExceeded', 403: 'Forbidden', 404: 'NotFound', 409: 'Conflict', 413: 'TooLarge',
  415: 'UnsupportedMediaType', 422: 'Invalid', 428: 'PreconditionRequired', 429: 'RateLimited', 500: 'Internal', 503: 'Unavailable',
} as const;
type ProblemStatus = keyof typeof PROBLEM_STATUSES;

const RESPONSES = Object.fromEntries(
  Object.entries(PROBLEM_STATUSES).map(([status, name]) => {
    const codes = Object.entries(PROBLEMS).filter(([, entry]) => entry.status === Number(status));
    const retry = status === '429' || status === '503' ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {};
    return [
      name,
      {
        description: codes.map(([code, entry]) => `\`${code}\`: ${entry.title}.`).join(' '),
        headers: { 'X-Ohm-Request-Id': { $ref: '#/components/headers/RequestId' }, ...retry },
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ];
  }),
);

function pathItem(path: string): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  if (names.length === 0) return {};
  return { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string', maxLength: 100 } })) };
}

function describe(operation: Operation): Json {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, `Least role: ${operation.role}.`].filter(Boolean).join(' '),
    'x-ohm-role': operation.role,
    parameters: parametersOf(operation),
    ...(operation.body === undefined ? {} : { requestBody: requestBody(operation) }),
    responses: responsesOf(operation),
  };
}

function parametersOf(operation: Operation): Json[] {
  const query = inline(operation.query);
  const required = (query['required'] ?? []) as string[];
  const parameters: Json[] = Object.entries((query['properties'] ?? {}) as Record<string, Json>).map(([name, schema]) => {
    const { description, ...rest } = schema;
    return { name, in: 'query', required: required.includes(name), ...(description === undefined ? {} : { description }), schema: rest };
  });
  if (operation.ifMatch !== undefined) parameters.push({ $ref: `#/components/parameters/${operation.ifMatch === 'required' ? 'IfMatch' : 'IfMatchOptional'}` });
  parameters.push({ $ref: '#/components/parameters/Workspace' });
  return parameters;
}

function requestBody(operation: Operation): Json {
  return {
    required: operation.bodyOptional !== true,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${bodyName(operation)}` } } },
  };
}

function responsesOf(operation: Operation): Json {
  const headers: Json = {
    'X-Ohm-Request-Id': { $ref: '#/components/headers/RequestId' },
    RateLimit: { $ref: '#/components/headers/RateLimit' },
    ...(hasRevision(operation) ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
  };
  const success =
    operation.files !== undefined
      ? { description: `${operation.summary}.`, headers, content: Object.fromEntries(operation.files.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])) }
      : operation.response === null
      ? { description: 'Done.', headers }
      : {
          description: `${operation.summary}.`,
          headers,
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${operation.response.name}` } } },
        };
  const responses: Json = { [operation.status]: success };
  for (const status of problemsOf(operation)) responses[status] = { $ref: `#/components/responses/${PROBLEM_STATUSES[status]}` };
  return responses;
}

function problemsOf(operation: Operation): ProblemStatus[] {
  const statuses = new Set<ProblemStatus>([401, 403, 422, 429, 500, 503, ...(operation.refusals ?? [])]);
  if (operation.body !== undefined) for (const status of [400, 413, 415] as const) statuses.add(status);
  if (operation.ifMatch !== undefined) statuses.add(409).add(428);
  return [...statuses].sort((a, b) => a - b);
}

function schemasOf(operations: readonly Operation[]): Json {
  const named = new Map<string, z.ZodType>([['Problem', problem]]);
  for (const operation of operations) {
    if (operation.response !== null) named.set(operation.response.name, operation.response.schema);
    if (operation.body !== undefined) named.set(bodyName(operation), operation.body);
  }
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', unrepresentable: 'any', uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries([...named].map(([name, schema]) => [name, { ...withoutHeader(schemas[name] as Json), ...examplesOf(schema) }]));
}

/** zod leaves out the examples of an input with defaults, since it cannot tell which side they are of: ours are inputs. */
function examplesOf(schema: z.ZodType): Json {
  const examples = z.globalRegistry.get(schema)?.['examples'];
  return examples === undefined ? {} : { examples };
}

function inline(schema: z.ZodType): Json {
  return withoutHeader(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json);
}

function withoutHeader({ $schema: _, $id: __, ...schema }: Json): Json {
  return schema;
}

function hasRevision(operation: Operation): boolean {
  const schema = operation.response?.schema;
  return schema instanceof z.ZodObject && 'revision' in schema.shape;
}

/** `createKey` takes a `CreateKeyRequest`. */
function bodyName(operation: Operation): string {
  return `${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}Request`;
}
