import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ManagementClient, managementClient, openai, type RunningOhm, scriptedUpstream, type ScriptedUpstream, startOhm } from './harness';

/** Upstreams and clients that mean harm, against the built product. */

const MIB = 1024 * 1024;
let ohm: RunningOhm;
let api: ManagementClient;
let good: ScriptedUpstream;
let key: string;

beforeAll(async () => {
  [ohm, good] = await Promise.all([startOhm(), scriptedUpstream(openai.streamOf('still', ' here'))]);
  api = managementClient(ohm.url, (await ohm.bootstrap('hostile')).managementKey);
  await api.connection('good', good.baseUrl);
  await api.route('good', ['good/m']);
  key = await api.key('good');
});
afterAll(async () => {
  await ohm?.stop();
  await good?.close();
});

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${ohm.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }, body, duplex: 'half' } as RequestInit);
const ask = (model: string) => post(JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] }));
const errorOf = async (response: Response) => ((await response.json()) as { error: { code: string; param: string | null; message: string } }).error;
const memory = (what: 'VmHWM' | 'VmRSS') => Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${ohm.pid}/status`, 'utf8'))![1]) * 1024;

test.runIf(process.platform === 'linux')('1,000 upstreams that send a line of 16 MiB at once leave the process alive and under 700 MB', { timeout: 240_000 }, async () => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const hostile = createServer((request, response) => {
    request.resume();
    response.writeHead(200, openai.SSE_HEADERS);
    response.write('data: ');
    pour(response, piece, 16 * MIB);
  });
  hostile.listen(0, '127.0.0.1', 2_048);
  await once(hostile, 'listening');
  await api.connection('hostile', `http://127.0.0.1:${(hostile.address() as AddressInfo).port}/v1`);
  await api.route('hostile', [{ connection: 'hostile', model: 'm', first_content_timeout_ms: 60_000 }]);

  const answers = await Promise.all(Array.from({ length: 1_000 }, async () => (await ask('hostile')).status));
  console.log(`1,000 hostile upstreams: peak ${(memory('VmHWM') / MIB).toFixed(0)} MiB, answers ${JSON.stringify(tally(answers))}`);
  expect(memory('VmHWM')).toBeLessThan(700 * 1000 * 1000);
  expect(new Set(answers)).not.toContain(200);
  expect(await (await ask('good')).text()).toContain('[DONE]');
  hostile.closeAllConnections();
  hostile.close();
});

test('bad bodies get a clear error that names the field, and the next call is fine', async () => {
  const messages = [{ role: 'user', content: 'hi' }];
  const cases: [string | Blob, number, string | null, string?][] = [
    ['{"model":', 400, null, 'invalid_json'],
    ['[]', 400, null],
    ['', 400, null],
    ['{"messages":[]}', 400, 'model'],
    [JSON.stringify({ model: 7, messages }), 400, 'model'],
    [JSON.stringify({ model: 'good' }), 400, 'messages'],
    [JSON.stringify({ model: 'good', messages: [] }), 400, 'messages'],
    [JSON.stringify({ model: 'good', messages: ['hi'] }), 400, 'messages[0]'],
    [JSON.stringify({ model: 'good', messages: [{ content: 'x' }] }), 400, 'messages[0].role'],
    [JSON.stringify({ model: 'good', messages, stream: 'yes' }), 400, 'stream'],
    [JSON.stringify({ model: 'good', messages, stream: true, stream_options: 1 }), 400, 'stream_options'],
    [JSON.stringify({ model: 'good', messages, stream: true, stream_options: { include_usage: 1 } }), 400, 'stream_options.include_usage'],
    [`{"model":"good","messages":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 400, null],
    ['{"model":"good","messages":[{"role":"user","content":"x","__proto__":{"admin":true}}]}', 400, '__proto__'],
    ['{"model":"good","model":"other","messages":[{"role":"user"}]}', 400, 'model'],
    [JSON.stringify({ model: 'nothing-like-it', messages }), 404, 'model', 'model_not_found'],
    [JSON.stringify({ model: 'a\r\nx-injected: 1', messages }), 404, 'model', 'model_not_found'],
  ];
  for (const [body, status, param, code] of cases) {
    const response = await post(body);
    const error = await errorOf(response);
    expect({ body: String(body).slice(0, 80), status: response.status, param: error.param }).toEqual({ body: String(body).slice(0, 80), status, param });
    if (code !== undefined) expect(error.code).toBe(code);
    expect(response.headers.get('x-ohm-request-id')).toMatch(/^call_/);
    expect(JSON.stringify(error)).not.toMatch(/at \w+ \(|node_modules|postgres/);
  }
  expect(((await errorOf(await post(JSON.stringify({ model: 'nothing-like-it', messages }))))).message).toContain('`good`');
  expect((await ask('good')).status).toBe(200);
});

test('a body of 100 MB is refused as too large, announced or not; a compressed one is not unpacked', async () => {
  const announced = await post(Buffer.alloc(100 * 1000 * 1000, 'x'));
  expect([announced.status, (await errorOf(announced)).code]).toEqual([413, 'request_too_large']);
  const pieces = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array(MIB).fill(120));
      if (++sent === 100) controller.close();
    },
  });
  let sent = 0;
  expect((await post(pieces)).status).toBe(413);
  expect((await post(Buffer.from('x'), { 'content-encoding': 'gzip' })).status).toBe(415);
});

test('missing, junk, foreign and malformed keys are all the same 401', async () => {
  const bodies = await Promise.all(
    ['', 'Bearer', 'Bearer x', "Bearer ' OR '1'='1", `Bearer ${key.slice(0, -1)}`, `Bearer ohm_mk_${key.slice(7)}`, `Basic ${key}`].map(async (authorization) => {
      const response = await post('{}', { authorization });
      return [response.status, await response.text()];
    }),
  );
  expect(new Set(bodies.map(([status]) => status))).toEqual(new Set([401]));
  expect(new Set(bodies.map(([, body]) => body)).size).toBe(1);
});

test('a request that has passed through this gateway already is refused as a loop', async () => {
  good.forget();
  await (await ask('good')).text();
  const via = good.contacts[0]!.headers.via!;
  const response = await post('{}', { via: `1.1 somebody, ${via}` });
  expect([response.status, (await errorOf(response)).code]).toEqual([508, 'loop_detected']);
});

test('a connection to the product’s own ports or to a private address is refused when it is saved', async () => {
  await expect(api.connection('self', `${ohm.url}/v1`)).rejects.toThrow(/422.*base_url/);
  await expect(api.connection('metadata', 'http://169.254.169.254/v1')).rejects.toThrow(/422.*base_url/);
});

/** Writes `left` bytes as fast as they are taken. */
function pour(response: ServerResponse, piece: Buffer, left: number): void {
  response.on('error', () => undefined); // cut by the gateway, as it should be
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      if (!response.write(piece)) return void response.once('drain', more);
    }
  };
  more();
}

function tally(values: number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
