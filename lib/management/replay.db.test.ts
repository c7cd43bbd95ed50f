import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../gateway/ports';
import { createTestApi, type TestApi, type TestWorkspace } from './test-api';

let api: TestApi;
let home: TestWorkspace;
let token: string;
beforeAll(async () => {
  api = await createTestApi();
  home = await api.workspace('replay');
  token = home.tokens.developer;
});

let serial = 0;
const unique = () => `n${++serial}`;
const fields = (answer: { json: { errors: { field: string }[] } }) => answer.json.errors.map(({ field }) => field);
const issue = (body: object = {}) => api.call('POST', '/keys', { token, body: { name: unique(), ...body } });
const edit = (id: string, revision: number, replay: unknown) => api.call('PATCH', `/keys/${id}`, { token, ifMatch: revision, body: { replay } });
const purge = (body: object, as = token) => api.call('POST', '/replay/purge', { token: as, body });
/** What the hot path goes by, for the holder of a token. */
const caller = async (key: string) => (await api.tenancy.directory.find(key)) as Caller;

describe('a key', () => {
  test('keeps its answers for an hour and for itself unless it says otherwise, and the hot path knows', async () => {
    const plain = await issue();
    expect(plain.json.replay).toEqual({ enabled: true, ttl_s: 3600, scope: 'key' });
    const said = await issue({ replay: { enabled: false, ttl_s: 60, scope: 'workspace' } });
    expect([said.status, said.json.replay]).toEqual([201, { enabled: false, ttl_s: 60, scope: 'workspace' }]);
    expect((await caller(plain.json.key)).key.replay).toEqual({ enabled: true, ttlS: 3600, scope: 'key', generation: 0 });
    expect((await caller(said.json.key)).key.replay).toMatchObject({ enabled: false, ttlS: 60, scope: 'workspace' });
  });

  test('keeps what an edit leaves out', async () => {
    const { json } = await issue({ replay: { ttl_s: 60 } });
    expect((await edit(json.id, 1, { scope: 'workspace' })).json.replay).toEqual({ enabled: true, ttl_s: 60, scope: 'workspace' });
    expect((await edit(json.id, 2, null)).json.replay).toEqual({ enabled: true, ttl_s: 60, scope: 'workspace' });
    expect((await api.call('PATCH', `/keys/${json.id}`, { token, ifMatch: 3, body: { name: unique() } })).json.replay).toEqual({ enabled: true, ttl_s: 60, scope: 'workspace' });
  });

  test.each([
    [{ ttl_s: 0 }, 'replay.ttl_s'],
    [{ ttl_s: 2_592_001 }, 'replay.ttl_s'],
    [{ ttl_s: 1.5 }, 'replay.ttl_s'],
    [{ scope: 'everybody' }, 'replay.scope'],
    [{ enabled: 'yes' }, 'replay.enabled'],
    [{ ttl: 60 }, 'replay.ttl'],
    [true, 'replay'],
  ])('refuses %j by name', async (replay, field) => {
    const answer = await issue({ replay });
    expect([answer.status, fields(answer)]).toEqual([422, [field]]);
  });

  test('that is turned off has nothing of before served when it is turned on again', async () => {
    const { json } = await issue();
    await edit(json.id, 1, { enabled: false });
    await edit(json.id, 2, { enabled: true });
    expect((await caller(json.key)).key.replay).toMatchObject({ enabled: true, generation: 1 });
  });
});

describe('a purge', () => {
  test('moves on to the next generation of the key, the route or the workspace, here at once', async () => {
    const { json } = await issue({ default_route: 'demo' });
    const generations = async () => {
      const { key, workspace } = await caller(json.key);
      return [key.replay.generation, workspace.routes.get('demo')!.replayGeneration, workspace.replay.generation];
    };
    const before = await generations();
    for (const [body, scope, at] of [[{ key: json.name }, 'key', 0], [{ key: json.id }, 'key', 0], [{ route: 'demo' }, 'route', 1], [{ workspace: true }, 'workspace', 2]] as const) {
      const answer = await purge(body);
      expect([answer.status, answer.json.scope, typeof answer.json.purged_at]).toEqual([200, scope, 'string']);
      before[at]!++;
      expect(await generations()).toEqual(before);
    }
    const { json: audit } = await api.call('GET', '/audit?limit=1', { token: home.tokens.owner });
    expect(audit.data[0]).toMatchObject({ action: 'replay.purged', target: home.id });
    expect((await api.call('GET', `/keys/${json.id}`, { token })).json.revision).toBe(1);
  });

  test.each([
    [{}, '$'],
    [{ key: 'a', route: 'b' }, '$'],
    [{ key: 'nobody' }, 'key'],
    [{ route: 'nowhere' }, 'route'],
    [{ workspace: false }, 'workspace'],
    [{ everything: true }, 'everything'],
  ])('refuses %j', async (body, field) => {
    const answer = await purge(body);
    expect([answer.status, fields(answer)]).toEqual([422, [field === '$' ? answer.json.errors[0].field : field]]);
  });

  test('is a developer’s, and stays within its workspace', async () => {
    const other = await api.workspace('elsewhere');
    const { json } = await issue();
    expect((await purge({ workspace: true }, home.tokens.viewer)).status).toBe(403);
    expect((await purge({ key: json.id }, other.tokens.owner)).status).toBe(422);
    const before = await caller(json.key);
    await purge({ workspace: true }, other.tokens.owner);
    const after = await caller(json.key);
    expect([after.workspace.replay, after.key.replay]).toEqual([before.workspace.replay, before.key.replay]);
  });

  test('of a key that shares its answers, its revocation, and the end of its sharing forget what was shared', async () => {
    const watch = await issue();
    const shared = async () => {
      api.tenancy.db.announce(home.id); // other processes hear of it from the database
      return (await caller(watch.json.key)).workspace.replay.sharedGeneration;
    };
    const sharing = () => issue({ replay: { scope: 'workspace' } });
    let generation = await shared();
    for (const end of [
      (id: string) => purge({ key: id }),
      (id: string) => api.call('DELETE', `/keys/${id}`, { token }),
      (id: string) => edit(id, 1, { scope: 'key' }),
      (id: string) => edit(id, 1, { enabled: false }),
    ]) {
      const { json } = await sharing();
      expect((await end(json.id)).status).toBeLessThan(300);
      expect(await shared()).toBe(++generation);
    }
    const { json } = await issue();
    await api.call('DELETE', `/keys/${json.id}`, { token });
    expect(await shared()).toBe(generation);
  });
});
