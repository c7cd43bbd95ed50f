import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, Role } from '../tenancy/actor';
import { createTestApi, type TestApi, type TestWorkspace } from './test-api';

let api: TestApi;
let ws: TestWorkspace;
let signedIn: Actor | null = null;
let n = 0;

beforeAll(async () => {
  api = await createTestApi({ session: async () => signedIn ?? 'signed_out' });
  ws = await api.workspace('people');
});

async function member(role: Role): Promise<string> {
  const id = `user_people_${++n}`;
  await api.owner`insert into users (id, email, password_hash) values (${id}, ${`${id}@example.com`}, 'none')`;
  await api.owner`insert into members (workspace_id, user_id, role) values (${ws.id}, ${id}, ${role})`;
  return id;
}

const as = (role: Role, method: string, path: string, options: object = {}) => api.call(method, path, { token: ws.tokens[role], ...options });
const invite = (body: object, role: Role = 'admin') => as(role, 'POST', '/invites', { body });

describe('/invites', () => {
  test('an invitation is sent, listed, changed as it was read, and revoked; its link stands in one answer only', async () => {
    const made = await invite({ email: ' Ann@Example.com ', role: 'viewer' });
    expect([made.status, made.headers.get('etag'), made.headers.get('location')]).toEqual([201, '"1"', `/api/v1/invites/${made.json.id}`]);
    expect(made.json).toMatchObject({ email: 'ann@example.com', role: 'viewer', state: 'pending', mail: 'not_configured', mail_error: null, link: expect.stringMatching(/^https:\/\/ohm\.example\/invite\/ohm_in_/) });
    const listed = await as('admin', 'GET', '/invites');
    const { link, mail, mail_error: _, ...view } = made.json;
    expect(listed.json).toEqual({ data: [view], next_cursor: null });
    expect(listed.text).not.toContain('ohm_in_');

    const path = `/invites/${made.json.id}`;
    expect((await as('admin', 'PATCH', path, { body: { role: 'developer' } })).status).toBe(428);
    expect((await as('admin', 'PATCH', path, { body: { role: 'developer' }, ifMatch: 7 })).json.code).toBe('stale');
    expect((await as('admin', 'PATCH', path, { body: { role: 'developer' }, ifMatch: 1 })).json).toMatchObject({ role: 'developer', revision: 2 });
    expect((await as('admin', 'DELETE', path, { ifMatch: 1 })).json.code).toBe('stale');
    expect((await as('admin', 'DELETE', path)).status).toBe(204);
    expect((await as('admin', 'DELETE', path)).status).toBe(404);
    expect([link.length, mail]).toEqual([expect.any(Number), 'not_configured']);
  });

  test.each([
    [{ email: 'nobody', role: 'viewer' }, 'email'],
    [{ email: 'a@example.com' }, 'role'],
    [{ email: 'a@example.com', role: 'billing' }, 'role'],
    [{ email: 'a@example.com', role: 'viewer', note: 'hello' }, 'note'],
    [{ role: 'viewer' }, 'email'],
  ])('%j is 422 naming %s', async (body, field) => {
    const answer = await invite(body);
    expect([answer.status, answer.json.errors[0].field]).toEqual([422, field]);
  });

  test('nobody invites above their own role, nor a member', async () => {
    expect((await invite({ email: 'b@example.com', role: 'owner' })).json.code).toBe('forbidden');
    expect((await invite({ email: 'b@example.com', role: 'owner' }, 'owner')).status).toBe(201);
    const answer = await invite({ email: 'people@example.com', role: 'viewer' });
    expect([answer.status, answer.json.code]).toEqual([409, 'conflict']);
  });
});

describe('/members', () => {
  test('takes no POST: people come by invitation', async () => {
    const answer = await as('owner', 'POST', '/members', { body: { email: 'a@example.com', role: 'viewer' } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
  });

  test('a role is changed as it was read, and holds from the next request on', async () => {
    const id = await member('viewer');
    signedIn = { kind: 'user', id, workspaceId: ws.id, role: 'viewer' };
    const { json } = await as('admin', 'GET', '/members');
    expect(json.data).toContainEqual(expect.objectContaining({ user_id: id, role: 'viewer', revision: 1 }));
    expect((await as('admin', 'PATCH', `/members/${id}`, { body: { role: 'admin' } })).status).toBe(428);
    expect((await as('admin', 'PATCH', `/members/${id}`, { body: { role: 'owner' }, ifMatch: 1 })).json.code).toBe('forbidden');
    const changed = await as('admin', 'PATCH', `/members/${id}`, { body: { role: 'admin' }, ifMatch: 1 });
    expect([changed.json.role, changed.headers.get('etag')]).toEqual(['admin', '"2"']);
    expect((await as('admin', 'PATCH', `/members/${ws.userId}`, { body: { role: 'viewer' }, ifMatch: 1 })).json.code).toBe('forbidden');
    expect((await as('owner', 'PATCH', `/members/${ws.userId}`, { body: { role: 'viewer' }, ifMatch: 1 })).json.code).toBe('conflict');
  });

  test('whoever is signed in may leave, whatever they are; to remove somebody else takes an admin', async () => {
    const [id, other] = [await member('viewer'), await member('viewer')];
    signedIn = { kind: 'user', id, workspaceId: ws.id, role: 'viewer' };
    const headers = { origin: 'https://ohm.example', 'sec-fetch-site': 'same-origin' };
    expect((await api.call('DELETE', `/members/${other}`, { headers })).status).toBe(403);
    expect((await api.call('DELETE', `/members/${id}?keys=disable`, { headers })).status).toBe(403);
    expect((await api.call('DELETE', `/members/${id}`, { headers })).status).toBe(204);
    expect((await as('admin', 'DELETE', `/members/${other}?keys=all`)).json.errors[0].field).toBe('keys');
    expect((await as('admin', 'DELETE', `/members/${other}?keys=disable`)).status).toBe(204);
    const { json } = await as('viewer', 'GET', '/members');
    for (const gone of [id, other]) expect(JSON.stringify(json)).not.toContain(gone);
  });
});
