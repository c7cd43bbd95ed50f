import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../gateway/ports';
import { createTestApi, type Answer, type TestApi, type TestWorkspace } from './test-api';

let api: TestApi;
let ws: TestWorkspace;
let token: string;
const RATES = { input_nano_usd_per_million_tokens: 150_000_000, output_nano_usd_per_million_tokens: 600_000_000 };

beforeAll(async () => {
  api = await createTestApi();
  ws = await api.workspace('acme');
  token = ws.tokens.admin;
  await api.call('POST', '/connections', { token, body: { name: 'main', base_url: 'https://llm.example.com/v1', api_key: 'sk-x' } });
});

const put = (body: object) => api.call('PUT', '/prices', { token, body: { connection: 'main', model: 'm', ...RATES, ...body } });
const list = async (query = '') => (await api.call('GET', `/prices${query}`, { token })).json;
const fields = (answer: Answer) => answer.json.errors.map((error: { field: string }) => error.field);

describe('a price', () => {
  test('is stated for a connection and a model from a moment on, and one of the same moment replaced', async () => {
    const first = await put({ effective_from: '2026-01-01T01:00:00+01:00' });
    expect([first.status, first.json]).toEqual([200, expect.objectContaining({ connection: 'main', model: 'm', effective_from: '2026-01-01T00:00:00.000Z', ...RATES, cached_input_nano_usd_per_million_tokens: null })]);
    const again = await put({ effective_from: '2026-01-01T00:00:00Z', cached_input_nano_usd_per_million_tokens: 75_000_000 });
    expect(again.json).toMatchObject({ id: first.json.id, cached_input_nano_usd_per_million_tokens: 75_000_000 });
    await put({ effective_from: '2999-01-01T00:00:00Z' });
    await put({ model: 'other' });
    expect((await list()).total).toBe(3);
    expect((await list('?model=m&connection=main')).data.map((price: { effective_from: string }) => price.effective_from)).toEqual(['2026-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z']);
    expect((await list('?connection=sandbox')).data).toEqual([]);
  });

  test('holds from now where no moment is said', async () => {
    const before = Date.now();
    const { json } = await put({ model: 'now' });
    expect(Date.parse(json.effective_from)).toBeGreaterThanOrEqual(before);
  });

  test.each([
    [{ connection: 'nobody' }, 'connection'],
    [{ input_nano_usd_per_million_tokens: -1_000 }, 'input_nano_usd_per_million_tokens'],
    [{ output_nano_usd_per_million_tokens: 0.5 }, 'output_nano_usd_per_million_tokens'],
    [{ output_nano_usd_per_million_tokens: 1_001 }, 'output_nano_usd_per_million_tokens'],
    [{ cache_write_nano_usd_per_million_tokens: 2e15 }, 'cache_write_nano_usd_per_million_tokens'],
    [{ effective_from: 'tomorrow' }, 'effective_from'],
    [{ reasoning: 1 }, 'reasoning'],
  ])('%j is refused by name', async (change, field) => {
    const answer = await put(change);
    expect([answer.status, fields(answer)]).toEqual([422, [field]]);
  });

  test('reaches the hot path with its connection, the newest first, and leaves it when it is taken back', async () => {
    const { json: key } = await api.call('POST', '/keys', { token, body: { name: 'hot' } });
    const { json: late } = await put({ model: 'hot', effective_from: '2026-06-01T00:00:00Z', cache_write_nano_usd_per_million_tokens: 1_000 });
    const { json: early } = await put({ model: 'hot', effective_from: '2026-02-01T00:00:00Z' });
    const seen = async () => ((await api.tenancy.directory.find(key.key)) as Caller).workspace.connections.get('main')!.prices.filter(({ model }) => model === 'hot');
    expect(await seen()).toEqual([
      { id: late.id, model: 'hot', fromMs: Date.parse('2026-06-01'), input: 150_000_000, output: 600_000_000, cachedInput: null, cacheWrite: 1_000 },
      { id: early.id, model: 'hot', fromMs: Date.parse('2026-02-01'), input: 150_000_000, output: 600_000_000, cachedInput: null, cacheWrite: null },
    ]);
    expect((await api.call('DELETE', `/prices/${late.id}`, { token })).status).toBe(204);
    await expect.poll(async () => (await seen()).map(({ id }) => id)).toEqual([early.id]);
    expect((await api.call('DELETE', `/prices/${late.id}`, { token })).status).toBe(404);
  });

  test('goes with its connection, and every change is in the audit log', async () => {
    const { json: gone } = await api.call('POST', '/connections', { token, body: { name: 'short', base_url: 'https://llm.example.com/v1' } });
    await put({ connection: gone.id, model: 'short' });
    expect((await api.call('DELETE', `/connections/${gone.id}`, { token })).status).toBe(204);
    expect((await list('?model=short')).data).toEqual([]);
    const { json: log } = await api.call('GET', '/audit', { token });
    expect(log.data.map((entry: { action: string }) => entry.action)).toEqual(expect.arrayContaining(['price.set', 'price.deleted']));
  });
});
