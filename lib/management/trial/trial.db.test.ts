import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closedPort } from '../../gateway/test-engine';
import { readConnectionConfig } from '../../tenancy/connections';
import type { ConnectionReport } from '../schemas';
import { createTestApi, type TestApi, type TestWorkspace } from '../test-api';
import { testConnection } from './test-connection';

let api: TestApi;
let ws: TestWorkspace;
let n = 0;
const servers: { close(): void }[] = [];

beforeAll(async () => {
  api = await createTestApi();
  ws = await api.workspace('tester');
});
afterAll(() => servers.forEach((server) => server.close()));

const KEY = 'sk-trial-canary-0123456789';
const SSE = [
  '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[{"index":0,"delta":{"role":"assistant","content":"ok"},"finish_reason":null}]}',
  '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  '[DONE]',
];

interface Provider {
  url: string;
  /** `METHOD path authorization`, in order. */
  asked: string[];
}

/** A provider that speaks the OpenAI wire, but for what `change` does otherwise. */
async function provider(change: (request: IncomingMessage, response: ServerResponse) => boolean = () => false): Promise<Provider> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`);
    if (change(request, response)) return;
    if (request.headers.authorization !== `Bearer ${KEY}`) return void json(response, 401, { error: { message: 'no key', type: 'x', code: 'invalid_api_key' } });
    if (request.url === '/v1/models') return void json(response, 200, { object: 'list', data: [{ id: 'm-1', object: 'model' }, { id: 'm-2', object: 'model' }] });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(SSE.map((data) => `data: ${data}\n\n`).join(''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push({ close: () => server.close().closeAllConnections() });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function connect(base_url: string, api_key: string | null = KEY): Promise<string> {
  const made = await api.call('POST', '/connections', { token: ws.tokens.admin, body: { name: `t${++n}`, base_url, api_key } });
  return made.json.id as string;
}

async function run(id: string, body?: unknown): Promise<ConnectionReport> {
  const answer = await api.call('POST', `/connections/${id}/test`, { token: ws.tokens.developer, ...(body === undefined ? {} : { body }) });
  expect([answer.status, answer.text.includes('canary')]).toEqual([200, false]);
  return answer.json as ConnectionReport;
}

const outcomes = (report: ConnectionReport) => Object.fromEntries(report.steps.map((step) => [step.step, step.outcome]));
const message = (report: ConnectionReport, name: string) => report.steps.find((step) => step.step === name)!.message;

describe('a connection’s test', () => {
  test('of a sound provider is ok at every step, asks the first model, and sends no key before the connection stands', async () => {
    const { url, asked } = await provider();
    const report = await run(await connect(url));
    expect(report).toMatchObject({ ok: true, model: 'm-1' });
    expect(outcomes(report)).toEqual({ dns: 'skipped', connect: 'ok', auth: 'ok', model_list: 'ok', first_content: 'ok' });
    expect(asked).toEqual(['GET /v1/models -', `GET /v1/models Bearer ${KEY}`, `POST /v1/chat/completions Bearer ${KEY}`]);
    for (const step of report.steps) expect([step.step, step.ms === null]).toEqual([step.step, step.outcome === 'skipped']);
  });

  test('with a wrong key fails at the key, and asks no model', async () => {
    const { url, asked } = await provider();
    const report = await run(await connect(url, 'sk-wrong-0123456789abcdef'));
    expect(report.ok).toBe(false);
    expect(outcomes(report)).toMatchObject({ auth: 'failed', model_list: 'skipped', first_content: 'skipped' });
    expect(asked).toHaveLength(2);
  });

  test('without a list of models warns, and goes on with the model that was named', async () => {
    const { url } = await provider((request, response) => request.url === '/v1/models' && (json(response, 404, {}), true));
    const id = await connect(url);
    const named = await run(id, { model: 'm-9' });
    expect(named).toMatchObject({ ok: true, model: 'm-9' });
    expect(outcomes(named)).toMatchObject({ auth: 'ok', model_list: 'warning', first_content: 'ok' });
    const unnamed = await run(id);
    expect(unnamed.ok).toBe(false); // nothing failed, and nothing was proven
    expect(outcomes(unnamed)).toMatchObject({ auth: 'warning', model_list: 'warning', first_content: 'skipped' });
  });

  test('takes a list that is open to everybody for no proof of the key', async () => {
    const { url } = await provider((request, response) => request.url === '/v1/models' && (json(response, 200, { data: [] }), true));
    expect(outcomes(await run(await connect(url)))).toMatchObject({ auth: 'warning', model_list: 'warning', first_content: 'skipped' });
  });

  test('with an open list and a closed model blames the key', async () => {
    const { url } = await provider((request, response) => {
      if (request.url === '/v1/models') json(response, 200, { data: [{ id: 'm-1' }] });
      else json(response, 401, { error: { message: `Incorrect API key provided: ${KEY}` } });
      return true;
    });
    const report = await run(await connect(url));
    expect(outcomes(report)).toMatchObject({ auth: 'failed', model_list: 'ok', first_content: 'failed' });
  });

  test.each([
    ['429 with its reason', 429, { error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' } }, /quota/],
    ['404 of the model', 404, { error: { message: 'The model does not exist', code: 'model_not_found' } }, /model’s name/],
  ])('tells what to do about a %s', async (_, status, body, advice) => {
    const { url } = await provider((request, response) => request.method === 'POST' && (json(response, status, body), true));
    const report = await run(await connect(url));
    expect(outcomes(report)).toMatchObject({ auth: 'ok', model_list: 'ok', first_content: 'failed' });
    expect(message(report, 'first_content')).toMatch(advice);
  });

  test('of a page in place of an API warns at the list', async () => {
    const { url } = await provider((request, response) => request.method === 'GET' && (response.writeHead(200, { 'content-type': 'text/html' }), response.end('<html>'), true));
    const report = await run(await connect(url));
    expect(message(report, 'model_list')).toMatch(/base URL/);
    expect(report.ok).toBe(false);
    expect(outcomes(report)).toMatchObject({ auth: 'warning', first_content: 'skipped' });
  });

  test.each(['http:', 'https:'])('of a port of %s where nobody listens fails at the connection, and speaks of no certificate', async (scheme) => {
    const report = await run(await connect(`${(await closedPort()).replace('http:', scheme)}/v1`));
    expect(outcomes(report)).toEqual({ dns: 'skipped', connect: 'failed', auth: 'skipped', model_list: 'skipped', first_content: 'skipped' });
    expect(message(report, 'connect')).toMatch(/refused\. Check the base URL and the port\.$/);
  });

  test('of plain http behind https fails at TLS', async () => {
    const { url, asked } = await provider();
    const report = await run(await connect(url.replace('http:', 'https:')));
    expect(outcomes(report)).toMatchObject({ tls: 'failed', auth: 'skipped' });
    expect(asked).toEqual([]);
  });

  test('of a name that leads to a private address fails at the name, and nobody is contacted', async () => {
    const id = await connect('https://inside.example/v1');
    const opened: string[] = [];
    const outbound = { open: () => (opened.push('opened'), { pause() {}, resume() {}, abort() {} }) };
    const services = { tenancy: api.tenancy, engine: { ...api.engine.engine, outbound }, resolve: async () => ['93.184.216.34', '10.0.0.1'] };
    const actor = { kind: 'user', id: ws.userId, workspaceId: ws.id, role: 'owner' } as const;
    const report = await testConnection(services, actor, { id, model: null });
    expect(outcomes(report)).toEqual({ dns: 'failed', tls: 'skipped', auth: 'skipped', model_list: 'skipped', first_content: 'skipped' });
    expect(message(report, 'dns')).not.toContain('10.0.0.1');
    expect(opened).toEqual([]);
  });

  test('of the sandbox asks it and nothing else', async () => {
    const { json } = await api.call('GET', '/connections?q=sandbox', { token: ws.tokens.viewer });
    const report = await run(json.data[0].id);
    expect(report).toMatchObject({ ok: true, model: 'text:5' });
    expect(outcomes(report)).toEqual({ dns: 'skipped', tls: 'skipped', auth: 'skipped', model_list: 'skipped', first_content: 'ok' });
  });
});

describe('a route’s test', () => {
  let demo: string;
  beforeAll(async () => {
    demo = (await api.call('GET', '/routes?q=demo', { token: ws.tokens.viewer })).json.data[0].id;
  });
  const walk = (body: unknown) => api.call('POST', `/routes/${demo}/test`, { token: ws.tokens.developer, body });

  test('walks the tiers as a call would, and tells every attempt', async () => {
    const { json } = await walk({});
    expect(json).toMatchObject({ ok: true, state: 'finished', tier: 2, error_code: null });
    expect(json.text.length).toBeGreaterThan(10);
    expect(json.attempts.map((attempt: any) => [attempt.tier, attempt.state, attempt.upstream_status])).toEqual([
      [1, 'failed', 503],
      [1, 'failed', 503],
      [2, 'finished', 200],
    ]);
  });

  test('with a tier that fails on purpose goes past it without asking it', async () => {
    const { json } = await walk({ fail_tier: 2 });
    expect(json).toMatchObject({ ok: false, state: 'rejected', tier: null });
    const onPurpose = json.attempts.filter((attempt: any) => attempt.tier === 2);
    expect(onPurpose.length).toBeGreaterThan(0);
    for (const attempt of onPurpose) expect(attempt).toMatchObject({ connection: 'sandbox', model: 'text:20', class: 'connect', upstream_status: null });
    expect((await walk({ fail_tier: 3 })).json.errors[0].field).toBe('fail_tier');
  });

  test('leaves no row in the ledger and no mark on the health of the real tiers', async () => {
    await walk({ fail_tier: 2 });
    const [row] = await api.owner`select count(*)::int as n from calls`;
    expect([row!['n'], api.engine.rows.length]).toEqual([0, 0]);
    const { json } = await api.call('GET', '/connections?q=sandbox', { token: ws.tokens.viewer });
    const connection = await readConnectionConfig(api.tenancy, { kind: 'user', id: ws.userId, workspaceId: ws.id, role: 'owner' }, { id: json.data[0].id });
    for (const model of ['status:503', 'text:20']) expect(api.engine.engine.health.available(connection, model, 60_000)).toBe(true);
  });
});

describe('a test costs money that no row shows', () => {
  const paid = async (name: string) => {
    const { url, asked } = await provider();
    const own = await api.workspace(name);
    const made = await api.call('POST', '/connections', { token: own.tokens.admin, body: { name: 'paid', base_url: url, api_key: KEY } });
    const route = await api.call('POST', '/routes', { token: own.tokens.admin, body: { name: 'r', tiers: [{ connection: 'paid', model: 'm-1' }] } });
    return { own, asked, tests: [`/connections/${made.json.id as string}/test`, `/routes/${route.json.id as string}/test`] };
  };

  test('its answer is bounded', async () => {
    const bodies: string[] = [];
    const { url } = await provider((request) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
      return false;
    });
    await run(await connect(url));
    expect(JSON.parse(bodies.join(''))).toMatchObject({ max_completion_tokens: 1_024 });
  });

  test('none is made once a hard budget of the workspace is used up: 402, and nobody is asked', async () => {
    const { own, asked, tests } = await paid('broke');
    const { json: workspace } = await api.call('GET', '/workspace', { token: own.tokens.owner });
    const limits = { daily_cost_usd: 0.000001 };
    expect((await api.call('PATCH', '/workspace', { token: own.tokens.owner, body: { limits }, ifMatch: workspace.revision as number })).status).toBe(200);
    for (const path of tests) expect((await api.call('POST', path, { token: own.tokens.developer })).status).toBe(200);
    const before = asked.length;
    await api.owner`insert into budget_balances (workspace_id, scope_id, period, spent_nano_usd) values (${own.id}, ${own.id}, ${new Date().toISOString().slice(0, 10)}, 1000)`;
    for (const path of tests) {
      const answer = await api.call('POST', path, { token: own.tokens.developer });
      expect([answer.status, answer.json.code]).toEqual([402, 'budget_exceeded']);
    }
    expect(asked).toHaveLength(before);
  });

  test('there are thirty a minute in a workspace, of both kinds together; those of the sandbox are free', async () => {
    const { own, asked, tests } = await paid('eager');
    const answers: number[] = [];
    for (let at = 0; at < 32; at++) answers.push((await api.call('POST', tests[at % 2]!, { token: own.tokens.developer })).status);
    expect(answers.filter((status) => status === 200)).toHaveLength(30);
    expect(answers.slice(30)).toEqual([429, 429]);
    const before = asked.length;
    const refused = await api.call('POST', tests[1]!, { token: own.tokens.developer });
    expect([refused.json.code, Number(refused.headers.get('retry-after')) > 0, asked.length]).toEqual(['rate_limited', true, before]);
    const { json: made } = await api.call('GET', '/connections', { token: own.tokens.viewer });
    const sandbox = (made.data as { id: string; kind: string }[]).find(({ kind }) => kind === 'sandbox');
    if (sandbox !== undefined) expect((await api.call('POST', `/connections/${sandbox.id}/test`, { token: own.tokens.developer })).status).toBe(200);
  });
});
