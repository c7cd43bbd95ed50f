import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openai, refusingOrigin, type Script } from '../../e2e/harness';
import { drain } from '../server/drain';
import { callIds } from './call-ids';
import { closeAll, post, scriptedPlane, testEdge, TEST_SECRET, type TestEdge } from './test-edge';

afterEach(closeAll);

/** Two planes that play these scripts, behind one edge. */
async function twoPlanes(first: Script, second: Script, env: Partial<Parameters<typeof testEdge>[0]> = {}) {
  const [primary, fallback] = [await scriptedPlane(first), await scriptedPlane(second)];
  return { primary, fallback, edge: await testEdge({ primary: primary.origin, fallback: fallback.origin, ...env }) };
}

const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;
const hello = openai.jsonOf('hello');

describe('a request', () => {
  test('goes to the primary as it came, but for what belongs to one hop; the edge is named, and so is its client', async () => {
    const { primary, fallback, edge } = await twoPlanes(openai.json(200, { ok: true }, { 'x-ohm-route': 'chat', 'keep-alive': 'timeout=7', 'set-cookie': 'a=1' }), hello);
    const request = httpRequest(`${edge.url}/v1/chat/completions?a=b`, {
      method: 'POST',
      headers: { 'X-Mine': '1', 'X-Hop': '2', connection: 'x-hop', 'x-forwarded-for': '203.0.113.7', via: '1.0 far', 'x-ohm-edge-call': 'call_1.forged', 'content-type': 'application/json' },
    });
    request.end('{"model":"auto"}');
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.resume();
    const [{ headers, path, body, method }] = primary.contacts as [(typeof primary.contacts)[0]];
    expect([method, path, body]).toEqual(['POST', '/v1/chat/completions?a=b', '{"model":"auto"}']);
    expect(headers).toMatchObject({ 'x-mine': '1', 'x-forwarded-for': '203.0.113.7, 127.0.0.1', via: expect.stringMatching(/^1\.0 far, 1\.1 ohm-edge-[0-9a-f]{12}$/), host: `127.0.0.1:${edge.port}` });
    expect(headers['x-hop']).toBeUndefined();
    expect(headers['x-ohm-edge-call']).not.toContain('forged');
    expect([answer.statusCode, answer.headers['x-ohm-route'], answer.headers['set-cookie']]).toEqual([200, 'chat', ['a=1']]);
    expect(answer.headers['keep-alive']).not.toBe('timeout=7');
    expect(fallback.contacts).toHaveLength(0);
  });

  test('that has been here already meets itself', async () => {
    const plane = await scriptedPlane(hello);
    const edge = await testEdge({ primary: plane.origin });
    await post(edge);
    const again = await post(edge, {}, { headers: { via: plane.contacts[0]!.headers.via! } });
    expect([again.status, await codeOf(again), plane.contacts.length]).toEqual([508, 'loop_detected', 1]);
  });

  test('too large for the edge is refused, however it is sent', async () => {
    const plane = await scriptedPlane(hello);
    const edge = await testEdge({ primary: plane.origin });
    const announced = await post(edge, 'x'.repeat(1024 * 1024 + 1));
    expect([announced.status, await codeOf(announced)]).toEqual([413, 'request_too_large']);
    const request = httpRequest(`${edge.url}/v1/messages`, { method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
    for (let piece = 0; piece < 20; piece++) request.write(Buffer.alloc(64 * 1024));
    request.end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const text = (await answer.toArray()).join('');
    expect([answer.statusCode, (JSON.parse(text) as { type: string }).type]).toEqual([413, 'error']); // in the words of the API that was asked
    expect(plane.contacts).toHaveLength(0);
  });
});

test.each([
  ['no host', 'GET /v1/models HTTP/1.1\r\n\r\n'],
  ['no HTTP', 'hello\r\n\r\n'],
])('what is no request is refused by the edge with an id and an error: %s', async (_, text) => {
  const edge = await testEdge({ primary: 'http://127.0.0.1:1' });
  const socket = connect(edge.port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (chunk: string) => (answer += chunk));
  socket.write(text);
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*x-ohm-request-id: req_[^]*"code":"malformed_request"/i);
});

test('bodies that were promised to the edge take room from their own credential alone', async () => {
  const plane = await scriptedPlane(hello);
  const edge = await testEdge({ primary: plane.origin, heldBytes: 1_000_000 });
  const socket = connect(edge.port, '127.0.0.1').on('error', () => undefined);
  socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ohm_sk_a\r\ncontent-length: 450000\r\n\r\n{');
  const as = (key: string) => post(edge, 'x'.repeat(400_000), { headers: { authorization: `Bearer ${key}` } });
  await expect.poll(async () => { const answer = await as('ohm_sk_a'); return [answer.status, (await answer.text()).includes('body_budget_exceeded')]; }).toEqual([503, true]);
  expect((await as('ohm_sk_b')).status).toBe(200);
  socket.destroy();
});

describe('the fallback is asked once', () => {
  const failures: [string, Script][] = [
    ['a reset', ['reset']],
    ['a connection that closes', ['close']],
    ['503', openai.error(503, 'draining', { code: 'gateway_draining' })],
    ['500', openai.error(500)],
    ['a reset behind the head of a stream', [openai.sseHead(), { waitMs: 30 }, 'reset']],
    ['a JSON body that breaks off', [{ head: 200, headers: { 'content-type': 'application/json', 'content-length': '100' } }, { send: '{"half":' }, 'close']],
  ];

  test.each(failures)('after %s, with the same call', async (_, script) => {
    const { primary, fallback, edge } = await twoPlanes(script, hello);
    const answer = await post(edge, { model: 'auto', messages: [1] });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('hello')]);
    expect([primary.contacts.length, fallback.contacts.length]).toEqual([1, 1]);
    expect(fallback.contacts[0]!.body).toBe(primary.contacts[0]!.body);
    const ids = callIds(TEST_SECRET);
    const id = ids.read(primary.contacts[0]!.headers);
    expect(id).toMatch(/^call_/);
    expect(ids.read(fallback.contacts[0]!.headers)).toBe(id);
  });

  test('after a refused connection', async () => {
    const fallback = await scriptedPlane(openai.streamOf('hello'));
    const edge = await testEdge({ primary: await refusingOrigin(), fallback: fallback.origin });
    const answer = await post(edge, { model: 'auto', stream: true, messages: [] });
    expect(await answer.text()).toMatch(/hello[^]*\[DONE\]/);
  });

  test('and no more: when it fails as well, the client gets what a plane said, or that there is none', async () => {
    const { primary, fallback, edge } = await twoPlanes(openai.error(503, 'primary drains', { code: 'gateway_draining' }), ['reset']);
    const answer = await post(edge);
    expect([answer.status, await codeOf(answer), primary.contacts.length, fallback.contacts.length]).toEqual([503, 'gateway_draining', 1, 1]);
    primary.play(['reset']);
    const none = await post(edge);
    expect([none.status, none.headers.get('retry-after'), await codeOf(none)]).toEqual([503, '1', 'no_control_plane']);
    fallback.play(openai.error(500, 'fallback fails'));
    expect([(await post(edge)).status, primary.contacts.length, fallback.contacts.length]).toEqual([500, 3, 3]);
  });
});

describe('nobody else is asked', () => {
  test('after a 502 of a walk that has made upstream requests: walking again would pay twice', async () => {
    const { fallback, edge } = await twoPlanes(openai.error(502, 'every tier failed', { code: 'all_tiers_failed', headers: { 'x-ohm-attempts': '2' } }), hello);
    const answer = await post(edge);
    expect([answer.status, answer.headers.get('x-ohm-attempts'), await codeOf(answer), fallback.contacts.length]).toEqual([502, '2', 'all_tiers_failed', 0]);
  });

  test.each([400, 401, 402, 404, 429])('after %i', async (status) => {
    const { fallback, edge } = await twoPlanes(openai.error(status), hello);
    expect([(await post(edge)).status, fallback.contacts.length]).toEqual([status, 0]);
  });

  test('for a change by the management API that may have been made; one that never left goes to the fallback', async () => {
    const { primary, fallback, edge } = await twoPlanes(['reset'], openai.json(201, {}));
    expect([(await post(edge, {}, { path: '/api/v1/keys' })).status, fallback.contacts.length]).toEqual([503, 0]);
    expect((await fetch(`${edge.url}/api/v1/keys`)).status).toBe(201); // reading changes nothing
    await primary.close();
    expect((await post(edge, {}, { path: '/api/v1/keys' })).status).toBe(201);
  });

  test('once the client has got content: the stream ends with the frame of a truncated one, and without [DONE]', async () => {
    const { fallback, edge } = await twoPlanes([openai.sseHead(), openai.text('half'), { waitMs: 30 }, 'reset'], openai.streamOf('other'));
    const answer = await post(edge, { model: 'auto', stream: true, messages: [] });
    const text = await answer.text();
    expect(text).toMatch(/half[^]*"code":"stream_truncated"/);
    expect(text).not.toMatch(/\[DONE\]|other/);
    const error = JSON.parse(text.trim().split('\n\n').at(-1)!.slice(6)) as { error: { metadata: { flushed_bytes: number } } };
    expect(error.error.metadata.flushed_bytes).toBe(text.indexOf('data: {"error"'));
    expect(fallback.contacts).toHaveLength(0);
  });

  test('and a response ends in `response.failed`, with its own id and the next number', async () => {
    const event = (type: string, number: number, more = '') => ({ send: `event: ${type}\ndata: {"type":"${type}","sequence_number":${number}${more}}\n\n` });
    const created = event('response.created', 0, ',"response":{"id":"resp_1","created_at":12,"model":"m"}');
    const { edge } = await twoPlanes([openai.sseHead(), created, event('response.output_text.delta', 7, ',"delta":"half"'), { waitMs: 30 }, 'reset'], hello);
    const text = await (await post(edge, { model: 'auto', stream: true, input: 'hi' }, { path: '/v1/responses' })).text();
    const last = text.trim().split('\n\n').at(-1)!;
    expect(last).toMatch(/^event: response\.failed\ndata: /);
    expect(JSON.parse(last.split('\ndata: ')[1]!)).toMatchObject({
      type: 'response.failed',
      sequence_number: 8,
      response: { id: 'resp_1', created_at: 12, model: 'm', status: 'failed', error: { code: 'stream_truncated' } },
      error: { code: 'stream_truncated' },
    });

    const whole = await twoPlanes([openai.sseHead(), created, event('response.completed', 1), { waitMs: 30 }, 'reset'], hello);
    expect(await (await post(whole.edge, { model: 'auto', stream: true, input: 'hi' }, { path: '/v1/responses' })).text()).toMatch(/response\.completed","sequence_number":1\}\n\n$/);
  });

  test('and where half a frame is out already, the connection is cut', async () => {
    const { edge } = await twoPlanes([openai.sseHead(), openai.text('half'), { send: 'data: {"id":' }, { waitMs: 30 }, 'reset'], hello);
    const answer = await post(edge, { model: 'auto', stream: true, messages: [] });
    await expect(answer.text()).rejects.toThrow();
  });

  test('and a stream of which only the end of the body is missing is whole', async () => {
    const { edge } = await twoPlanes([...openai.streamOf('all').slice(0, -1), { waitMs: 30 }, 'reset'], hello);
    const answer = await post(edge, { model: 'auto', stream: true, messages: [] });
    expect(await answer.text()).toMatch(/all[^]*\[DONE\]\n\n$/);
  });
});

describe('a stream', () => {
  test('reaches the client frame by frame, as it comes', async () => {
    let more!: () => void;
    const plane = await scriptedPlane([openai.sseHead({ 'x-ohm-attempts': '1' }), openai.text('first'), { until: new Promise<void>((resolve) => (more = resolve)) }, openai.text('second'), openai.DONE]);
    const edge = await testEdge({ primary: plane.origin });
    const answer = await post(edge, { model: 'auto', stream: true, messages: [] });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('first'); // the plane holds the rest back until this has arrived
    more();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      rest += value;
    }
    expect(rest).toMatch(/second[^]*\[DONE\]/);
  });

  test.each<[string, Script]>([
    ['before the plane answers', ['stall']],
    ['in the middle of a stream', [openai.sseHead(), openai.text('first'), 'stall']],
  ])('whose client leaves %s is closed at the plane at once, and nobody else is asked', async (_, script) => {
    const { primary, fallback, edge } = await twoPlanes(script, hello);
    const leave = new AbortController();
    const answer = post(edge, { model: 'auto', stream: true, messages: [] }, { signal: leave.signal });
    answer.catch(() => undefined);
    await primary.contacted(1);
    if (Array.isArray(script) && script.length > 1) await (await answer).body!.getReader().read();
    leave.abort();
    await primary.contacts[0]!.left;
    expect(fallback.contacts).toHaveLength(0);
  });

  test('slows the plane down for a slow client, and goes on when it reads', async () => {
    const megabytes = 64;
    const plane = await scriptedPlane([openai.sseHead(), { send: Buffer.alloc(megabytes * 1024 * 1024, 'x') }]);
    const edge = await testEdge({ primary: plane.origin });
    const socket = connect(edge.port, '127.0.0.1');
    socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}');
    let got = (await once(socket, 'data'))[0].length as number;
    socket.pause();
    const rss = process.memoryUsage().rss;
    await new Promise((done) => setTimeout(done, 300)); // what would be buffered in that time is what this is about
    expect(process.memoryUsage().rss - rss).toBeLessThan(40 * 1024 * 1024);
    socket.on('data', (piece: Buffer) => (got += piece.length)).resume();
    await expect.poll(() => got, { timeout: 10_000 }).toBeGreaterThan(megabytes * 1024 * 1024);
    socket.destroy();
  });
});

describe('the edge', () => {
  test('tells by itself how its planes are, each by name', async () => {
    const primary = await scriptedPlane(openai.json(503, {}));
    const fallback = await scriptedPlane(openai.json(200, {}));
    const edge = await testEdge({ primary: primary.origin, fallback: fallback.origin });
    const answer = await fetch(`${edge.url}/ready`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { ready: true, draining: false, dependencies: [{ name: 'primary', ok: false, detail: 'says 503' }, { name: 'fallback', ok: true, detail: null }] },
    ]);
    const alone = await testEdge({ primary: await refusingOrigin() });
    const down = await fetch(`${alone.url}/ready`);
    expect([down.status, ((await down.json()) as { ready: boolean }).ready]).toEqual([503, false]);
    expect(await (await fetch(`${alone.url}/healthz`)).text()).toBe('ok\n');
  });

  const ending = (edge: TestEdge, drainMs: number) => drain({ server: edge.server, drainMs, beginDrain: edge.beginDrain, cutOpenCalls: edge.server.cutOpenCalls, log: () => undefined });

  test('drains: not ready first, new calls are refused, open streams finish', async () => {
    let more!: () => void;
    const plane = await scriptedPlane([openai.sseHead(), openai.text('first'), { until: new Promise<void>((resolve) => (more = resolve)) }, openai.text('last'), openai.DONE]);
    const edge = await testEdge({ primary: plane.origin });
    const answer = await post(edge, { model: 'auto', stream: true, messages: [] });
    const ended = ending(edge, 10_000);
    expect((await fetch(`${edge.url}/ready`)).status).toBe(503);
    const refused = await post(edge);
    expect([refused.status, refused.headers.get('retry-after'), await codeOf(refused)]).toEqual([503, '1', 'gateway_draining']);
    more();
    expect(await answer.text()).toMatch(/first[^]*last[^]*\[DONE\]/);
    await ended;
    await expect(fetch(`${edge.url}/healthz`)).rejects.toThrow();
  });

  test('at the end of its patience cuts a stream in-band, and the plane hears of it', async () => {
    const plane = await scriptedPlane([openai.sseHead(), openai.text('first'), 'stall']);
    const edge = await testEdge({ primary: plane.origin });
    const answer = await post(edge, { model: 'auto', stream: true, messages: [] });
    const text = answer.text();
    await ending(edge, 50);
    expect(await text).toMatch(/first[^]*gateway_draining/);
    await plane.contacts[0]!.left;
  });
});

test('the id of a call is believed with its proof only, for the credential that it was given to', () => {
  const ids = callIds(TEST_SECRET);
  const id = 'call_01hxyzabcdefghjkmnpqrstvwx';
  const headers = { authorization: 'Bearer a' };
  const written = ids.write(id, headers);
  const read = (value: string, more = headers) => ids.read({ ...more, 'x-ohm-edge-call': value });
  expect(read(written)).toBe(id);
  expect(read(written, { authorization: 'Bearer b' })).toBeNull();
  expect(read(`${id}.${'A'.repeat(43)}`)).toBeNull();
  expect(read(id)).toBeNull();
  expect(read(written.replace('call_01', 'call_02'))).toBeNull();
  expect(callIds(`${TEST_SECRET}2`).read({ ...headers, 'x-ohm-edge-call': written })).toBeNull();
  expect(ids.read(headers)).toBeNull();
});
