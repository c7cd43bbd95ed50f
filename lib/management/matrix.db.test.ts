import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../tenancy/actor';
import { mayAct } from '../tenancy/require-role';
import { createTextKeeper } from '../tenancy/kept-texts';
import { OPERATIONS } from './operations';
import type { Operation } from './operation';
import { callRowFor, createTestApi, type Answer, type TestApi, type TestWorkspace } from './test-api';

/** One thing of each kind in a workspace. */
interface Things {
  connection: string;
  route: string;
  key: string;
  managementKey: string;
  price: string;
  call: string;
  keptCall: string;
  export: string;
  alert: string;
  channel: string;
  delivery: string;
  member: string;
  invite: string;
}
type Kind = keyof Things;

/**
 * How each operation is called with success. An operation without a line here fails the test below. `least`: what a
 * management key needs, where a person may do less with less to themselves.
 */
const SAMPLES: Record<string, { on?: Kind; body?: (n: number) => unknown; revision?: 1 | 'present'; least?: Role }> = {
  listConnections: {},
  createConnection: { body: (n) => ({ name: `c${n}`, base_url: 'https://llm.example.com/v1', api_key: 'sk-matrix-canary-0001' }) },
  getConnection: { on: 'connection' },
  updateConnection: { on: 'connection', body: (n) => ({ name: `renamed${n}` }), revision: 1 },
  deleteConnection: { on: 'connection', revision: 1 },
  testConnection: { on: 'connection', body: () => ({ model: 'text:2' }) },
  listRoutes: {},
  createRoute: { body: (n) => ({ name: `r${n}`, tiers: [{ connection: 'sandbox', model: 'echo' }] }) },
  getRoute: { on: 'route' },
  updateRoute: { on: 'route', body: () => ({ commit: 'complete' }), revision: 1 },
  deleteRoute: { on: 'route', revision: 1 },
  listRouteVersions: { on: 'route' },
  restoreRoute: { on: 'route', body: () => ({ revision: 1 }), revision: 1 },
  testRoute: { on: 'route', body: () => ({}) },
  listKeys: {},
  createKey: { body: (n) => ({ name: `k${n}` }) },
  getKey: { on: 'key' },
  listKeyBudgets: { on: 'key' },
  listKeyRates: { on: 'key' },
  updateKey: { on: 'key', body: () => ({ disabled: true }), revision: 1 },
  deleteKey: { on: 'key' },
  rotateKey: { on: 'key', body: () => ({ overlap_s: 60 }) },
  purgeReplay: { body: () => ({ workspace: true }) },
  listCalls: {},
  getCall: { on: 'call' },
  getCallTexts: { on: 'keptCall' },
  purgeTexts: { body: () => ({ workspace: true }) },
  getUsage: {},
  getSavings: {},
  listExports: {},
  createExport: { body: () => ({ format: 'csv' }) },
  getExport: { on: 'export' },
  deleteExport: { on: 'export' },
  downloadExport: { on: 'export' },
  listAlerts: {},
  createAlert: { body: (n) => ({ name: `a${n}`, kind: 'auth' }) },
  getAlert: { on: 'alert' },
  updateAlert: { on: 'alert', body: () => ({ muted_until: '2030-01-31T12:00:00Z' }), revision: 1 },
  deleteAlert: { on: 'alert' },
  listAlertEvents: { on: 'alert' },
  testAlert: { on: 'alert' },
  listChannels: {},
  createChannel: { body: (n) => ({ type: 'webhook', name: `hook${n}`, url: 'https://hooks.example.com/ohm' }) },
  updateChannel: { on: 'channel', body: () => ({ enabled: false }), revision: 1 },
  deleteChannel: { on: 'channel' },
  rotateChannel: { on: 'channel', body: () => ({ overlap_s: 60 }) },
  listDeliveries: {},
  resendDelivery: { on: 'delivery' },
  listPrices: {},
  setPrice: { body: () => PRICE },
  deletePrice: { on: 'price' },
  listManagementKeys: {},
  createManagementKey: { body: (n) => ({ name: `m${n}`, role: 'viewer' }) },
  deleteManagementKey: { on: 'managementKey' },
  getMe: {},
  getWorkspace: {},
  updateWorkspace: { body: () => ({}), revision: 'present' },
  listWorkspaceBudgets: {},
  listWorkspaceRates: {},
  listMembers: {},
  updateMember: { on: 'member', body: () => ({ role: 'developer' }), revision: 1 },
  removeMember: { on: 'member', revision: 1, least: 'admin' },
  listInvites: {},
  createInvite: { body: (n) => ({ email: `matrix${n}@example.com`, role: 'viewer' }) },
  updateInvite: { on: 'invite', body: () => ({ role: 'developer' }), revision: 1 },
  deleteInvite: { on: 'invite', revision: 1 },
  listAuditEntries: {},
  checkAuditLog: {},
};

const PRICE = { connection: 'sandbox', model: 'echo', input_nano_usd_per_million_tokens: 1_000, output_nano_usd_per_million_tokens: 2_000 };

let api: TestApi;
let mine: TestWorkspace;
let theirs: TestWorkspace;
let theirThings: Things;
let n = 0;

beforeAll(async () => {
  api = await createTestApi();
  mine = await api.workspace('mine');
  theirs = await api.workspace('theirs');
  theirThings = await makeThings(theirs);
});

afterEach(() => api.writeExports()); // few may wait at a time

test('every operation has a sample, and every sample an operation', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(OPERATIONS.map((operation) => operation.id).sort());
});

describe.each(OPERATIONS.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))('%s', (_, operation) => {
  test('is 401 without a key, with junk, and with a key of the gateway', async () => {
    const id = 'key_anything';
    const { json: key } = await api.call('POST', '/keys', { token: mine.tokens.owner, body: { name: `gateway ${++n}` } });
    for (const token of [null, 'junk', `${mine.tokens.owner.slice(0, -1)}x`, key.key as string]) {
      const answer = await send(operation, id, token);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      expectProblem(answer, 'unauthenticated');
    }
  });

  test.each(ROLES)('as %s', async (role) => {
    const kind = SAMPLES[operation.id]?.on;
    const answer = await send(operation, kind === undefined ? '' : await MAKERS[kind](mine), mine.tokens[role]);
    if (!mayAct(role, leastRole(operation))) return expectProblem(answer, 'forbidden', 403);
    expect([operation.id, answer.status, answer.text.slice(0, 300)]).toEqual([operation.id, operation.status, expect.anything()]);
    if (operation.files !== undefined) return expect(operation.files.some((type) => answer.headers.get('content-type')?.startsWith(type))).toBe(true);
    if (operation.response === null) return expect(answer.text).toBe('');
    expect(operation.response.schema.safeParse(answer.json).error?.issues ?? []).toEqual([]);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('vary')).toBe('Authorization, Cookie');
    expect(answer.headers.get('x-ohm-request-id')).toMatch(/^req_/);
    expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=6000;w=60');
  });

  test.runIf(operation.path.includes('{id}')).each(ROLES.filter((role) => mayAct(role, leastRole(operation))))(
    'with an id of another workspace is 404 as %s, and changes nothing there',
    async (role: Role) => {
      const before = await everything(theirs);
      const answer = await send(operation, idFor(operation, theirThings), mine.tokens[role]);
      expectProblem(answer, 'not_found', 404);
      const unknown = await send(operation, 'key_01ffffffffffffffffffffffff', mine.tokens[role]);
      expectProblem(unknown, 'not_found', 404);
      expect({ ...answer.json, request_id: '', instance: '' }).toEqual({ ...unknown.json, request_id: '', instance: '' });
      expect(await everything(theirs)).toEqual(before);
    },
  );
});

test('lists hold nothing of another workspace', async () => {
  const texts = await Promise.all(
    OPERATIONS.filter((operation) => operation.method === 'GET' && !operation.path.includes('{')).map((operation) => send(operation, '', mine.tokens.owner)),
  );
  for (const { text } of texts) for (const id of [...Object.values(theirThings), theirs.id, theirs.userId, theirs.slug]) expect(text).not.toContain(id);
});

test.each([
  ['POST', '/routes', { name: 'x', tiers: [{ connection: '$connection', model: 'm' }] }, 'tiers.0.connection'],
  ['POST', '/keys', { name: 'x', default_route: '$route' }, 'default_route'],
  ['POST', '/keys', { name: 'x', tiers: [{ connection: '$connection', model: 'm' }] }, 'tiers.0.connection'],
])('%s %s does not reach into another workspace by a reference in its body', async (method, path, body, field) => {
  const text = JSON.stringify(body).replace('$connection', theirThings.connection).replace('$route', theirThings.route);
  const answer = await api.call(method, path, { token: mine.tokens.owner, text });
  expectProblem(answer, 'invalid', 422);
  expect(answer.json.errors[0].field).toBe(field);
});

const leastRole = (operation: Operation): Role => SAMPLES[operation.id]?.least ?? operation.role;

async function makeThings(workspace: TestWorkspace): Promise<Things> {
  const things = {} as Things;
  for (const kind of Object.keys(MAKERS) as Kind[]) things[kind] = await MAKERS[kind](workspace);
  return things;
}

const posted = async (workspace: TestWorkspace, path: string, body?: unknown) => (await api.call('POST', path, { token: workspace.tokens.owner, body })).json;

/** Makes one thing of a kind; resolves with its id. */
const MAKERS: Record<Kind, (workspace: TestWorkspace) => Promise<string>> = {
  connection: async (workspace) => (await posted(workspace, '/connections', { name: `sand${++n}`, kind: 'sandbox' })).id,
  route: async (workspace) => (await posted(workspace, '/routes', { name: `route${++n}`, tiers: [{ connection: 'sandbox', model: 'text:2' }] })).id,
  key: async (workspace) => (await posted(workspace, '/keys', { name: `key ${++n}` })).id,
  managementKey: async (workspace) => (await posted(workspace, '/management-keys', { name: `mk ${++n}`, role: 'viewer' })).id,
  price: async (workspace) => (await api.call('PUT', '/prices', { token: workspace.tokens.owner, body: PRICE })).json.id,
  call: async (workspace) => {
    const row = callRowFor(workspace.id, await MAKERS.key(workspace));
    await api.ledger.settle(row);
    return row.id;
  },
  keptCall: async (workspace) => {
    const { id: keyId } = await posted(workspace, '/keys', { name: `key ${++n}`, keep_texts: { days: 1 } });
    const keeper = createTextKeeper({ db: api.tenancy.db, keyring: api.tenancy.keyring, log: { warn: (...said) => expect(said).toEqual([]) } });
    keeper.keep({ id: `call_kept_${n}`, workspaceId: workspace.id, keyId }, [{ role: 'user', message: 1, savers: ['blank-lines'], before: 'a ', after: 'a' }]);
    await keeper.close();
    return `call_kept_${n}`;
  },
  export: async (workspace) => {
    const { id } = await posted(workspace, '/exports', { format: 'csv', filter: { key: await MAKERS.key(workspace) } });
    await api.writeExports();
    return id;
  },
  channel: async (workspace) => (await posted(workspace, '/channels', { type: 'webhook', name: `channel ${++n}`, url: 'https://hooks.example.com/ohm' })).id,
  alert: async (workspace) => (await posted(workspace, '/alerts', { name: `alert ${++n}`, kind: 'auth', channels: [await MAKERS.channel(workspace)] })).id,
  member: async (workspace) => {
    const id = `user_matrix_${++n}`;
    await api.owner`insert into users (id, email, password_hash) values (${id}, ${`${id}@example.com`}, 'none')`;
    await api.owner`insert into members (workspace_id, user_id, role) values (${workspace.id}, ${id}, 'viewer')`;
    return id;
  },
  invite: async (workspace) => (await posted(workspace, '/invites', { email: `invited${++n}@example.com`, role: 'viewer' })).id,
  delivery: async (workspace) => (await posted(workspace, `/alerts/${await MAKERS.alert(workspace)}/test`)).deliveries[0].id,
};

function idFor(operation: Operation, things: Things): string {
  const kind = SAMPLES[operation.id]?.on;
  return kind === undefined ? '' : things[kind];
}

async function send(operation: Operation, id: string, token: string | null): Promise<Answer> {
  const sample = SAMPLES[operation.id]!;
  const present = sample.revision === 'present' ? (await api.call('GET', operation.path, { token: mine.tokens.viewer })).json.revision : sample.revision;
  return api.call(operation.method, operation.path.replace('{id}', id), {
    token,
    ...(sample.body === undefined ? {} : { body: sample.body(++n) }),
    ...(present === undefined ? {} : { ifMatch: present }),
  });
}

function expectProblem(answer: Answer, code: string, status = 401): void {
  expect([answer.json?.code, answer.status]).toEqual([code, status]);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(answer.json).toMatchObject({ type: `/docs/errors#${code}`, status, request_id: answer.headers.get('x-ohm-request-id') });
}

/** All that a workspace's owner can see, but for the log's own growth and the moments of use. */
async function everything(workspace: TestWorkspace): Promise<unknown> {
  const rows = await api.owner`
    select (select jsonb_agg(to_jsonb(c) order by id) from connections c where workspace_id = ${workspace.id}) as connections,
      (select jsonb_agg(to_jsonb(r) order by id) from routes r where workspace_id = ${workspace.id}) as routes,
      (select jsonb_agg(to_jsonb(t) order by route_id, position) from route_tiers t where workspace_id = ${workspace.id}) as tiers,
      (select jsonb_agg(to_jsonb(v) order by route_id, revision) from route_versions v where workspace_id = ${workspace.id}) as versions,
      (select jsonb_agg(to_jsonb(k) order by id) from keys k where workspace_id = ${workspace.id}) as keys,
      (select jsonb_agg(to_jsonb(m) - 'last_used_at' order by id) from management_keys m where workspace_id = ${workspace.id}) as management_keys,
      (select jsonb_agg(to_jsonb(m) order by user_id) from members m where workspace_id = ${workspace.id}) as members,
      (select jsonb_agg(to_jsonb(i) order by id) from invites i where workspace_id = ${workspace.id}) as invites,
      (select jsonb_agg(to_jsonb(p) order by id) from connection_prices p where workspace_id = ${workspace.id}) as prices,
      (select jsonb_agg(to_jsonb(a) order by id) from alert_rules a where workspace_id = ${workspace.id}) as alerts,
      (select jsonb_agg(to_jsonb(a) order by id) from alert_channels a where workspace_id = ${workspace.id}) as channels,
      (select jsonb_agg(to_jsonb(a) order by id) from alert_deliveries a where workspace_id = ${workspace.id}) as deliveries,
      (select jsonb_agg(to_jsonb(x) order by call_id) from kept_texts x where workspace_id = ${workspace.id}) as texts,
      (select count(*) from audit_log where workspace_id = ${workspace.id}) as audit`;
  return rows[0];
}
