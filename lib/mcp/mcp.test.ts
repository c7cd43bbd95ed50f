import { execFileSync } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openai, scriptedUpstream } from '../../e2e/harness';
import { TEST_KEY, testEngine, type TestEngine } from '../gateway/test-engine';
import { createMcp, type Mcp, NOT_TELEMETRY, type ProvidersReport } from '.';

const URL_ = 'http://ohm.test/mcp';
const KEY = { authorization: `Bearer ${TEST_KEY}` };
const free = () => ({ allowed: true, resetS: 60 });

let ohm: TestEngine;
let mcp: Mcp;
const open: (() => Promise<void>)[] = [];
beforeEach(async () => {
  ohm = await testEngine();
  mcp = createMcp({ engine: ohm.engine, limits: { network: free, key: free } });
  open.push(ohm.close);
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** The protocol's own client, in front of nothing but the answers. */
async function client(headers: Record<string, string> = {}): Promise<Client> {
  const connected = new Client({ name: 'test', version: '1' });
  await connected.connect(new StreamableHTTPClientTransport(new URL(URL_), { requestInit: { headers }, fetch: (url, init) => mcp.answer(new Request(url, init), null) }));
  open.push(() => connected.close());
  return connected;
}

const post = (body: unknown, headers: Record<string, string> = {}, from = mcp, network: string | null = null) =>
  from.answer(new Request(URL_, { method: 'POST', headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers }, body: typeof body === 'string' ? body : JSON.stringify(body) }), network);
const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const askTool = (id = 1) => request(id, 'tools/call', { name: 'ohm_providers', arguments: {} });
const fault = async (response: Response) => [response.status, ((await response.json()) as { error: { code: number } }).error.code];

describe('through the protocol’s own client', () => {
  test('the tool is listed without a key, says what it is not, and promises to change nothing', async () => {
    const { tools } = await (await client()).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['ohm_providers']);
    expect(tools[0]).toMatchObject({ annotations: { readOnlyHint: true, openWorldHint: false }, outputSchema: { type: 'object' }, description: expect.stringContaining(NOT_TELEMETRY) });
    expect((await (await client()).ping())).toEqual({});
  });

  test('asked without a key, with a wrong one or for a route that is not there, it says what to do', async () => {
    const told = async (headers: Record<string, string>, args = {}) => await (await client(headers)).callTool({ name: 'ohm_providers', arguments: args });
    expect(await told({})).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^invalid_api_key: .*Authorization: Bearer ohm_sk_…/) }] });
    expect(await told({ authorization: 'Bearer ohm_sk_wrong' })).toMatchObject({ isError: true });
    expect(await told(KEY, { route: 'nowhere' })).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^model_not_found: /) }] });
    expect(await told(KEY, { rute: 'test' })).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('rute') }] });
  });

  test('the report fits the schema that is listed, is told as text too, and names each tier in order', async () => {
    const broken = await scriptedUpstream(openai.error(404, 'gone'));
    open.push(broken.close);
    ohm.route([{ url: broken.origin, provider: 'openai', model: 'first' }, { eco: [{ url: broken.origin, model: 'a' }, { url: broken.origin, model: 'b' }] }], { commit: 'complete' });
    ohm.keepAnswers({ ttlS: 60 });
    const asking = await client(KEY);
    await asking.listTools(); // from then on the client checks every report against the schema
    const { structuredContent, content } = await asking.callTool({ name: 'ohm_providers', arguments: {} });
    const report = structuredContent as ProvidersReport;
    expect(JSON.parse((content as { text: string }[])[0]!.text)).toEqual(report);
    expect(report).toMatchObject({ about: NOT_TELEMETRY, observed_by: 'this process', key: { name: 'test', state: 'active', expires_at: null, default_route: 'test', replay: { enabled: true, ttl_s: 60 } }, routes_not_listed: 0 });
    expect(report.routes.map(({ name }) => name)).toEqual(['test', 'eco']);
    expect(report.routes[1]!.tiers[0]).toMatchObject({ kind: 'eco', ready: false, candidates: { length: 20 } });
    expect(report.routes.slice(0, 1)).toMatchObject([
      {
        name: 'test', default: true, commit: 'complete', ready: true, asked_anyway: false,
        tiers: [
          { position: 1, kind: 'model', connection: 'tier1', provider: 'openai', model: 'first', ready: true, reason: null, candidates: null },
          { position: 2, kind: 'eco', connection: null, provider: null, model: null, ready: false, reason: { code: 'no_candidate', until: null }, candidates: [{ model: 'a', ready: false, reason: { code: 'left_out' } }, { model: 'b', ready: false }] },
        ],
      },
    ]);
    await fetch(`${ohm.url}/v1/chat/completions`, { method: 'POST', headers: { ...KEY, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'test', messages: [{ role: 'user', content: 'x' }] }) });
    const before = Date.now();
    const after = ((await asking.callTool({ name: 'ohm_providers', arguments: { route: 'test' } })).structuredContent as ProvidersReport).routes[0]!;
    expect(after).toMatchObject({ ready: false, asked_anyway: true, tiers: [{ ready: false, reason: { code: 'cooling_down' } }, { ready: false }] });
    expect(Date.parse(after.tiers[0]!.reason!.until!) - before).toBeGreaterThan(0);
    expect(broken.contacts).toHaveLength(1);
  });

  test('names of connections are told to keys that may name them, and to no others', async () => {
    ohm.route([{ url: 'http://127.0.0.1:1' }]);
    const named = async () => ((await (await client(KEY)).callTool({ name: 'ohm_providers', arguments: {} })).structuredContent as ProvidersReport).routes[0]!.tiers[0]!.connection;
    expect(await named()).toBe('tier1');
    ohm.caller().key.directModels = false;
    expect(await named()).toBeNull();
    Object.assign(ohm.caller().key, { directModels: true, strictRoute: true });
    expect(await named()).toBeNull();
  });
});

describe('over plain HTTP', () => {
  test.each(SUPPORTED_PROTOCOL_VERSIONS)('revision %s is spoken', async (version) => {
    const response = await post(request(1, 'initialize', { protocolVersion: version, capabilities: {}, clientInfo: { name: 'x', version: '1' } }));
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toMatchObject({ result: { protocolVersion: version, serverInfo: { name: 'ohm' }, capabilities: { tools: { listChanged: false } } } });
    expect((await post(request(2, 'tools/list'), { 'mcp-protocol-version': version })).status).toBe(200);
  });

  test('a revision that is not known gets the newest that is, and no later request may claim it', async () => {
    const response = await post(request(1, 'initialize', { protocolVersion: '2099-01-01', capabilities: {}, clientInfo: { name: 'x', version: '1' } }));
    expect(await response.json()).toMatchObject({ result: { protocolVersion: LATEST_PROTOCOL_VERSION } });
    expect((await post(request(2, 'tools/list'), { 'mcp-protocol-version': '2099-01-01' })).status).toBe(400);
  });

  test('any origin may read every answer, and nobody may keep one', async () => {
    for (const response of [await post(request(1, 'ping')), await post('{'), await mcp.answer(new Request(URL_, { method: 'OPTIONS' }), null)]) {
      expect([response.headers.get('access-control-allow-origin'), response.headers.get('cache-control')]).toEqual(['*', 'no-store']);
      expect(response.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
      expect(response.headers.get('x-ohm-request-id')).toMatch(/^req_/);
    }
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s has no place here: there are no sessions', async (method) => {
    const response = await mcp.answer(new Request(URL_, { method, headers: { accept: 'text/event-stream' } }), null);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('what is no message gets the error of JSON-RPC', async () => {
    expect(await fault(await post('{'))).toEqual([400, -32700]);
    expect(await fault(await post('null'))).toEqual([400, -32700]);
    expect(await fault(await post({ jsonrpc: '1.0', id: 1, method: 'ping' }))).toEqual([400, -32700]);
    expect(await fault(await post(request(1, 'resources/list')))).toEqual([200, -32601]);
    expect(await fault(await post(`"${'x'.repeat(65 * 1024)}"`))).toEqual([413, -32600]);
    expect(await fault(await post(request(1, 'ping'), { 'content-encoding': 'gzip' }))).toEqual([415, -32600]);
    expect(await fault(await post(request(1, 'ping'), { accept: 'application/json' }))).toEqual([406, -32000]);
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
  });

  test('a batch is answered whole, and none that could not be', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    const answers = (await (await post([request(1, 'ping'), request(2, 'tools/list'), cancel])).json()) as { id: number; result: object }[];
    expect(answers.map(({ id, result }) => [id, typeof result]).sort()).toEqual([[1, 'object'], [2, 'object']]);
    expect(await fault(await post([request(1, 'ping'), request(1, 'ping')]))).toEqual([400, -32600]);
    expect(await fault(await post([]))).toEqual([400, -32600]);
    expect(await fault(await post(Array.from({ length: 21 }, (_, id) => request(id, 'ping'))))).toEqual([400, -32600]);
  });

  test('who asks too often is told when again: a network before it is read, a key as a tool’s error', async () => {
    const once = () => {
      const seen = new Set<string>();
      return (who: string) => ({ allowed: !seen.has(who) && seen.add(who) !== null, resetS: 7 });
    };
    const bounded = createMcp({ engine: ohm.engine, limits: { network: once(), key: once() } });
    expect((await post(request(1, 'ping'), {}, bounded, '192.0.2.1')).status).toBe(200);
    const refused = await post('{', {}, bounded, '192.0.2.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
    await post(askTool(), KEY, bounded);
    expect(await (await post(askTool(), KEY, bounded)).json()).toMatchObject({ result: { isError: true, content: [{ text: expect.stringMatching(/^rate_limit_exceeded: .*7 s/) }] } });
  });
});

test('what is loaded for it leaves the methods of strings as fast as they were', () => {
  const script = `import { serve } from ${JSON.stringify(import.meta.resolve('./serve.ts'))};
const request = new Request(${JSON.stringify(URL_)}, { method: 'POST', headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' } });
const response = await serve(request, ${JSON.stringify(request(1, 'tools/list'))}, async () => ({ ok: false, message: '' }));
console.log(response.status, %HasFastProperties(String.prototype), %HasFastProperties(Array.prototype));`;
  const out = execFileSync(process.execPath, ['--allow-natives-syntax', '--import', 'tsx', '--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(out.trim()).toBe('200 true true');
});
