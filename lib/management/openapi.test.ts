import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from './openapi';
import { OPERATIONS } from './operations';

type Json = Record<string, any>;

const document: Json = openApiDocument(OPERATIONS, { version: '1.2.3', publicUrl: 'https://ohm.example' });
const described: [string, string, Json][] = Object.entries(document['paths'] as Json).flatMap(([path, item]) =>
  Object.entries(item as Json).flatMap(([method, operation]) => (method === 'parameters' ? [] : [[path, method, operation] as [string, string, Json]])),
);

test('it is an OpenAPI 3.1 document with the members that the specification requires', () => {
  expect(document['openapi']).toBe('3.1.0');
  expect(document['info']).toMatchObject({ title: expect.any(String), version: '1.2.3' });
  expect(document['servers']).toEqual([{ url: 'https://ohm.example/api/v1' }]);
  for (const [path, , operation] of described) {
    expect(path).toMatch(/^\/[a-z/{}-]+$/);
    expect(operation['responses']).toBeTypeOf('object');
    expect(Object.keys(operation['responses'] as Json).length).toBeGreaterThan(0);
    for (const response of Object.values(operation['responses'] as Json)) expect(response.description ?? response.$ref).toBeTypeOf('string');
    if (operation['requestBody']) expect(operation['requestBody'].content['application/json'].schema.$ref).toBeTypeOf('string');
  }
});

test('operation ids are unique and stable: client generators name functions after them', () => {
  expect(described.map(([path, method, operation]) => `${operation['operationId']}: ${method} ${path}`).sort()).toMatchInlineSnapshot(`
    [
      "checkAuditLog: get /audit/check",
      "createAlert: post /alerts",
      "createChannel: post /channels",
      "createConnection: post /connections",
      "createExport: post /exports",
      "createInvite: post /invites",
      "createKey: post /keys",
      "createManagementKey: post /management-keys",
      "createRoute: post /routes",
      "deleteAlert: delete /alerts/{id}",
      "deleteChannel: delete /channels/{id}",
      "deleteConnection: delete /connections/{id}",
      "deleteExport: delete /exports/{id}",
      "deleteInvite: delete /invites/{id}",
      "deleteKey: delete /keys/{id}",
      "deleteManagementKey: delete /management-keys/{id}",
      "deletePrice: delete /prices/{id}",
      "deleteRoute: delete /routes/{id}",
      "downloadExport: get /exports/{id}/download",
      "getAlert: get /alerts/{id}",
      "getCall: get /calls/{id}",
      "getCallTexts: get /calls/{id}/texts",
      "getConnection: get /connections/{id}",
      "getExport: get /exports/{id}",
      "getKey: get /keys/{id}",
      "getMe: get /me",
      "getRoute: get /routes/{id}",
      "getSavings: get /savings",
      "getUsage: get /usage",
      "getWorkspace: get /workspace",
      "listAlertEvents: get /alerts/{id}/events",
      "listAlerts: get /alerts",
      "listAuditEntries: get /audit",
      "listCalls: get /calls",
      "listChannels: get /channels",
      "listConnections: get /connections",
      "listDeliveries: get /deliveries",
      "listExports: get /exports",
      "listInvites: get /invites",
      "listKeyBudgets: get /keys/{id}/budgets",
      "listKeyRates: get /keys/{id}/rates",
      "listKeys: get /keys",
      "listManagementKeys: get /management-keys",
      "listMembers: get /members",
      "listPrices: get /prices",
      "listRouteVersions: get /routes/{id}/versions",
      "listRoutes: get /routes",
      "listWorkspaceBudgets: get /workspace/budgets",
      "listWorkspaceRates: get /workspace/rates",
      "purgeReplay: post /replay/purge",
      "purgeTexts: post /texts/purge",
      "removeMember: delete /members/{id}",
      "resendDelivery: post /deliveries/{id}/resend",
      "restoreRoute: post /routes/{id}/restore",
      "rotateChannel: post /channels/{id}/rotate",
      "rotateKey: post /keys/{id}/rotate",
      "setPrice: put /prices",
      "testAlert: post /alerts/{id}/test",
      "testConnection: post /connections/{id}/test",
      "testRoute: post /routes/{id}/test",
      "updateAlert: patch /alerts/{id}",
      "updateChannel: patch /channels/{id}",
      "updateConnection: patch /connections/{id}",
      "updateInvite: patch /invites/{id}",
      "updateKey: patch /keys/{id}",
      "updateMember: patch /members/{id}",
      "updateRoute: patch /routes/{id}",
      "updateWorkspace: patch /workspace",
    ]
  `);
});

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
  expect(references.length).toBeGreaterThan(50);
  for (const reference of new Set(references)) {
    const target = reference.slice(2).split('/').reduce<any>((node, part) => node?.[part], document);
    expect([reference, typeof target]).toEqual([reference, 'object']);
  }
});

test('path members and security schemes are declared', () => {
  for (const [path, , operation] of described) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const declared = ((document['paths'][path] as Json)['parameters'] ?? []).filter((parameter: Json) => parameter['in'] === 'path' && parameter['required']);
    expect(declared.map((parameter: Json) => parameter['name'])).toEqual(names);
    const own = (operation['parameters'] as Json[]).map((parameter) => `${parameter['in']} ${parameter['name'] ?? parameter['$ref']}`);
    expect(new Set(own).size).toBe(own.length);
  }
  const schemes = Object.keys(document['components'].securitySchemes as Json);
  for (const requirement of document['security'] as Json[]) expect(schemes).toEqual(expect.arrayContaining(Object.keys(requirement)));
});

describe('schemas', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'ohm', components: document['components'] }, 'ohm');
  const schemas = Object.entries(document['components'].schemas as Json);

  test.each(schemas.map(([name]) => name))('%s compiles, and its examples are valid', (name) => {
    const validate = ajv.getSchema(`ohm#/components/schemas/${name}`);
    expect(validate).toBeTypeOf('function');
    for (const example of (document['components'].schemas[name].examples ?? []) as unknown[]) {
      validate!(example);
      expect([name, validate!.errors ?? []]).toEqual([name, []]);
    }
  });

  test('are strict about members, and never have a credential in an answer', () => {
    for (const [name, schema] of schemas) {
      if (schema.type === 'object') expect([name, schema.additionalProperties]).toEqual([name, false]);
      if (name.endsWith('Request') || name.startsWith('Issued')) continue;
      for (const member of Object.keys((schema.properties ?? {}) as Json)) expect([name, member]).not.toEqual([name, expect.stringMatching(/^(api_key|key|token|secret|password)(_hash|_sealed)?$/)]);
    }
  });

  test('every request body has an example', () => {
    const requests = schemas.filter(([name]) => name.endsWith('Request'));
    expect(requests.length).toBeGreaterThan(8);
    for (const [name, schema] of requests) expect([name, schema.examples?.length ?? 0]).toEqual([name, 1]);
  });
});

describe('the files under app/api/v1', () => {
  const root = join(process.cwd(), 'app/api/v1');
  const served = routeFiles(root).map((file) => ({ file, path: `/${file.replace(/\/?route\.ts$/, '').replace(/\[(\w+)\]/g, '{$1}')}`, source: readFileSync(join(root, file), 'utf8') }));

  test('serve exactly the paths that are described', () => {
    const resources = served.filter(({ file }) => !file.startsWith('[...'));
    expect(resources.map(({ path }) => path).sort()).toEqual(Object.keys(document['paths'] as Json).sort());
    for (const { path, source } of resources) expect(source).toContain(`resource('${path}')`);
  });

  test('export every method, so that a wrong one is a problem too, and the rest is 404', () => {
    for (const { source } of served) expect(source).toContain('export const { GET, POST, PUT, PATCH, DELETE } =');
    expect(existsSync(join(root, '[...rest]/route.ts'))).toBe(true);
  });
});

function routeFiles(folder: string, prefix = ''): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) return routeFiles(join(folder, entry.name), `${name}/`);
    return entry.name === 'route.ts' ? [name] : [];
  });
}
