import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { CallRequest, Sink } from '../gateway/ports';
import { createHeldBytes } from '../gateway';
import { drain } from './drain';
import { createOhmServer, type OhmServer, type OhmServerOptions } from './ohm-server';

const running: OhmServer[] = [];
afterEach(() => {
  for (const { server } of running.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

type Handle = (call: CallRequest, sink: Sink) => void | Promise<void>;

async function serve(handle: Handle, options: Partial<OhmServerOptions> = {}) {
  const errors: unknown[] = [];
  const ohm = createOhmServer({
    gateway: { owns: (method, path) => method === 'POST' && path.startsWith('/v1/'), handle: async (call, sink) => handle(call, sink) },
    pages: async (message, response) => void response.end(JSON.stringify({ url: message.url, headers: message.headers })),
    door: 'node',
    bodyBytes: 1024 * 1024,
    trustedProxies: 0,
    onError: (error) => errors.push(error),
    ...options,
  });
  ohm.server.listen(0, '127.0.0.1');
  await once(ohm.server, 'listening');
  running.push(ohm);
  const { port } = ohm.server.address() as AddressInfo;
  return { ohm, errors, port, url: `http://127.0.0.1:${port}` };
}

/** Sends bytes as they are; resolves with everything that came back once the server closed. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
  socket.write(text, 'latin1');
  await once(socket, 'close');
  return answer;
}

const call = (url: string, body = '{}', headers: Record<string, string> = {}) => fetch(`${url}/v1/x?q=1`, { method: 'POST', body, headers });
const answerWith = (text: string): Handle => (_, sink) => {
  sink.head(200, { 'content-type': 'text/plain' });
  sink.write(text);
  sink.end();
};

test('the engine gets what it owns, Next everything else', async () => {
  const { url } = await serve((request, sink) => answerWith(`${request.method} ${request.path}`)(request, sink));
  expect(await (await call(url)).text()).toBe('POST /v1/x');
  expect(await (await fetch(`${url}/v1/x`)).json()).toMatchObject({ url: '/v1/x' });
  expect(await (await fetch(`${url}/about?a=b`)).json()).toMatchObject({ url: '/about?a=b' });
});

test('with door next, Next gets the data plane too, and its calls count as open', async () => {
  let release!: () => void;
  const { url, ohm } = await serve(answerWith('engine'), { door: 'next', pages: async (_, response) => void (release = () => response.end('next')) });
  const response = call(url);
  while (!release) await new Promise((done) => setImmediate(done));
  expect(ohm.openCalls()).toBe(1);
  release();
  expect(await (await response).text()).toBe('next');
});

test('the head and the first write leave in one packet, and later writes leave at once', async () => {
  let sink!: Sink;
  const { port } = await serve((_, own) => void (sink = own));
  const socket = connect(port, '127.0.0.1');
  const next = async () => String((await once(socket, 'data'))[0]);
  socket.write('POST /v1/x HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n');
  while (!sink) await new Promise((done) => setImmediate(done));
  sink.head(200, { 'content-type': 'text/event-stream' });
  let early = false;
  socket.once('data', () => (early = true));
  await new Promise((done) => setImmediate(done));
  expect(early).toBe(false);
  const first = next();
  sink.write('data: 1\n\n');
  expect(await first).toMatch(/^HTTP\/1\.1 200 OK[^]*data: 1\n\n\r\n$/);
  const second = next();
  sink.write('data: 2\n\n');
  expect(await second).toContain('data: 2');
  socket.destroy();
});

test('a client that leaves is told once, and not when the answer was complete', async () => {
  const left: string[] = [];
  const { url } = await serve(async (request, sink) => {
    const name = String(request.headers['x-name']);
    sink.onClose(() => left.push(name));
    sink.head(200, {});
    sink.write('x');
    if (name === 'whole') sink.end();
  });
  await (await call(url, '{}', { 'x-name': 'whole' })).text();
  const abort = new AbortController();
  await fetch(`${url}/v1/x`, { method: 'POST', headers: { 'x-name': 'cut' }, signal: abort.signal });
  abort.abort();
  await expect.poll(() => left).toEqual(['cut']);
});

test('a client that does not read stops the writes, and they go on when it reads', async () => {
  const CHUNK = Buffer.alloc(256 * 1024);
  const TOTAL = 256;
  let written = 0;
  const { url } = await serve((_, sink) => {
    sink.head(200, {});
    const more = () => {
      while (written < TOTAL) {
        written++;
        if (!sink.write(CHUNK)) return;
      }
      sink.end();
    };
    sink.onDrain(more);
    more();
  });
  const request = httpRequest(`${url}/v1/x`, { method: 'POST' }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let before = -1;
  await expect.poll(() => { const still = before === written; before = written; return still; }, { interval: 100 }).toBe(true);
  expect(written).toBeLessThan(TOTAL / 2); // what the kernel's buffers took
  let read = 0;
  response.on('data', (chunk: Buffer) => (read += chunk.length));
  await once(response, 'end');
  expect(read).toBe(TOTAL * CHUNK.length);
});

const MIB = 1024 * 1024;
/** Answers with so many MiB at once. */
const answerMiB = (mib: number): Handle => (_, sink) => {
  sink.head(200, { 'content-length': String(mib * MIB) });
  sink.end(Buffer.alloc(mib * MIB));
};

test.each(['reads it all', 'leaves'])('what a client has not taken is held until it %s', async (ending) => {
  const held = createHeldBytes(100 * MIB);
  const { port } = await serve(answerMiB(16), { held });
  const { socket } = begin(port, 'a', 'content-length: 0');
  socket.pause();
  await expect.poll(() => held.total).toBeGreaterThan(8 * MIB);
  if (ending === 'leaves') socket.destroy();
  else socket.resume();
  await expect.poll(() => held.total).toBe(0);
  socket.destroy();
});

test('beyond what the process may hold the client for whom most waits is cut, and the others are served', async () => {
  const held = createHeldBytes(40 * MIB);
  const { port, url } = await serve((request, sink) => answerMiB(Number(request.headers['x-owner']))(request, sink), { held });
  const clients = [30, 16, 16].map((mib) => begin(port, String(mib), 'content-length: 0'));
  for (const { socket } of clients) socket.pause();
  await once(clients[0]!.socket.resume(), 'close');
  expect(clients[0]!.answer.length).toBeLessThan(30 * MIB);
  expect(held.total).toBeLessThan(33 * MIB);
  expect((await (await call(url, '', { 'x-owner': '1' })).arrayBuffer()).byteLength).toBe(MIB);
  for (const { socket } of clients) socket.destroy();
  await expect.poll(() => held.total).toBe(0);
});

test.each([
  ['less than it must', 1024 * MIB, false],
  ['enough', 1024, true],
])('a client that takes a little all the time, %s', async (_, clientBytesAS, served) => {
  const { port } = await serve(answerMiB(24), { clientStallMs: 400, clientBytesAS });
  const { socket } = begin(port, 'a', 'content-length: 0\r\nconnection: close');
  let read = 0;
  socket.on('data', (chunk: string) => {
    read += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 2);
  });
  await once(socket, 'close');
  expect(read > 24 * MIB).toBe(served);
});

test('a body over the limit is refused early, announced or not, and the client reads the refusal', async () => {
  const { url } = await serve(async (request, sink) => {
    const body = await request.body(1000, 'w');
    answerWith(body === null ? 'too large' : String(body.length))(request, sink);
  });
  const chunked = (size: number) =>
    fetch(`${url}/v1/x`, { method: 'POST', body: new Blob([new Uint8Array(size)]).stream(), duplex: 'half' } as RequestInit);
  expect(await (await call(url, 'x'.repeat(1000))).text()).toBe('1000');
  expect(await (await call(url, 'x'.repeat(1001))).text()).toBe('too large');
  expect(await (await chunked(1000)).text()).toBe('1000');
  expect(await (await chunked(3_000_000)).text()).toBe('too large');
});

test('a compressed body is refused, and bodies share one budget that is given back', async () => {
  const { url } = await serve(
    async (request, sink) => {
      const result = await request.body(2_000_000, 'w').catch((error: { code: string }) => error.code);
      answerWith(typeof result === 'string' ? result : 'read')(request, sink);
    },
    { bodyBytes: 1_500_000 },
  );
  expect(await (await call(url, 'x', { 'content-encoding': 'gzip' })).text()).toBe('unsupported_encoding');
  expect(await (await call(url, 'x'.repeat(1_600_000))).text()).toBe('body_budget_exceeded');
  for (let i = 0; i < 3; i++) expect(await (await call(url, 'x'.repeat(1_400_000))).text()).toBe('read');
});

/** Sends the head of a request and what there is of its body, and keeps the socket open. */
function begin(port: number, owner: string, head: string, part = '') {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1').on('error', () => undefined);
  const begun = { socket, answer: '' };
  socket.on('data', (chunk: string) => (begun.answer += chunk));
  socket.write(`POST /v1/x HTTP/1.1\r\nhost: a\r\nx-owner: ${owner}\r\n${head}\r\n\r\n${part}`);
  return begun;
}

/** Answers with `read`, or why the body was not. */
const readFor: Handle = async (request, sink) => {
  const result = await request.body(2_000_000, String(request.headers['x-owner'])).catch((error: { code: string }) => error.code);
  answerWith(typeof result === 'string' ? result : 'read')(request, sink);
};

test('bodies that were announced and never come hold their owner back, and nobody else', async () => {
  const { url, port } = await serve(readFor, { bodyBytes: 10_000_000 });
  const held = [1, 2, 3, 4].map(() => begin(port, 'a', 'content-length: 1200000', 'x'));
  const ask = async (bytes: number, owner: string) => (await call(url, 'x'.repeat(bytes), { 'x-owner': owner })).text();
  await expect.poll(() => ask(300_000, 'a')).toBe('body_share_exceeded');
  for (let i = 0; i < 4; i++) expect(await ask(3_900_000, 'b')).toBe('read');
  expect(await ask(30_000, 'a')).toBe('read'); // a small one has room of its own
  for (const { socket } of held) socket.destroy();
  await expect.poll(() => ask(300_000, 'a')).toBe('read');
});

test('of bodies that come at the same time those that fit go through', async () => {
  const { port } = await serve(readFor, { bodyBytes: 1_000_000 });
  const sent = ['a', 'b', 'c', 'd'].map((owner) => begin(port, owner, 'content-length: 400000', 'x'));
  await expect.poll(() => sent.filter(({ answer }) => answer.includes('body_budget_exceeded')).length).toBe(2);
  const waiting = sent.filter(({ answer }) => answer === '');
  for (const { socket } of waiting) socket.write('x'.repeat(399_999));
  await expect.poll(() => waiting.map(({ answer }) => /\r\nread/.test(answer))).toEqual([true, true]);
  for (const { socket } of sent) socket.destroy();
});

test.each([
  ['stops coming', 'content-length: 120000', 'half', null],
  ['stops coming without a length', 'transfer-encoding: chunked', '4\r\nhalf\r\n', null],
  ['drips', 'content-length: 120000', 'x', 'x'],
])('a body that %s is given up, and its share given back', async (_, head, first, more) => {
  const { url, port } = await serve(readFor, { bodyBytes: 200_000, bodyTickMs: 10 });
  const slow = begin(port, 'a', head, first);
  const dripping = more === null ? undefined : setInterval(() => slow.socket.write(more), 10);
  await expect.poll(() => slow.answer, { timeout: 5_000 }).toContain('body_stalled');
  clearInterval(dripping);
  expect(await (await call(url, 'x'.repeat(200_000), { 'x-owner': 'a' })).text()).toBe('read');
  slow.socket.destroy();
});

test('a client that leaves while it sends its body rejects the read', async () => {
  const outcome: string[] = [];
  const { port } = await serve(async (request) => {
    await request.body(1000, 'w').catch((error: { code: string }) => outcome.push(error.code));
  });
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /v1/x HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nhalf');
  await new Promise((done) => setTimeout(done, 50));
  socket.destroy();
  await expect.poll(() => outcome).toEqual(['client_left']);
});

test.each([
  ['absolute form', 'GET http://evil/ HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['two slashes', 'GET //evil/x HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['a backslash', 'GET /\\evil HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['a fragment', 'GET /a#b HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['a path that is not UTF-8', 'GET /%ff HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['a path of the data plane that is not UTF-8', 'POST /v1/%ff HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n'],
  ['a percent sign on its own', 'GET /api/v1/calls/%f HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['an encoded NUL', 'GET /w/keys/%00 HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['asterisk form', 'OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['a host with a path', 'GET / HTTP/1.1\r\nhost: a/#@b\r\n\r\n'],
  ['a host with userinfo', 'GET / HTTP/1.1\r\nhost: x@b\r\n\r\n'],
  ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['an empty host', 'GET / HTTP/1.1\r\nhost:\r\n\r\n'],
  ['length and chunked', 'POST /v1/x HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['two lengths', 'POST /v1/x HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd'],
  ['an unknown transfer coding', 'POST /v1/x HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked, x\r\n\r\n0\r\n\r\n'],
  ['a blank before the colon', 'POST /v1/x HTTP/1.1\r\nhost: a\r\ntransfer-encoding : chunked\r\n\r\n0\r\n\r\n'],
  ['a folded header', 'GET / HTTP/1.1\r\nhost: a\r\nx: 1\r\n 2\r\n\r\n'],
  ['a bare line feed', 'GET / HTTP/1.1\nhost: a\n\n'],
  ['a NUL in a header', 'GET / HTTP/1.1\r\nhost: a\r\nx: \0\r\n\r\n'],
  ['a bad chunk size', 'POST /v1/x HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
  ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['headers without end', `GET / HTTP/1.1\r\nhost: a\r\n${'x: yyyyyyyy\r\n'.repeat(5000)}\r\n`],
])('%s is refused and the connection closed', async (_, text) => {
  const handled: string[] = [];
  const { port } = await serve(async (request, sink) => {
    handled.push(String(await request.body(1000, 'w').catch(() => 'refused')));
    answerWith('ok')(request, sink);
  });
  expect(await raw(port, text)).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(handled.filter((body) => body !== 'refused')).toEqual([]);
});

test.each([
  ['framing that is none', 400, 'POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 'malformed_request'],
  ['no host', 400, 'POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 0\r\n\r\n', 'malformed_request'],
  ['no HTTP at all', 400, 'hello\r\n\r\n', 'malformed_request'],
  ['a broken chunk of a body that is being read', 400, 'POST /v1/x HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\nzz\r\n', 'malformed_request'],
  ['an expectation', 417, 'POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nexpect: tea\r\ncontent-length: 0\r\n\r\n', 'unsupported_expectation'],
  ['endless headers', 431, `GET /v1/models HTTP/1.1\r\nhost: a\r\n${'x: yyyyyyyy\r\n'.repeat(5000)}\r\n`, 'headers_too_large'],
])('what node refuses by itself has a request id and an error like any other: %s', async (_, status, text, code) => {
  const { port } = await serve(readFor);
  const [head, body, ...more] = (await raw(port, text)).split('\r\n\r\n');
  expect(more).toEqual([]); // once
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  expect(head).toMatch(/\r\nx-ohm-request-id: req_[0-9a-z]{26}(\r\n|$)/i);
  expect(head).toMatch(/\r\nconnection: close(\r\n|$)/i);
  expect(head).toMatch(new RegExp(`\\r\\ncontent-length: ${Buffer.byteLength(body!)}(\\r\\n|$)`, 'i'));
  expect(JSON.parse(body!)).toEqual({ error: { message: expect.any(String), type: 'invalid_request_error', code, param: null } });
});

test('a request that does not arrive in time is told so in the same form', async () => {
  const { port, ohm } = await serve(readFor);
  Object.assign(ohm.server, { headersTimeout: 1, connectionsCheckingInterval: 1 });
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (chunk: string) => (answer += chunk));
  socket.write('GET /v1/models HTTP/1.1\r\nhost: a\r\n');
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[^]*x-ohm-request-id: req_[^]*"code":"request_timeout"/);
}, 15_000);

test('an answer that has begun is cut where the request turns out to be broken, and nothing is said in the middle of it', async () => {
  const { port } = await serve((_, sink) => {
    sink.head(200, {});
    sink.write('half of the answer');
  });
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (chunk: string) => {
    if (answer === '') socket.write('zz\r\n');
    answer += chunk;
  });
  socket.write('POST /v1/x HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n');
  await once(socket, 'close');
  expect(answer).toContain('half of the answer');
  expect(answer).not.toContain('malformed_request');
});

test('headers that Next trusts internally do not reach it from outside, nor does a forged client address', async () => {
  const sent = {
    'x-middleware-subrequest': 'middleware:middleware', 'x-nextjs-data': '1', 'x-invoke-path': '/admin', 'x-matched-path': '/admin',
    'x-now-route-matches': '1', 'next-resume': '1', 'x-prerender-revalidate': '1', 'x-forwarded-for': '6.6.6.6', 'x-custom': 'kept', rsc: '1',
  };
  const seen = async (trustedProxies: number) => {
    const { url } = await serve(answerWith(''), { trustedProxies });
    return ((await (await fetch(url, { headers: sent })).json()) as { headers: Record<string, string> }).headers;
  };
  const headers = await seen(0);
  expect(Object.keys(headers).filter((name) => name in sent).sort()).toEqual(['rsc', 'x-custom', 'x-forwarded-for']);
  expect(headers['x-forwarded-for']).toBe('127.0.0.1');
  expect((await seen(1))['x-forwarded-for']).toBe('6.6.6.6');
});

test('pages are told the target that was asked for, whatever a client says that it was', async () => {
  const { url } = await serve(answerWith(''));
  const answer = await fetch(`${url}/ops/calls/call_1?x=1`, { headers: { 'x-ohm-target': '/elsewhere' } });
  expect(await answer.json()).toMatchObject({ headers: { 'x-ohm-target': '/ops/calls/call_1?x=1' } });
});

test('a target that is no path is refused in the words of whom it was meant for', async () => {
  const { port } = await serve(answerWith('no'));
  for (const target of ['/v1/%zz', '//v1/models', 'http://other.example/v1/models']) {
    const answer = await raw(port, `POST ${target} HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 [^]*x-ohm-request-id: req_[^]*"code":"unknown_url"/i);
  }
  expect(await raw(port, 'GET /pages/%zz HTTP/1.1\r\nhost: a\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*text\/plain[^]*plain path/i);
});

test('an error of our own is a 500 without its message', async () => {
  const { url, errors } = await serve(async () => {
    throw new Error('secret detail');
  });
  const response = await call(url);
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: { code: 'internal_error' } });
  expect(errors).toHaveLength(1);
});

test('a drain turns readiness off first, lets open calls finish, then closes the port', async () => {
  const order: string[] = [];
  let sink!: Sink;
  const { url, ohm } = await serve((request, own) => {
    if (request.headers['x-late']) return answerWith('late')(request, own);
    sink = own;
    sink.head(200, {});
    sink.write('first ');
  });
  const open = await call(url);
  const drained = drain({ server: ohm, drainMs: 5_000, beginDrain: () => order.push('not ready'), cutOpenCalls: () => order.push('cut'), log: () => undefined });
  const late = await call(url, '{}', { 'x-late': '1' });
  expect([await late.text(), late.headers.get('connection')]).toEqual(['late', 'close']);
  sink.write('last');
  sink.end();
  expect(await open.text()).toBe('first last');
  await drained;
  expect(order).toEqual(['not ready']);
  await expect(call(url)).rejects.toThrow();
});

test('calls that outlast the drain are cut by the engine and still get their last frame', async () => {
  let sink!: Sink;
  const { url, ohm } = await serve((_, own) => {
    sink = own;
    sink.head(200, {});
    sink.write('first ');
  });
  const open = await call(url);
  await drain({
    server: ohm,
    drainMs: 50,
    beginDrain: () => undefined,
    cutOpenCalls: () => {
      sink.write('gateway_draining');
      sink.end();
    },
    log: () => undefined,
  });
  expect(await open.text()).toBe('first gateway_draining');
});
