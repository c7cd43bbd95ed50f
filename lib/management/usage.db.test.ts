import { beforeAll, expect, test } from 'vitest';
import { callRowFor, createTestApi, type TestApi, type TestWorkspace } from './test-api';

let api: TestApi;
let mine: TestWorkspace;
let key: string;
let connection: string;

beforeAll(async () => {
  api = await createTestApi();
  mine = await api.workspace('usage');
  key = (await api.call('POST', '/keys', { token: mine.tokens.owner, body: { name: 'ci' } })).json.id;
  connection = (await api.call('POST', '/connections', { token: mine.tokens.owner, body: { name: 'main', base_url: 'https://llm.example.com/v1', api_key: null } })).json.id;
  const call = (created_at: string, change: Parameters<typeof callRowFor>[2] = {}) => callRowFor(mine.id, key, { created_at, connection_id: connection, model: 'm', provider: 'custom', cost_nano_usd: 1_000, ...change });
  const rows = [
    call('2026-03-28T22:59:59.999Z'),
    call('2026-03-28T23:00:00.000Z', { tag: 'nightly' }), // midnight in Berlin, on the eve of summer time
    call('2026-03-29T21:59:59.999Z', { usage_source: 'estimate', usage_estimated: ['completion_tokens'], cost_nano_usd: null }),
    call('2026-03-29T22:00:00.000Z', { state: 'rejected', tier: null, connection_id: null, model: null, provider: null, route: null, usage: null, usage_source: null, cost_nano_usd: null }),
    callRowFor((await api.workspace('others')).id, key, { created_at: '2026-03-29T00:00:00.000Z' }),
  ];
  for (const row of rows) await api.ledger.settle(row);
});

const usage = (query: string, token = mine.tokens.viewer) => api.call('GET', `/usage?from=2026-03-28T00:00:00Z&to=2026-03-31T00:00:00Z&${query}`, { token });

test('days are those of the zone, which is told, and one of them has 23 hours', async () => {
  const { status, json } = await usage('zone=Europe/Berlin&group_by=day');
  expect(status).toBe(200);
  expect([json.zone, json.group_by]).toEqual(['Europe/Berlin', ['day']]);
  expect(json.data.map((row: { day: string; start: string; end: string; calls: number }) => [row.day, row.start, row.end, row.calls])).toEqual([
    ['2026-03-28', '2026-03-28T00:00:00.000Z', '2026-03-28T23:00:00.000Z', 1],
    ['2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z', 2],
    ['2026-03-30', '2026-03-29T22:00:00.000Z', '2026-03-30T22:00:00.000Z', 1],
  ]);
  const utc = await usage('group_by=day');
  expect([utc.json.zone, utc.json.data.map((row: { calls: number }) => row.calls)]).toEqual(['UTC', [2, 2]]);
});

test('shares of estimates and of unpriced calls stand beside the sums, and what nobody told is null', async () => {
  const { json } = await usage('group_by=model');
  expect(json.data).toHaveLength(2);
  expect(json.data[0]).toMatchObject({
    group: { value: 'm', name: 'm', provider: 'custom', groups: 1 }, calls: 3, cost_nano_usd: 2_000, priced_calls: 2, unpriced_calls: 1, unpriced_share: 1 / 3, estimated_share: 1 / 3,
    tokens: { prompt: 207, cached: null, cache_write: null, completion: 60, reasoning: null },
  });
  expect(json.data[1]).toMatchObject({ group: { value: null, name: null }, calls: 1, cost_nano_usd: null, estimated_share: null, unpriced_share: null, tokens: { prompt: null, completion: null } });
  expect(json.total).toMatchObject({ calls: 4, by_state: { finished: 3, rejected: 1 }, cost_nano_usd: 2_000 });
});

test.each([
  ['key', 'ci'],
  ['connection', 'main'],
])('groups by %s tell its id and its present name', async (group, name) => {
  const { json } = await usage(`group_by=${group},day`);
  expect(json.data[0].group).toEqual({ value: group === 'key' ? key : connection, name, provider: null, groups: 1 });
});

test('filters take names and ids, and tags stand alone', async () => {
  for (const query of ['key=ci', `key=${key}`, 'connection=main&model=m', `connection=${connection}`]) expect([query, (await usage(query)).json.total.calls]).toEqual([query, query.startsWith('key') ? 4 : 3]);
  expect((await usage('tag=nightly')).json.total.calls).toBe(1);
  expect((await usage('group_by=tag')).json.data.map((row: { group: { value: string | null }; calls: number }) => [row.group.value, row.calls])).toEqual([[null, 3], ['nightly', 1]]);
});

test('the calls list takes the same filters and shows as many', async () => {
  for (const [query, n] of [['model=m', 3], ['connection=main', 3], ['tag=nightly', 1], ['key=ci', 4]] as const) {
    const { json } = await api.call('GET', `/calls?from=2026-03-28T00:00:00Z&to=2026-03-31T00:00:00Z&${query}`, { token: mine.tokens.viewer });
    expect([query, json.data.length]).toEqual([query, n]);
  }
});

test.each([
  ['zone=Mars/Base', 'zone', /time zone/],
  ['zone=%2B02:00', 'zone', /time zone/],
  ['group_by=colour', 'group_by', /must name key, model/],
  ['group_by=key,model', 'group_by', /may name one of/],
  ['group_by=day,hour', 'group_by', /may name one of/],
  ['group_by=day,day', 'group_by', /each once/],
  ['tag=nightly&key=ci', 'key', /cannot be combined/],
  ['tag=nightly&group_by=route', 'tag', /cannot be combined/],
  ['key=nobody', 'key', /no key/],
  ['connection=nobody', 'connection', /no connection/],
  ['grouped=key', 'grouped', /not a member/],
  ['from=yesterday', 'from', /given twice/],
])('%s is 422 and names %s', async (query, field, message) => {
  const { status, json } = await usage(query);
  expect([status, json.code, json.errors[0].field]).toEqual([422, 'invalid', field]);
  expect(json.errors[0].message).toMatch(message);
});

test.each([
  ['from=2026-03-31T00:00:00Z&to=2026-03-31T00:00:00Z', 'to'],
  ['from=2020-01-01T00:00:00Z&to=2026-03-31T00:00:00Z&group_by=hour', 'from'],
])('a window of %s is refused by name', async (query, field) => {
  const { status, json } = await api.call('GET', `/usage?${query}`, { token: mine.tokens.viewer });
  expect([status, json.errors[0].field]).toEqual([422, field]);
});

test('without a window it is the last 30 days of the zone, to now', async () => {
  const { json } = await api.call('GET', '/usage?zone=Asia/Kolkata', { token: mine.tokens.viewer });
  expect(json.from).toMatch(/T18:30:00.000Z$/);
  expect(Math.abs(Date.parse(json.to) - Date.now())).toBeLessThan(60_000);
});
