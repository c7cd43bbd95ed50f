import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, TierConfig } from '../gateway/ports';
import type { EcoRow } from '../metering';
import { callRowFor, createTestApi, type Answer, type TestApi, type TestWorkspace } from './test-api';

let api: TestApi;
let ws: TestWorkspace;
let token: string;
let n = 0;

beforeAll(async () => {
  api = await createTestApi();
  ws = await api.workspace('acme');
  token = ws.tokens.admin;
  for (const name of ['main', 'other']) await post('/connections', { name, base_url: 'https://llm.example.com/v1', api_key: 'sk-x' });
});

const post = (path: string, body: unknown) => api.call('POST', path, { token, body });
const get = async (path: string) => (await api.call('GET', path, { token })).json;
const fields = (answer: Answer) => answer.json.errors.map((error: { field: string }) => error.field);
const route = (tiers: unknown[]) => post('/routes', { name: `r${++n}`, tiers });
const ECO = [{ connection: 'main', model: 'a' }, { connection: 'other', model: 'a' }, { connection: 'main', model: 'b' }];
const CLOCKS = { first_content_timeout_ms: null, idle_timeout_ms: null, response_timeout_ms: null };
const shown = ({ connection, model, firstContentTimeoutMs, eco }: TierConfig): unknown => [connection.name, model, firstContentTimeoutMs, eco?.map(shown) ?? null];

describe('an eco tier', () => {
  test('is kept as it was sent, between other tiers, and edited like them', async () => {
    const { status, json } = await route([{ connection: 'sandbox', model: 'text:1' }, { eco: ECO, first_content_timeout_ms: 5_000 }, { connection: 'sandbox', model: 'text:2', eco: [] }]);
    expect(status).toBe(201);
    const tiers = [{ connection: 'sandbox', model: 'text:1', ...CLOCKS }, { eco: ECO, ...CLOCKS, first_content_timeout_ms: 5_000 }, { connection: 'sandbox', model: 'text:2', ...CLOCKS }];
    expect(json.tiers).toEqual(tiers);
    expect((await get(`/routes/${json.id}`)).tiers).toEqual(tiers);
    const edited = await api.call('PATCH', `/routes/${json.id}`, { token, ifMatch: 1, body: { tiers: [{ eco: ECO.slice(1) }] } });
    expect(edited.json.tiers).toEqual([{ eco: ECO.slice(1), ...CLOCKS }]);
    const restored = await api.call('POST', `/routes/${json.id}/restore`, { token, ifMatch: 2, body: { revision: 1 } });
    expect(restored.json.tiers).toEqual(tiers);
    expect((await get(`/routes/${json.id}/versions`)).data.map((version: { tiers: unknown[] }) => version.tiers.length)).toEqual([3, 1, 3]);
  });

  test('keeps its connections by id: a renamed one is shown by its new name, also in old versions', async () => {
    const { json: short } = await post('/connections', { name: 'short', base_url: 'https://llm.example.com/v1' });
    const { json } = await route([{ eco: [{ connection: 'main', model: 'z' }, { connection: short.id, model: 'z' }] }]);
    await api.call('PATCH', `/connections/${short.id}`, { token, ifMatch: 1, body: { name: 'long' } });
    expect((await get(`/routes/${json.id}/versions`)).data[0].tiers[0].eco.map((each: { connection: string }) => each.connection)).toEqual(['main', 'long']);
    const refused = await api.call('DELETE', `/connections/${short.id}`, { token });
    expect(refused.status).toBe(409);
    expect((await get(`/connections/${short.id}`)).used_by_routes).toEqual([json.name]);
  });

  test('reaches the hot path with its candidates as tiers, on routes and on keys', async () => {
    const { json: made } = await route([{ eco: ECO, first_content_timeout_ms: 5_000 }, { connection: 'sandbox', model: 'text:1' }]);
    const { json: key } = await post('/keys', { name: 'hot', default_route: made.name, tiers: [{ connection: 'sandbox', model: 'text:1' }, { eco: ECO.slice(0, 2) }] });
    expect(key.tiers[1]).toEqual({ eco: ECO.slice(0, 2), ...CLOCKS });
    const caller = (await api.tenancy.directory.find(key.key)) as Caller;
    const candidates = [['main', 'a', 5_000, null], ['other', 'a', 5_000, null], ['main', 'b', 5_000, null]];
    expect(caller.workspace.routes.get(made.name)!.tiers.map(shown)).toEqual([['main', 'a', 5_000, candidates], ['sandbox', 'text:1', null, null]]);
    expect(caller.key.tiers!.map(shown)).toEqual([['sandbox', 'text:1', null, null], ['main', 'a', null, [['main', 'a', null, null], ['other', 'a', null, null]]]]);
  });

  test.each<[unknown[], string[]]>([
    [[{ eco: [{ connection: 'nobody', model: 'a' }] }], ['tiers.0.eco.0.connection']],
    [[{ eco: [...ECO, ECO[0]] }], ['tiers.0.eco.3']],
    [[{ eco: ECO }, ECO[1]], ['tiers.1']],
    [[{ eco: ECO, connection: 'main' }], ['tiers.0.connection']],
    [[{ eco: ECO, model: 'm' }], ['tiers.0.model']],
    [[{ eco: [] }], ['tiers.0.connection', 'tiers.0.model']],
    [[{ eco: [{ connection: 'main' }] }], ['tiers.0.eco.0.model']],
    [[{ eco: [{ ...ECO[0], weight: 1 }] }], ['tiers.0.eco.0.weight']],
    [[{ eco: true }], ['tiers.0.eco']],
    [[{ eco: Array.from({ length: 33 }, (_, at) => ({ connection: 'main', model: `m${at}` })) }], ['tiers.0.eco']],
  ])('%j is refused by name', async (tiers, wrong) => {
    const answer = await route(tiers);
    expect([answer.status, fields(answer)]).toEqual([422, wrong]);
  });

  test('tells its choice on the row of the call, with the prices compared', async () => {
    const eco: EcoRow[] = [
      {
        tier: 1, prompt_tokens: 12, completion_tokens: 1_024, completion_source: 'default', not_listed: 0, chosen: { connection: 'main', model: 'b' },
        candidates: [
          { connection: 'main', model: 'b', cost_nano_usd: 7, price_version: 'workspace:price_1', left_out: null },
          { connection: 'other', model: 'a', cost_nano_usd: null, price_version: null, left_out: 'unpriced' },
        ],
      },
    ];
    const [chosen, plain] = [callRowFor(ws.id, 'key_x', { eco }), callRowFor(ws.id, 'key_x')];
    for (const row of [chosen, plain]) await api.ledger.settle(row);
    expect((await get(`/calls/${chosen.id}`)).eco).toEqual(eco);
    expect((await get(`/calls/${plain.id}`)).eco).toBeNull();
  });
});
