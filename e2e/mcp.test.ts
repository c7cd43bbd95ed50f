import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ProvidersReport } from '../lib/mcp';
import { type Door, managementClient, type ManagementClient, openai, type RunningOhm, scriptedUpstream, type ScriptedUpstream, startOhm } from './harness';

/** The readiness tool of the built product, asked by the protocol's own client. */
describe.each<Door>(['node', 'next-start'])('the MCP endpoint, with door %s', (door) => {
  let ohm: RunningOhm;
  let own: ManagementClient;
  let upstream: ScriptedUpstream;
  const clients: Client[] = [];
  beforeAll(async () => {
    [ohm, upstream] = await Promise.all([startOhm({ door }), scriptedUpstream(openai.streamOf('well'))]);
    own = managementClient(ohm.url, (await ohm.bootstrap('own')).managementKey);
    await own.connection('good', upstream.baseUrl, 'sk-very-secret');
    await own.connection('bad', upstream.baseUrl, 'sk-very-secret');
    await own.route('chat', ['bad/first', 'good/second'], { commit: 'complete' });
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await ohm?.stop();
    await upstream?.close();
  });

  async function connect(key?: string): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${ohm.url}/mcp`), { requestInit: { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } } }));
    clients.push(client);
    return client;
  }
  const ask = async (client: Client, args: Record<string, unknown> = {}) => (await client.callTool({ name: 'ohm_providers', arguments: args })) as { isError?: boolean; structuredContent?: ProvidersReport; content: { text: string }[] };
  const call = (key: string) => fetch(`${ohm.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'chat', stream: true, messages: [{ role: 'user', content: 'Hello' }] }) });
  const rows = async () => (await own.request<{ data: unknown[] }>('GET', '/calls')).data.length;

  test('without a key the tool is listed, and asking it says what to do', async () => {
    const client = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: 'ohm' });
    expect(await client.ping()).toEqual({});
    expect((await client.listTools()).tools.map(({ name, description }) => [name, description?.includes('not failover telemetry')])).toEqual([['ohm_providers', true]]);
    const told = await ask(client);
    expect([told.isError, told.structuredContent]).toEqual([true, undefined]);
    expect(told.content[0]!.text).toMatch(/^invalid_api_key: .*Authorization: Bearer ohm_sk_…/);
  });

  test('a tier that failed is passed over, and saying so asks nobody and books nothing', async () => {
    const key = await own.key('chat');
    const client = await connect(key);
    await client.listTools();
    const tiers = async () => (await ask(client, { route: 'chat' })).structuredContent!.routes[0]!.tiers.map(({ position, model, ready, reason }) => [position, model, ready, reason?.code ?? null]);
    expect(await tiers()).toEqual([[1, 'first', true, null], [2, 'second', true, null]]);
    expect(upstream.contacts).toHaveLength(0);

    upstream.play(({ body }) => (body.includes('"first"') ? openai.error(429, 'later', { headers: { 'retry-after': '60' } }) : openai.streamOf('well')));
    const response = await call(key);
    expect([response.headers.get('x-ohm-tier'), (await response.text()).includes('[DONE]')]).toEqual(['2', true]);
    await vi.waitFor(async () => expect(await rows()).toBe(1), { timeout: 10_000, interval: 50 });
    const contacts = upstream.contacts.length;
    expect(await tiers()).toEqual([[1, 'first', false, 'cooling_down'], [2, 'second', true, null]]);
    const { about, observed_by: by, key: about_key, routes } = (await ask(client)).structuredContent!;
    expect([about.includes('not failover telemetry'), by, about_key.default_route, about_key.replay.enabled]).toEqual([true, 'this process', 'chat', false]);
    expect(routes.find(({ name }) => name === 'chat')).toMatchObject({ default: true, commit: 'complete', ready: true, asked_anyway: false });
    expect([upstream.contacts.length, await rows()]).toEqual([contacts, 1]);
  });

  test('a rejected credential benches every tier of its connection', async () => {
    await own.connection('rejected', upstream.baseUrl);
    await own.route('locked', ['rejected/a', 'rejected/b']);
    const key = await own.key('locked');
    upstream.play(openai.error(401, 'who are you'));
    await (await fetch(`${ohm.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'locked', messages: [{ role: 'user', content: 'x' }] }) })).text();
    const [route] = (await ask(await connect(key), { route: 'locked' })).structuredContent!.routes;
    expect(route).toMatchObject({ ready: false, asked_anyway: true, tiers: [{ reason: { code: 'credential_rejected', until: expect.any(String) } }, { reason: { code: 'credential_rejected' } }] });
  });

  test('a key learns of its own workspace alone, and of no address or secret', async () => {
    const other = managementClient(ohm.url, (await ohm.bootstrap('other')).managementKey);
    await other.connection('elsewhere', upstream.baseUrl, 'sk-of-others');
    await other.route('not-yours', ['elsewhere/m']);
    const foreign = await connect(await other.key('not-yours'));
    const { text } = (await ask(foreign)).content[0]!;
    expect(text).toContain('not-yours');
    for (const word of ['"chat"', '"locked"', 'good', upstream.baseUrl, '127.0.0.1', 'sk-']) expect([word, text.includes(word)]).toEqual([word, false]);
    expect((await ask(foreign, { route: 'chat' })).content[0]!.text).toMatch(/^model_not_found: .*`not-yours`/);
    const mine = (await ask(await connect(await own.key('chat', { direct_models: true })), { route: 'chat' })).structuredContent!;
    expect(mine.routes[0]!.tiers.map(({ connection }) => connection)).toEqual(['bad', 'good']);
  });

  test('a key that was revoked or disabled is told what a call is told', async () => {
    const made = await own.request<{ id: string; key: string; revision: number }>('POST', '/keys', { name: 'short-lived', default_route: 'chat' });
    const client = await connect(made.key);
    expect((await ask(client)).isError).toBeUndefined();
    await own.request('PATCH', `/keys/${made.id}`, { disabled: true }, { 'if-match': `"${made.revision}"` });
    await vi.waitFor(async () => expect((await ask(client)).content[0]!.text).toMatch(/^invalid_api_key: /), { timeout: 6_000, interval: 100 });
    await own.request('DELETE', `/keys/${made.id}`, undefined, { 'if-match': `"${made.revision + 1}"` });
    expect((await ask(client)).isError).toBe(true);
  });

  test('it is stateless, bounded, and may be asked from any origin', async () => {
    const post = (body: string) => fetch(`${ohm.url}/mcp`, { method: 'POST', headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', origin: 'https://elsewhere.example' }, body });
    const begun = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: { name: 'x', version: '1' } } }));
    expect([begun.status, begun.headers.get('content-type'), begun.headers.get('mcp-session-id'), begun.headers.get('access-control-allow-origin')]).toEqual([200, 'application/json', null, '*']);
    expect(((await (await post('{')).json()) as { error: { code: number } }).error.code).toBe(-32700);
    expect((await post(`"${'x'.repeat(70_000)}"`)).status).toBe(413);
    for (const method of ['GET', 'DELETE']) expect([method, (await fetch(`${ohm.url}/mcp`, { method })).status]).toEqual([method, 405]);
    expect((await fetch(`${ohm.url}/mcp`, { method: 'OPTIONS' })).status).toBe(204);
  });
});
