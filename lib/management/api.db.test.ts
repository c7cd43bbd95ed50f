import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyAuditChain } from '../tenancy/audit';
import { withWorkspace } from '../db';
import { callRowFor, createTestApi, type Answer, type TestApi, type TestWorkspace } from './test-api';

let api: TestApi;
let ws: TestWorkspace;
let token: string;
let n = 0;

beforeAll(async () => {
  api = await createTestApi();
  ws = await api.workspace('acme');
  token = ws.tokens.admin;
});

const unique = (word: string) => `${word}-${++n}`;
const post = (path: string, body: unknown) => api.call('POST', path, { token, body });
const patch = (path: string, ifMatch: number, body: unknown) => api.call('PATCH', path, { token, ifMatch, body });
const get = (path: string) => api.call('GET', path, { token });
const httpConnection = (change: Record<string, unknown> = {}) =>
  post('/connections', { name: unique('http'), base_url: 'https://llm.example.com/v1', api_key: 'sk-first-canary-aaaa1111', ...change });
const fields = (answer: Answer) => answer.json.errors.map((error: { field: string }) => error.field);

describe('connections', () => {
  test('are made with a sealed key of which only the end is shown', async () => {
    const { status, json, headers } = await httpConnection({ name: 'main' });
    expect(status).toBe(201);
    expect(json).toMatchObject({ name: 'main', kind: 'http', wire: 'openai', provider: 'custom', base_url: 'https://llm.example.com/v1', has_api_key: true, api_key_last4: '1111', revision: 1 });
    expect(headers.get('location')).toBe(`/api/v1/connections/${json.id}`);
    expect(headers.get('etag')).toBe('"1"');
    const [row] = await api.owner`select api_key_sealed from connections where id = ${json.id}`;
    expect(row!['api_key_sealed']).not.toContain('canary');
  });

  test('take their provider and address from a preset, or recognise the preset by the address', async () => {
    const preset = await post('/connections', { name: unique('p'), provider: 'groq', api_key: null });
    expect(preset.json).toMatchObject({ provider: 'groq', base_url: 'https://api.groq.com/openai/v1', has_api_key: false });
    const known = await httpConnection({ base_url: 'https://api.openai.com/v1/' });
    expect(known.json).toMatchObject({ provider: 'openai', base_url: 'https://api.openai.com/v1' });
    expect(fields(await httpConnection({ provider: 'nobody' }))).toEqual(['provider']);
  });

  test('speak the wire that is said, else the preset’s, and are recognised by address and wire', async () => {
    expect((await post('/connections', { name: unique('w'), provider: 'google', api_key: null })).json).toMatchObject({ wire: 'gemini', base_url: 'https://generativelanguage.googleapis.com/v1beta' });
    expect((await post('/connections', { name: unique('w'), provider: 'openai', wire: 'openai-responses' })).json).toMatchObject({ provider: 'openai', wire: 'openai-responses' });
    const custom = await httpConnection({ wire: 'gemini' });
    expect(custom.json).toMatchObject({ provider: 'custom', wire: 'gemini' });
    expect((await post('/connections', { name: unique('w'), wire: 'gemini', base_url: 'https://generativelanguage.googleapis.com/v1beta' })).json.provider).toBe('google');
    expect((await post('/connections', { name: unique('w'), wire: 'openai', base_url: 'https://generativelanguage.googleapis.com/v1beta/openai' })).json.provider).toBe('gemini');
    const changed = await patch(`/connections/${custom.json.id}`, custom.json.revision, { wire: 'openai' });
    expect(changed.json).toMatchObject({ provider: 'custom', wire: 'openai' });
    const sandboxed = await post('/connections', { name: unique('w'), kind: 'sandbox', wire: 'gemini' });
    expect([sandboxed.status, fields(sandboxed)]).toEqual([422, ['wire']]);
    expect(fields(await post('/connections', { name: unique('p') }))).toEqual(['base_url']);
  });

  test.each([
    ['http to a public address', 'http://93.184.216.34/v1'],
    ['a private address', 'https://10.0.0.1/v1'],
    ['a mapped loopback address', 'https://[::ffff:192.168.0.1]/v1'],
    ['the metadata service', 'http://169.254.169.254/latest'],
    ['decimal loopback spelled for another network', 'https://3232235521/v1'],
    ['a user name', 'https://user:pass@llm.example.com/v1'],
    ['a query', 'https://llm.example.com/v1?key=1'],
    ['a fragment', 'https://llm.example.com/v1#x'],
    ['another scheme', 'file:///etc/passwd'],
    ['no URL', 'llm.example.com'],
    ['a line break', 'https://llm.example.com/\nv1'],
    ['a whole address of chat calls', 'https://llm.example.com/v1/chat/completions/'],
    ['a whole address of messages', 'https://llm.example.com/v1/messages'],
    ['a whole address of responses', 'https://llm.example.com/v1/responses'],
  ])('refuse %s as base URL, naming it', async (_, base_url) => {
    const answer = await httpConnection({ base_url });
    expect([answer.status, fields(answer)]).toEqual([422, ['base_url']]);
  });

  test('take an address that the operator opened', async () => {
    expect((await httpConnection({ base_url: 'http://127.0.0.1:9999/v1/' })).json.base_url).toBe('http://127.0.0.1:9999/v1');
  });

  test('ask for the key again when the origin changes, and keep it when only the path does', async () => {
    const { json: made } = await httpConnection();
    const path = `/connections/${made.id}`;
    const whole = await patch(path, 1, { base_url: 'https://llm.example.com/v1/chat/completions' });
    expect(whole.json.errors).toEqual([{ field: 'base_url', message: 'leave off /chat/completions at the end: calls add it themselves' }]);
    const sameOrigin = await patch(path, 1, { base_url: 'https://llm.example.com/v2' });
    expect(sameOrigin.json).toMatchObject({ base_url: 'https://llm.example.com/v2', api_key_last4: '1111', revision: 2 });
    for (const base_url of ['https://evil.example/v1', 'https://llm.example.com:8443/v1']) {
      const moved = await patch(path, 2, { base_url });
      expect([moved.status, fields(moved)]).toEqual([422, ['api_key']]);
    }
    expect((await patch(path, 2, { base_url: 'https://other.example/v1', api_key: 'sk-second-canary-bbbb2222' })).json).toMatchObject({ api_key_last4: '2222', revision: 3 });
    expect((await patch(path, 3, { base_url: 'https://third.example/v1', api_key: null })).json).toMatchObject({ has_api_key: false, api_key_last4: null });
  });

  test('do not turn from one kind into the other', async () => {
    const { json: sandbox } = await post('/connections', { name: unique('s'), kind: 'sandbox' });
    for (const change of [{ base_url: 'https://llm.example.com/v1' }, { api_key: 'sk-0123456789abcdef' }, { provider: 'openai' }, { kind: 'http' }]) {
      const answer = await patch(`/connections/${sandbox.id}`, 1, change);
      expect([answer.status, fields(answer)]).toEqual([422, Object.keys(change)]);
    }
    expect((await httpConnection({ kind: 'sandbox' })).status).toBe(422);
    expect(fields(await httpConnection({ provider: 'sandbox' }))).toEqual(['provider']);
  });

  test('stay while a route or a key has them in a tier, which is named', async () => {
    const { json: connection } = await httpConnection();
    const { json: route } = await post('/routes', { name: unique('uses'), tiers: [{ connection: connection.id, model: 'm' }] });
    const { json: key } = await post('/keys', { name: unique('carries'), tiers: [{ connection: connection.name, model: 'm' }] });
    expect((await get(`/connections/${connection.id}`)).json.used_by_routes).toEqual([route.name]);
    const refused = await api.call('DELETE', `/connections/${connection.id}`, { token, ifMatch: 1 });
    expect(refused.json).toMatchObject({ status: 409, code: 'conflict' });
    expect(refused.json.detail).toContain(`"${route.name}"`);
    expect(refused.json.detail).toContain(`"${key.name}"`);
    await api.call('DELETE', `/routes/${route.id}`, { token, ifMatch: 1 });
    await api.call('DELETE', `/keys/${key.id}`, { token });
    expect((await api.call('DELETE', `/connections/${connection.id}`, { token, ifMatch: 1 })).status).toBe(204);
    expect((await get(`/connections/${connection.id}`)).status).toBe(404);
  });

  test('have names of their own', async () => {
    const { json } = await httpConnection();
    const again = await httpConnection({ name: json.name });
    expect([again.status, fields(again)]).toEqual([409, ['name']]);
  });
});

describe('routes', () => {
  test('hold their tiers in order and name connections as they are called now', async () => {
    const { json: connection } = await httpConnection();
    const tiers = [
      { connection: connection.id, model: 'b', first_content_timeout_ms: 8000, idle_timeout_ms: 30000, response_timeout_ms: 120000 },
      { connection: 'sandbox', model: 'text:20' },
    ];
    const { json: route, status } = await post('/routes', { name: unique('r'), tiers });
    expect(status).toBe(201);
    expect(route).toMatchObject({ commit: 'first_content', deadline_ms: 900_000, revision: 1 });
    expect(route.tiers).toEqual([
      { ...tiers[0], connection: connection.name },
      { connection: 'sandbox', model: 'text:20', first_content_timeout_ms: null, idle_timeout_ms: null, response_timeout_ms: null },
    ]);
    await patch(`/connections/${connection.id}`, 1, { name: `${connection.name}-renamed` });
    expect((await get(`/routes/${route.id}`)).json.tiers[0].connection).toBe(`${connection.name}-renamed`);
    const echoed = await patch(`/routes/${route.id}`, 1, { tiers: (await get(`/routes/${route.id}`)).json.tiers });
    expect(echoed.status).toBe(200);
  });

  test.each([
    ['no tiers', { tiers: [] }, 'tiers'],
    ['33 tiers', { tiers: Array.from({ length: 33 }, (_, i) => ({ connection: 'sandbox', model: `text:${i + 1}` })) }, 'tiers'],
    ['an unknown connection', { tiers: [{ connection: 'nobody', model: 'm' }] }, 'tiers.0.connection'],
    ['the same connection and model twice', { tiers: [{ connection: 'sandbox', model: 'echo' }, { connection: 'sandbox', model: 'echo' }] }, 'tiers.1'],
    ['a model with a line break', { tiers: [{ connection: 'sandbox', model: 'a\r\nX-Evil: 1' }] }, 'tiers.0.model'],
    ['a script that the sandbox cannot read', { tiers: [{ connection: 'sandbox', model: 'text:1' }, { connection: 'sandbox', model: 'texxt:1' }] }, 'tiers.1.model'],
    ['a budget of 99 ms', { tiers: [{ connection: 'sandbox', model: 'echo', idle_timeout_ms: 99 }] }, 'tiers.0.idle_timeout_ms'],
    ['a budget over an hour', { tiers: [{ connection: 'sandbox', model: 'echo', response_timeout_ms: 3_600_001 }] }, 'tiers.0.response_timeout_ms'],
    ['a reserved name', { name: 'Auto' }, 'name'],
    ['a name with a slash', { name: 'a/b' }, 'name'],
    ['a deadline under a second', { deadline_ms: 999 }, 'deadline_ms'],
    ['an unknown commit policy', { commit: 'never' }, 'commit'],
  ])('refuse %s, naming it', async (_, change, field) => {
    const answer = await post('/routes', { name: unique('r'), tiers: [{ connection: 'sandbox', model: 'echo' }], ...change });
    expect([answer.status, answer.json.code, fields(answer)[0]]).toEqual([422, 'invalid', field]);
  });

  test('keep every version, and bring one back as a new revision', async () => {
    const { json: route } = await post('/routes', { name: unique('v'), tiers: [{ connection: 'sandbox', model: 'text:1' }] });
    const path = `/routes/${route.id}`;
    await patch(path, 1, { commit: 'complete' });
    await patch(path, 2, { tiers: [{ connection: 'sandbox', model: 'text:2' }] });
    const back = await api.call('POST', `${path}/restore`, { token, ifMatch: 3, body: { revision: 1 } });
    expect(back.json).toMatchObject({ commit: 'first_content', revision: 4, tiers: [{ model: 'text:1' }] });
    const versions = await get(`${path}/versions`);
    expect(versions.json.data.map((version: any) => [version.revision, version.commit, version.tiers[0].model])).toEqual([
      [4, 'first_content', 'text:1'],
      [3, 'complete', 'text:2'],
      [2, 'complete', 'text:1'],
      [1, 'first_content', 'text:1'],
    ]);
    expect(versions.json.data[0].created_by).toMatch(/^management_key:mk_/);
    expect(fields(await api.call('POST', `${path}/restore`, { token, ifMatch: 4, body: { revision: 9 } }))).toEqual(['revision']);
  });

  test('stay while they are a key’s default, which is named', async () => {
    const { json: route } = await post('/routes', { name: unique('d'), tiers: [{ connection: 'sandbox', model: 'echo' }] });
    const { json: key } = await post('/keys', { name: unique('uses'), default_route: route.name });
    expect(key.default_route).toBe(route.name);
    const refused = await api.call('DELETE', `/routes/${route.id}`, { token, ifMatch: 1 });
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining(`"${key.name}"`)]);
    await patch(`/keys/${key.id}`, 1, { default_route: null });
    expect((await api.call('DELETE', `/routes/${route.id}`, { token, ifMatch: 1 })).status).toBe(204);
  });
});

describe('edits', () => {
  test('are 428 without If-Match, 422 where it is no revision and 409 on another one, and change nothing then', async () => {
    const { json: route } = await post('/routes', { name: unique('e'), tiers: [{ connection: 'sandbox', model: 'echo' }] });
    const { json: connection } = await httpConnection();
    const { json: key } = await post('/keys', { name: unique('e') });
    const edits = [
      ['PATCH', `/routes/${route.id}`, { commit: 'complete' }],
      ['DELETE', `/routes/${route.id}`, undefined],
      ['POST', `/routes/${route.id}/restore`, { revision: 1 }],
      ['PATCH', `/connections/${connection.id}`, { name: 'other' }],
      ['DELETE', `/connections/${connection.id}`, undefined],
      ['PATCH', `/keys/${key.id}`, { disabled: true }],
    ] as const;
    for (const [method, path, body] of edits) {
      if (method !== 'DELETE') {
        const without = await api.call(method, path, { token, body });
        expect([method, path, without.status, without.json.code]).toEqual([method, path, 428, 'precondition_required']);
      }
      for (const ifMatch of ['*', 'x', '"1", "2"']) {
        const odd = await api.call(method, path, { token, body, ifMatch });
        expect([method, path, odd.status, odd.json.errors[0].field, odd.json.detail]).toEqual([method, path, 422, 'If-Match', expect.stringContaining('If-Match: "3"')]);
      }
      const stale = await api.call(method, path, { token, body, ifMatch: 7 });
      expect([method, path, stale.status, stale.json.code]).toEqual([method, path, 409, 'stale']);
    }
    expect((await get(`/routes/${route.id}`)).json).toEqual(route);
    expect((await get(`/connections/${connection.id}`)).json).toEqual(connection);
  });

  test('that remove need no revision, and are refused on another than the present one', async () => {
    const { json: key } = await post('/keys', { name: unique('gone') });
    expect((await api.call('DELETE', `/keys/${key.id}`, { token, ifMatch: 2 })).json.code).toBe('stale');
    expect((await api.call('DELETE', `/keys/${key.id}`, { token })).status).toBe(204);
    const { json: route } = await post('/routes', { name: unique('gone'), tiers: [{ connection: 'sandbox', model: 'echo' }] });
    expect((await api.call('DELETE', `/routes/${route.id}`, { token })).status).toBe(204);
  });

  test('that race on one revision: one wins', async () => {
    const { json: route } = await post('/routes', { name: unique('race'), tiers: [{ connection: 'sandbox', model: 'echo' }] });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => patch(`/routes/${route.id}`, 1, { deadline_ms: 2000 + i })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect((await get(`/routes/${route.id}`)).json.revision).toBe(2);
  });

  test('cannot set what is not theirs to set', async () => {
    const { json: key } = await post('/keys', { name: unique('mass') });
    for (const member of ['workspace_id', 'id', 'revision', 'last_used_at', 'token_hash', 'state', 'created_by', 'role', 'spent']) {
      const made = await post('/keys', { name: unique('mass'), [member]: 'x' });
      expect([made.status, made.json.code, fields(made)]).toEqual([422, 'invalid', [member]]);
      const edited = await patch(`/keys/${key.id}`, 1, { [member]: 'x' });
      expect([edited.status, fields(edited)]).toEqual([422, [member]]);
    }
    expect(fields(await post('/routes', { name: unique('m'), tiers: [{ connection: 'sandbox', model: 'echo', workspace_id: ws.id }] }))).toEqual(['tiers.0.workspace_id']);
  });
});

describe('keys', () => {
  test('show their token once, and no other answer holds it or a hash', async () => {
    const { json: key } = await post('/keys', { name: unique('once') });
    expect(key.key).toMatch(/^ohm_sk_[0-9A-Za-z]{38}$/);
    expect(key.masked).toBe(`ohm_sk_…${key.key.slice(-4)}`);
    for (const path of [`/keys/${key.id}`, '/keys', '/audit']) expect((await get(path)).text).not.toContain(key.key.slice(7));
    const [row] = await api.owner`select to_jsonb(k)::text as text from keys k where id = ${key.id}`;
    expect(row!['text']).not.toContain(key.key.slice(7));
    expect((await get('/keys')).text).not.toMatch(/[0-9a-f]{64}/);
  });

  test('work at the gateway, and no more when disabled, expired or revoked', async () => {
    const { json: key } = await post('/keys', { name: unique('live'), default_route: 'demo' });
    const works = async () => {
      const [row] = await api.tenancy.db.unscoped((queries) => queries.execute(`select 1 as yes from ohm_key_config('${hash(key.key)}')`));
      return row !== undefined;
    };
    expect(await works()).toBe(true);
    expect((await patch(`/keys/${key.id}`, 1, { disabled: true })).json).toMatchObject({ state: 'disabled', disabled: true });
    expect(await works()).toBe(false);
    await patch(`/keys/${key.id}`, 2, { disabled: false });
    expect(await works()).toBe(true);
    expect((await api.call('DELETE', `/keys/${key.id}`, { token })).status).toBe(204);
    expect(await works()).toBe(false);
    expect((await get(`/keys/${key.id}`)).status).toBe(404);
    expect((await api.call('POST', `/keys/${key.id}/rotate`, { token })).status).toBe(404);
    expect((await post('/keys', { name: key.name })).status).toBe(201);
  });

  test('are rotated: both tokens within the overlap, the old one ends with it or at once', async () => {
    const { json: key } = await post('/keys', { name: unique('turn') });
    const works = async (secret: string) =>
      (await api.tenancy.db.unscoped((queries) => queries.execute(`select 1 as yes from ohm_key_config('${hash(secret)}')`))).length > 0;
    const turned = await api.call('POST', `/keys/${key.id}/rotate`, { token, body: { overlap_s: 3600 } });
    expect([turned.status, turned.headers.get('location')]).toEqual([201, null]); // nothing new has an address
    expect(turned.json).toMatchObject({ id: key.id, name: key.name, revision: 2 });
    expect(turned.json.key).not.toBe(key.key);
    expect(Date.parse(turned.json.previous_token_valid_until) - Date.now()).toBeGreaterThan(3_500_000);
    expect([await works(key.key), await works(turned.json.key)]).toEqual([true, true]);
    const again = await api.call('POST', `/keys/${key.id}/rotate`, { token });
    expect(again.json.previous_token_valid_until).toBeNull();
    expect([await works(key.key), await works(turned.json.key), await works(again.json.key)]).toEqual([false, false, true]);
    expect(fields(await api.call('POST', `/keys/${key.id}/rotate`, { token, body: { overlap_s: 2_592_001 } }))).toEqual(['overlap_s']);
  });

  test('with strict_route need something to walk', async () => {
    expect(fields(await post('/keys', { name: unique('s'), strict_route: true }))).toEqual(['strict_route']);
    const { json } = await post('/keys', { name: unique('s'), strict_route: true, tiers: [{ connection: 'sandbox', model: 'echo' }] });
    expect(json.tiers).toHaveLength(1);
    expect(fields(await patch(`/keys/${json.id}`, 1, { tiers: null }))).toEqual(['strict_route']);
  });

  test('do not expire in the past', async () => {
    expect(fields(await post('/keys', { name: unique('x'), expires_at: '2020-01-01T00:00:00Z' }))).toEqual(['expires_at']);
    expect(fields(await post('/keys', { name: unique('x'), expires_at: 'tomorrow' }))).toEqual(['expires_at']);
  });

  test('are listed page by page in every order, each once, searched and by state', async () => {
    const other = await api.workspace('lister');
    const make = (body: unknown) => api.call('POST', '/keys', { token: other.tokens.owner, body });
    const names = ['b', 'a', 'c_1', 'cx1', 'e', 'd', 'F'];
    for (const name of names) await make({ name, ...(name < 'c' ? { expires_at: `20${40 + names.indexOf(name)}-01-01T00:00:00Z` } : {}) });
    await api.owner`update keys set last_used_at = now() where workspace_id = ${other.id} and name in ('a', 'e')`;
    const all = async (query: string) => {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const { json } = await api.call('GET', `/keys?limit=2&${query}${cursor && `&cursor=${cursor}`}`, { token: other.tokens.owner });
        expect(json.total).toBe(json.total_is_capped ? 10_000 : json.total);
        seen.push(...json.data.map((key: { name: string }) => key.name));
        if (json.next_cursor === null) return seen;
        cursor = json.next_cursor;
      }
    };
    expect(await all('')).toEqual([...names].reverse());
    expect(await all('sort=name')).toEqual(['F', 'a', 'b', 'c_1', 'cx1', 'd', 'e']);
    expect((await all('sort=last_used')).slice(0, 2).sort()).toEqual(['a', 'e']);
    expect((await all('sort=expires')).slice(0, 3)).toEqual(['b', 'a', 'F']);
    expect((await all('sort=expires')).sort()).toEqual([...names].sort());
    expect(await all('q=c_')).toEqual(['c_1']);
    expect(await all('q=%25')).toEqual([]);
    const { json } = await api.call('GET', '/keys?q=b', { token: other.tokens.owner });
    await api.call('PATCH', `/keys/${json.data[0].id}`, { token: other.tokens.owner, ifMatch: 1, body: { disabled: true } });
    expect(await all('state=disabled')).toEqual(['b']);
    expect(await all('state=expired')).toEqual([]);
    expect(await all('state=active')).not.toContain('b');
  });

  test.each(['x', 'WyJuYW1lIiwiYSIsImIiXQ', Buffer.from('["created","x","y"]').toString('base64url'), Buffer.from('["created","2020-01-01 00:00:00+00","\\u0000"]').toString('base64url')])(
    'lists refuse a cursor that is not theirs: %s',
    async (cursor) => {
      const answer = await get(`/keys?cursor=${cursor}`);
      expect([answer.status, fields(answer)]).toEqual([422, ['cursor']]);
    },
  );
});

describe('limits', () => {
  test('are kept as they were given, shown, edited, and taken off', async () => {
    const made = await post('/keys', { name: unique('n'), limits: { requests_per_minute: 60, monthly_cost_usd: 20.5, on_budget: 'warn' } });
    expect([made.status, made.json.limits]).toEqual([201, { requests_per_minute: 60, monthly_cost_usd: 20.5, on_budget: 'warn' }]);
    const edited = await api.call('PATCH', `/keys/${made.json.id}`, { token, ifMatch: 1, body: { limits: { concurrent_calls: 3 } } });
    expect(edited.json.limits).toEqual({ concurrent_calls: 3 });
    const kept = await api.call('PATCH', `/keys/${made.json.id}`, { token, ifMatch: 2, body: { name: unique('n') } });
    expect(kept.json.limits).toEqual({ concurrent_calls: 3 });
    const off = await api.call('PATCH', `/keys/${made.json.id}`, { token, ifMatch: 3, body: { limits: null } });
    expect(off.json.limits).toEqual({});
  });

  test('null says that there is no limit, as leaving it out does', async () => {
    const made = await post('/keys', { name: unique('n'), limits: { requests_per_minute: 60, monthly_cost_usd: null, on_budget: null } });
    expect([made.status, made.json.limits]).toEqual([201, { requests_per_minute: 60 }]);
    const edited = await api.call('PATCH', `/keys/${made.json.id}`, { token, ifMatch: 1, body: { limits: { requests_per_minute: null } } });
    expect([edited.status, edited.json.limits]).toEqual([200, {}]);
  });

  test.each([
    [{ requests_per_minute: 0 }, 'limits.requests_per_minute'],
    [{ requests_per_minute: 1.5 }, 'limits.requests_per_minute'],
    [{ monthly_cost_usd: -1 }, 'limits.monthly_cost_usd'],
    [{ monthly_cost_usd: '20' }, 'limits.monthly_cost_usd'],
    [{ on_budget: 'soft' }, 'limits.on_budget'],
    [{ requests_per_hour: 1 }, 'limits.requests_per_hour'],
  ])('%j is refused by name', async (limits, field) => {
    const answer = await post('/keys', { name: unique('n'), limits });
    expect([answer.status, fields(answer)]).toEqual([422, [field]]);
  });

  test('say what is left of each budget, the key’s own and the workspace’s', async () => {
    const made = await post('/keys', { name: unique('n'), limits: { daily_cost_usd: 1, monthly_cost_usd: 20 } });
    const { json } = await get(`/keys/${made.json.id}/budgets`);
    expect(json.data.map(({ scope, period, limit_nano_usd, left_nano_usd }: Record<string, unknown>) => [scope, period, limit_nano_usd, left_nano_usd])).toEqual([
      ['key', 'day', 1e9, 1e9],
      ['key', 'month', 20e9, 20e9],
    ]);
  });
});

describe('savers', () => {
  test('are kept in the order in which they work, with a hold-out of 5 % unless said otherwise, and taken off', async () => {
    const made = await post('/keys', { name: unique('n'), savers: ['blank-lines', 'json-compact'] });
    expect([made.status, made.json.savers, made.json.holdout]).toEqual([201, ['json-compact', 'blank-lines'], { percent: 5 }]);
    const edit = async (ifMatch: number, body: object) => {
      const { savers, holdout } = (await api.call('PATCH', `/keys/${made.json.id}`, { token, ifMatch, body })).json;
      return { savers, holdout };
    };
    expect(await edit(1, { holdout: { percent: 20 } })).toEqual({ savers: ['json-compact', 'blank-lines'], holdout: { percent: 20 } });
    expect(await edit(2, { savers: ['head-tail'] })).toEqual({ savers: ['head-tail'], holdout: { percent: 20 } });
    expect((await api.call('GET', `/keys/${made.json.id}`, { token })).json.keep_texts).toBeNull();
    expect(await edit(3, { savers: null, holdout: null })).toEqual({ savers: [], holdout: { percent: 0 } });
    expect((await api.call('GET', `/keys/${made.json.id}`, { token })).json).toMatchObject({ savers: [], holdout: { percent: 0 } });
  });

  test.each([
    [{ savers: ['whitespace'] }, 'savers.0'],
    [{ savers: ['head-tail', 'head-tail'] }, 'savers'],
    [{ savers: 'head-tail' }, 'savers'],
    [{ holdout: { percent: 51 } }, 'holdout.percent'],
    [{ holdout: { percent: 2.5 } }, 'holdout.percent'],
    [{ keep_texts: { days: 31 } }, 'keep_texts.days'],
    [{ keep_texts: { days: 7, all: true } }, 'keep_texts.all'],
    [{ holdout: { percent: 5, share: 5 } }, 'holdout.share'],
  ])('%j is refused by name', async (change, field) => {
    const answer = await post('/keys', { name: unique('n'), ...change });
    expect([answer.status, answer.json.code, fields(answer)]).toEqual([422, 'invalid', [field]]);
  });
});

describe('savings', () => {
  test('of a workspace without any are null, and not measured', async () => {
    const { status, json } = await api.call('GET', '/savings', { token });
    expect(status).toBe(200);
    expect(json).toMatchObject({ data: [], left_out: 0, total: { calls: 0, tokens_saved: null, comparison: { status: 'not_measured', tokens: null, money: null }, savers: [] } });
  });

  test('are refused for a key that is not there, a window that is none, and a word too many', async () => {
    expect(fields(await api.call('GET', '/savings?key=nobody', { token }))).toEqual(['key']);
    expect(fields(await api.call('GET', '/savings?from=2030-01-02T00:00:00Z&to=2030-01-01T00:00:00Z', { token }))).toEqual(['to']);
    expect(fields(await api.call('GET', '/savings?saver=head-tail', { token }))).toEqual(['saver']);
  });
});

describe('what does not exist yet', () => {
  test.each([
    ['/connections', { wire: 'bedrock', base_url: 'https://a.example/v1' }, 'wire'],
  ])('%s %j is 422 not_available_yet', async (path, change, field) => {
    const answer = await post(path, { name: unique('n'), ...change });
    expect([answer.status, answer.json.code, fields(answer)]).toEqual([422, 'not_available_yet', [field]]);
  });

  test('is accepted at its neutral value', async () => {
    const answer = await post('/keys', { name: unique('n'), replay: { enabled: false }, savers: [], limits: {}, tiers: [] });
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({ replay: { enabled: false, ttl_s: 3600, scope: 'key' }, savers: [], limits: {}, tiers: null });
    expect((await post('/keys', { name: unique('n'), replay: null, savers: null, limits: null, tiers: null })).status).toBe(201);
    expect((await post('/routes', { name: unique('n'), tiers: [{ connection: 'sandbox', model: 'echo', eco: null }] })).status).toBe(201);
  });

  test('is said in whole sentences', async () => {
    expect((await httpConnection({ wire: 'bedrock' })).json.errors[0].message).toMatch(/^wire "bedrock" is not available yet/i);
  });

  test('does not hide what is wrong besides: an unknown wire is wrong, not planned', async () => {
    expect((await httpConnection({ wire: 'morse' })).json.code).toBe('invalid');
  });
});

describe('the workspace', () => {
  test('has a fallback model, which keys meet at once and the log tells of', async () => {
    const other = await api.workspace('fallback');
    const change = (body: unknown, ifMatch: number) => api.call('PATCH', '/workspace', { token: other.tokens.admin, body, ifMatch });
    const before = (await api.call('GET', '/workspace', { token: other.tokens.viewer })).json;
    expect(before).toEqual({ id: other.id, slug: other.slug, name: 'fallback', limits: {}, fallback_model: null, revision: 1 });
    expect((await api.call('PATCH', '/workspace', { token: other.tokens.admin, body: {} })).status).toBe(428);
    const set = await change({ fallback_model: 'demo' }, 1);
    expect([set.status, set.headers.get('etag'), set.json]).toEqual([200, '"2"', { ...before, fallback_model: 'demo', revision: 2 }]);
    expect((await change({ fallback_model: null }, 1)).status).toBe(409);
    for (const wrong of ['', 'x'.repeat(257), 'a\nb', ' x', 3]) expect(new Set(fields(await change({ fallback_model: wrong }, 2)))).toEqual(new Set(['fallback_model']));
    for (const nothing of ['zzz', 'nowhere/gpt-x', 'sandbox/', 'gpt-5-mini']) {
      const refused = await change({ fallback_model: nothing }, 2);
      expect([nothing, refused.status, fields(refused)]).toEqual([nothing, 422, ['fallback_model']]);
    }
    const { json: key } = await api.call('POST', '/keys', { token: other.tokens.owner, body: { name: 'k', default_route: 'demo' } });
    const found = async () => (await api.tenancy.directory.find(key.key))?.workspace.fallbackModel;
    expect(await found()).toBe('demo');
    expect((await change({ fallback_model: null }, 2)).json.fallback_model).toBe(null);
    for (const wrong of ['', '  ', 'x'.repeat(61), 'a\nb', null, 3]) expect(new Set(fields(await change({ name: wrong }, 3)))).toEqual(new Set(['name']));
    expect((await change({ name: ' Söns & Co ' }, 3)).json).toEqual({ ...before, name: 'Söns & Co', revision: 4 });
    await expect.poll(found).toBe(null);
    const { json } = await api.call('GET', '/audit', { token: other.tokens.admin });
    expect(json.data.filter((entry: { action: string }) => entry.action === 'workspace.updated')).toHaveLength(3);
    let revision = 4;
    for (const name of ['auto', 'eco', 'sandbox/text:3', 'demo']) expect([name, (await change({ fallback_model: name }, revision++)).status]).toEqual([name, 200]);
    await api.call('POST', '/connections', { token: other.tokens.owner, body: { name: 'paid', provider: 'openai', api_key: 'sk-x' } });
    expect((await change({ fallback_model: 'gpt-5-mini' }, revision++)).status).toBe(200);
  });
});

describe('management keys', () => {
  test('give at most the role of their maker, and revoke at once', async () => {
    const refused = await post('/management-keys', { name: unique('mk'), role: 'owner' });
    expect([refused.status, fields(refused)]).toEqual([403, ['role']]);
    const { json: made } = await post('/management-keys', { name: unique('mk'), role: 'admin' });
    expect(made.key).toMatch(/^ohm_mk_[0-9A-Za-z]{38}$/);
    const me = await api.call('GET', '/me', { token: made.key });
    expect(me.json).toEqual({ kind: 'management_key', id: made.id, role: 'admin', workspace: { id: ws.id, slug: ws.slug, name: 'acme' } });
    expect((await get('/management-keys')).json.data.find((entry: any) => entry.id === made.id).last_used_at).not.toBeNull();
    expect((await api.call('DELETE', `/management-keys/${made.id}`, { token: made.key })).status).toBe(204);
    expect((await api.call('GET', '/me', { token: made.key })).status).toBe(401);
  });
});

describe('calls', () => {
  test('are read as the ledger has them, listed newest first and filtered', async () => {
    const other = await api.workspace('caller');
    const read = (path: string) => api.call('GET', path, { token: other.tokens.viewer });
    const rows = ['finished', 'truncated', 'finished'].map((state, i) =>
      callRowFor(other.id, 'key_1', { state: state as 'finished', created_at: new Date(Date.now() - 1000 * (3 - i)).toISOString(), ...(state === 'truncated' ? { alert_class: 'rate_limited.after_content' } : {}) }),
    );
    for (const row of rows) await api.ledger.settle(row);
    const one = await read(`/calls/${rows[1]!.id}`);
    expect(one.json).toMatchObject({ id: rows[1]!.id, state: 'truncated', tier: 2, flushed_bytes: 5312, usage: { prompt_tokens: 69, source: 'provider' }, tokens_before: null, savers: [] });
    expect(one.json.attempts[0]).toMatchObject({ tier: 1, state: 'failed', class: 'server_error', upstream_status: 503, bytes: 0, duration_ms: 103 });
    expect((await read('/calls')).json.data.map((call: any) => call.id)).toEqual(rows.map((row) => row.id).reverse());
    expect((await read('/calls?state=truncated')).json.data).toHaveLength(1);
    expect((await read('/calls?class=rate_limited.after_content')).json.data).toHaveLength(1);
    const first = await read('/calls?limit=2');
    const second = await read(`/calls?limit=2&cursor=${first.json.next_cursor}`);
    expect([...first.json.data, ...second.json.data].map((call: any) => call.id)).toEqual(rows.map((row) => row.id).reverse());
    expect(second.json.next_cursor).toBeNull();
    expect(fields(await read('/calls?key=nobody'))).toEqual(['key']);
    const { json: key } = await api.call('POST', '/keys', { token: other.tokens.owner, body: { name: 'by name' } });
    const named = callRowFor(other.id, key.id);
    await api.ledger.settle(named);
    for (const reference of [key.id, 'by%20name']) expect((await read(`/calls?key=${reference}`)).json.data.map((call: any) => call.id)).toEqual([named.id]);
    await api.call('DELETE', `/keys/${key.id}`, { token: other.tokens.owner });
    expect((await read('/calls?key=by%20name')).json.data).toHaveLength(1);
    expect(fields(await read('/calls?cursor=junk'))).toEqual(['cursor']);
    expect(fields(await read('/calls?state=happy'))).toEqual(['state']);
    expect(fields(await read('/calls?colour=red'))).toEqual(['colour']);
  });
});

test('every change is in the log, with its actor and without a secret, and the chain holds', async () => {
  const { json } = await get('/audit?limit=100');
  const actions = new Set(json.data.map((entry: { action: string }) => entry.action));
  for (const action of ['connection.created', 'connection.updated', 'connection.deleted', 'route.created', 'route.updated', 'route.restored', 'key.created', 'key.rotated', 'key.revoked', 'key.disabled']) {
    expect([...actions, ...(await rest(json.next_cursor))]).toContain(action);
  }
  const [log] = await api.owner`select coalesce(string_agg(to_jsonb(a)::text, ''), '') as text from audit_log a`;
  expect(log!['text']).not.toContain('canary');
  expect(log!['text']).not.toMatch(/ohm_[sm]k_[0-9A-Za-z]{38}/);
  expect(await withWorkspace(api.tenancy.db, ws.id, (tx) => verifyAuditChain(tx, ws.id))).toMatchObject({ firstBadSeq: null });

  async function rest(cursor: string | null): Promise<string[]> {
    const all: string[] = [];
    while (cursor !== null) {
      const page: any = (await get(`/audit?limit=100&cursor=${cursor}`)).json;
      all.push(...page.data.map((entry: { action: string }) => entry.action));
      cursor = page.next_cursor;
    }
    return all;
  }
});

test('no answer of this file logged an internal error, and none held a stored secret', async () => {
  expect(api.logged).toEqual([]);
  for (const path of ['/connections?limit=100', '/routes?limit=100', '/keys?limit=100', '/management-keys?limit=100', '/audit?limit=100', '/members']) {
    const { text } = await get(path);
    expect(text).not.toMatch(/canary|argon2|ohm1\.|ohm_[sm]k_[0-9A-Za-z]{38}/);
  }
});

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
