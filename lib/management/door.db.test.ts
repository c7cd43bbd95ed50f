import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../tenancy/actor';
import { createTestApi, type TestApi, type TestWorkspace } from './test-api';

let api: TestApi;
let ws: TestWorkspace;
let signedIn: Actor | null = null;

beforeAll(async () => {
  api = await createTestApi({ session: async () => signedIn ?? 'signed_out', requestsPerMinute: 40 });
  ws = await api.workspace('door');
});

const post = (options: Parameters<TestApi['call']>[2]) => api.call('POST', '/keys', { token: ws.tokens.developer, ...options });

describe('a body', () => {
  test.each([
    ['broken JSON', '{"name":', 400, 'malformed_body'],
    ['nothing', '', 400, 'malformed_body'],
    ['a list', '[]', 422, 'invalid'],
    ['null', 'null', 422, 'invalid'],
    ['__proto__', '{"name":"x","__proto__":{"role":"owner"}}', 400, 'malformed_body'],
    ['a nested __proto__', '{"name":"x","replay":{"__proto__":{}}}', 400, 'malformed_body'],
    ['an escaped __proto__', '{"name":"x","\\u005f_proto__":{}}', 400, 'malformed_body'],
    ['constructor.prototype', '{"name":"x","constructor":{"prototype":{}}}', 400, 'malformed_body'],
    ['wrong types', '{"name":7}', 422, 'invalid'],
    ['a NUL in a name', '{"name":"a\\u0000b"}', 422, 'invalid'],
    ['a line break in a name', '{"name":"a\\r\\nX-Evil: 1"}', 422, 'invalid'],
  ])('that is %s', async (_, text, status, code) => {
    const answer = await post({ text });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(({} as Record<string, unknown>)['role']).toBeUndefined();
  });

  test('of 200,000 nested lists is 400 before it is parsed', async () => {
    const text = `{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const answer = await api.call('POST', '/keys', { token: ws.tokens.owner, text });
    expect([answer.status, answer.json.code]).toEqual([400, 'malformed_body']);
  });

  test('over 1 MiB is 413, whether it says its length or not, and is not read to its end', async () => {
    expect((await post({ text: `{"name":"${'x'.repeat(1024 * 1024)}"}` })).status).toBe(413);
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(64 * 1024).fill(32));
      },
    });
    const answer = await post({ text: endless, token: ws.tokens.owner });
    expect([answer.status, answer.json.code]).toEqual([413, 'too_large']);
    expect(pulled).toBeLessThan(24);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonx'])('of type %s is 415', async (type) => {
    const answer = await api.call('POST', '/keys', { token: ws.tokens.admin, text: '{"name":"x"}', headers: { 'content-type': type } });
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_media_type']);
  });
});

test('unknown paths are 404 and wrong methods 405 with what is allowed, as problems', async () => {
  for (const path of ['/nothing', '/keys/x/y/z', '/']) {
    const answer = await api.call('GET', path, { token: ws.tokens.owner });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  }
  const answer = await api.call('PUT', '/keys', { token: ws.tokens.owner, body: {} });
  expect([answer.status, answer.headers.get('allow'), answer.json.code]).toEqual([405, 'GET, POST', 'method_not_allowed']);
});

test.each(["' OR '1'='1", 'key_1;drop table keys', '../etc', '%00', 'x'.repeat(101)])('the id %j is 404', async (id) => {
  const answer = await api.call('GET', `/keys/${encodeURIComponent(id)}`, { token: ws.tokens.owner });
  expect(answer.status).toBe(404);
});

test.each(['limit=0', 'limit=101', 'limit=x', 'sort=spend', 'state=happy', 'nothing=1', 'limit=1&limit=2', '__proto__=x'])('the query %s is 422 naming it', async (query) => {
  const answer = await api.call('GET', `/keys?${query}`, { token: ws.tokens.owner });
  expect([answer.status, answer.json.errors[0].field]).toEqual([422, query.split('=')[0]]);
});

describe('with the dashboard’s session', () => {
  const headers = { origin: 'https://ohm.example', 'sec-fetch-site': 'same-origin' };
  beforeAll(() => {
    signedIn = { kind: 'user', id: ws.userId, workspaceId: ws.id, role: 'owner' };
    return () => {
      signedIn = null;
    };
  });
  const make = (extra: Record<string, string>, name: string) => api.call('POST', '/keys', { body: { name }, headers: extra });

  test('reads and same-origin writes are taken', async () => {
    expect((await api.call('GET', '/me')).json).toMatchObject({ kind: 'user', role: 'owner' });
    expect((await make(headers, 'from the dashboard')).status).toBe(201);
    expect((await make({ origin: 'https://ohm.example' }, 'from an older browser')).status).toBe(201);
  });

  test.each([
    ['from another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['from a sibling domain', { origin: 'https://x.ohm.example', 'sec-fetch-site': 'same-site' }],
    ['by a typed address', { origin: 'https://ohm.example', 'sec-fetch-site': 'none' }],
    ['from a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['with another origin alone', { origin: 'https://evil.example' }],
    ['with another origin that Host names too', { origin: 'http://evil.test:45200', host: 'evil.test:45200' }],
    ['from a name that was pointed here, in the words of its own pages', { origin: 'http://evil.test:45200', host: 'evil.test:45200', 'sec-fetch-site': 'same-origin' }],
    ['without an origin', {}],
    ['without an origin but same-origin by its word', { 'sec-fetch-site': 'same-origin' }],
  ])('a write %s is 403', async (name, extra) => {
    const answer = await make(extra as Record<string, string>, name);
    expect([answer.status, answer.json.code]).toEqual([403, 'cross_site']);
  });

  test('a form’s content type is 415, also from our own pages', async () => {
    const answer = await api.call('POST', '/keys', { text: '{"name":"x"}', headers: { ...headers, 'content-type': 'text/plain' } });
    expect(answer.status).toBe(415);
  });

  test('an Authorization header is never made up for by the session', async () => {
    expect((await api.call('GET', '/me', { token: 'ohm_mk_junk' })).status).toBe(401);
  });
});

test('the limit of a key is its own, told in every answer, and 429 says when it ends', async () => {
  const { json: made } = await api.call('POST', '/management-keys', { token: ws.tokens.owner, body: { name: 'limited', role: 'viewer' } });
  const answers = [];
  for (let i = 0; i < 41; i++) answers.push(await api.call('GET', '/me', { token: made.key }));
  expect(answers.map((answer) => answer.status)).toEqual([...Array(40).fill(200), 429]);
  expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"default";r=39;t=\d+$/);
  expect(answers[40]!.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
  expect(answers[40]!.json.code).toBe('rate_limited');
});

test('an outage of the database is 503 with Retry-After, never 401, and says nothing of its cause', async () => {
  const away = await createTestApiWithoutDatabase();
  const answer = await away();
  expect([answer.status, (await answer.clone().json()).code, answer.headers.get('retry-after')]).toEqual([503, 'unavailable', expect.stringMatching(/^\d+$/)]);
  expect(await answer.text()).not.toMatch(/ECONN|postgres|127\.0\.0\.1|select/i);
});

async function createTestApiWithoutDatabase(): Promise<() => Promise<Response>> {
  const { createDoor } = await import('./door');
  const { operationsAt } = await import('./operations');
  const { createTenancy } = await import('../tenancy/tenancy');
  const { openDatabase } = await import('../db');
  const { TEST_SECRET } = await import('../db/test-database');
  const { inject } = await import('vitest');
  const db = await openDatabase({ ownerUrl: inject('ownerUrl'), secret: TEST_SECRET, timeoutMs: 1_000 });
  const tenancy = createTenancy({ db, secret: TEST_SECRET });
  await db.close();
  const door = createDoor({
    services: async () => ({ tenancy, ledger: api.ledger, engine: api.engine.engine, standings: api.standings, env: { publicUrl: 'https://ohm.example', host: '127.0.0.1', port: 3000 } }),
    session: async () => 'signed_out',
  });
  const request = () => new Request('https://ohm.example/api/v1/me', { headers: { authorization: `Bearer ${ws.tokens.owner}` } });
  return () => door.resource(operationsAt('/me')).GET(request(), { params: Promise.resolve({}) });
}
