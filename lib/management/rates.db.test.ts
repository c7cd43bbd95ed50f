import { beforeAll, expect, test } from 'vitest';
import { createTestApi, type TestApi, type TestWorkspace } from './test-api';

let api: TestApi;
let ws: TestWorkspace;
beforeAll(async () => {
  api = await createTestApi();
  ws = await api.workspace('acme');
});

test('what is left of a key’s rates is told with the workspace’s, and asking takes nothing', async () => {
  const token = ws.tokens.owner;
  const { json: key } = await api.call('POST', '/keys', { token, body: { name: 'ci', limits: { requests_per_minute: 60, concurrent_calls: 2, daily_cost_usd: 5 } } });
  await api.call('PATCH', '/workspace', { token, ifMatch: 1, body: { limits: { tokens_per_minute: 1_000, monthly_cost_usd: 20, on_budget: 'warn' } } });
  const bucket = { kind: 'requests', key: `requests:${key.id}`, limit: 60, windowMs: 60_000, units: 1 } as const;
  await api.counters.admit({ buckets: [bucket], places: [{ key: `open:${key.id}`, limit: 2 }], member: 1 });
  for (let times = 0; times < 2; times++) {
    expect((await api.call('GET', `/keys/${key.id}/rates`, { token })).json.data).toEqual([
      { scope: 'key', kind: 'requests_per_minute', limit: 60, left: 59, whole_at: expect.any(String) },
      { scope: 'key', kind: 'concurrent_calls', limit: 2, left: 1, whole_at: null },
      { scope: 'workspace', kind: 'tokens_per_minute', limit: 1_000, left: 1_000, whole_at: expect.any(String) },
    ]);
  }
  expect((await api.call('GET', '/workspace/rates', { token })).json.data).toHaveLength(1);
  expect((await api.call('GET', `/keys/${key.id}/budgets`, { token })).json.data.map((each: any) => [each.scope, each.period, each.limit_nano_usd, each.on_budget])).toEqual([['key', 'day', 5e9, 'hard'], ['workspace', 'month', 20e9, 'warn']]);
  expect((await api.call('GET', '/workspace/budgets', { token })).json.data).toEqual([expect.objectContaining({ scope: 'workspace', period: 'month', left_nano_usd: 20e9 })]);
});

test('a key without limits in a workspace without any has neither', async () => {
  const other = await api.workspace('plain');
  const { json: key } = await api.call('POST', '/keys', { token: other.tokens.owner, body: { name: 'ci' } });
  for (const path of [`/keys/${key.id}/rates`, `/keys/${key.id}/budgets`, '/workspace/rates', '/workspace/budgets']) {
    expect((await api.call('GET', path, { token: other.tokens.viewer })).json.data).toEqual([]);
  }
});
