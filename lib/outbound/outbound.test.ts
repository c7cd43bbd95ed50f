import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UpstreamExchange, UpstreamRequest } from '../gateway/upstream';
import { parseAllowRules } from '../std/allow-rules';
import { createOutbound, type OutboundClient, type OutboundOptions } from './outbound';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A server that the test scripts byte by byte. */
async function rawServer(onConnection: (socket: Socket) => void, host = '127.0.0.1') {
  const sockets: Socket[] = [];
  const server = net.createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {}); // resets are part of the script
    onConnection(socket);
  });
  server.listen(0, host);
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, sockets };
}

async function httpServer(listener: http.RequestListener) {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}`, server };
}

function client(options: Partial<OutboundOptions> = {}): OutboundClient {
  const outbound = createOutbound({ allowPrivate: parseAllowRules('127.0.0.0/8'), ownPorts: () => [], sandbox: () => null, ...options });
  closers.push(() => outbound.close());
  return outbound;
}

type Note = ['head', number] | ['data', string] | ['end'] | ['error', string, string, boolean];

function open(outbound: OutboundClient, request: Partial<UpstreamRequest> & { origin: string }, onNote?: (note: Note, exchange: UpstreamExchange) => void) {
  const notes: Note[] = [];
  let headers: Record<string, string | string[] | undefined> = {};
  let bytes = 0;
  let settle: () => void;
  const over = new Promise<void>((resolve) => (settle = resolve));
  const note = (entry: Note) => {
    notes.push(entry);
    onNote?.(entry, exchange);
    if (entry[0] === 'end' || entry[0] === 'error') settle();
  };
  let insideOpen = true;
  const exchange = outbound.open(
    { path: '/x', method: 'POST', headers: {}, body: '{}', guard: 'public', fresh: false, connectTimeoutMs: 5000, ...request },
    {
      onHead: (status, given) => {
        headers = given.all();
        note(['head', status]);
      },
      onData: (chunk) => {
        bytes += chunk.length;
        note(['data', chunk.length > 10_000 ? '…' : chunk.toString()]);
      },
      onEnd: () => note(['end']),
      onError: ({ phase, code, refused }) => {
        expect(insideOpen).toBe(false);
        note(['error', phase, code, refused]);
      },
    },
  );
  insideOpen = false;
  return { exchange, notes, over, headers: () => headers, bytes: () => bytes, text: () => notes.map((entry) => (entry[0] === 'data' ? entry[1] : '')).join('') };
}

const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true), { interval: 5, timeout: 5000 });

describe('an exchange', () => {
  it('gives head, data and end, and keeps the connection for the next one', async () => {
    const server = await httpServer((request, response) => response.end(`${request.method} ${request.url}`));
    let connections = 0;
    server.server.on('connection', () => connections++);
    const outbound = client();
    for (let i = 0; i < 3; i++) {
      const call = open(outbound, server);
      await call.over;
      expect(call.notes).toEqual([['head', 200], ['data', 'POST /x'], ['end']]);
      await new Promise(setImmediate);
    }
    expect(connections).toBe(1);
  });

  it('marked fresh has a connection of its own, closed afterwards', async () => {
    const server = await httpServer((_request, response) => response.end('x'));
    let connections = 0;
    server.server.on('connection', () => connections++);
    const outbound = client();
    await open(outbound, server).over;
    await open(outbound, { ...server, fresh: true }).over;
    expect(connections).toBe(2);
    await until(() => outbound.sockets() === 1);
  });

  it('ignores 1xx answers', async () => {
    const server = await rawServer((socket) => socket.once('data', () => socket.write('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx')));
    const call = open(client(), server);
    await call.over;
    expect(call.notes).toEqual([['head', 200], ['data', 'x'], ['end']]);
  });

  it('does not follow a redirect, and hides where it points', async () => {
    const trap = await rawServer(() => {});
    const server = await httpServer((_request, response) => response.writeHead(302, { location: trap.origin }).end('moved'));
    const call = open(client(), server);
    await call.over;
    expect(call.notes[0]).toEqual(['head', 302]);
    expect(call.headers()).not.toHaveProperty('location');
    expect(trap.sockets).toHaveLength(0);
  });

  it('does not go by proxy settings of the environment', async () => {
    const trap = await rawServer(() => {});
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) vi.stubEnv(name, name.startsWith('NODE') ? '1' : trap.origin);
    const server = await httpServer((_request, response) => response.end('x'));
    await open(client(), server).over;
    vi.unstubAllEnvs();
    expect(trap.sockets).toHaveLength(0);
  });

  it('keeps hop-by-hop headers, cookies and our own credential out of what it reports', async () => {
    const server = await httpServer((request, response) => {
      response.writeHead(200, { connection: 'keep-alive, x-secret', 'x-secret': '1', 'set-cookie': 'a=b', 'x-echo': `key ${request.headers.authorization}`, 'x-request-id': 'r1', 'retry-after': '2' }).end('x');
    });
    const call = open(client(), { ...server, headers: { authorization: 'Bearer canary-credential' } });
    await call.over;
    expect(call.headers()).toMatchObject({ 'x-request-id': 'r1', 'retry-after': '2' });
    for (const name of ['connection', 'x-secret', 'set-cookie', 'x-echo', 'transfer-encoding', 'keep-alive']) expect(call.headers()).not.toHaveProperty(name);
  });
});

describe('a failure says how far the exchange came', () => {
  it('connect: refused', async () => {
    const server = await rawServer(() => {});
    await closers.pop()!();
    const call = open(client(), server);
    await call.over;
    expect(call.notes).toEqual([['error', 'connect', 'ECONNREFUSED', false]]);
  });

  it('connect: the name does not resolve', async () => {
    const call = open(client({ resolve: (_host, callback) => callback(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), []) }), { origin: 'https://nowhere.test' });
    await call.over;
    expect(call.notes).toEqual([['error', 'connect', 'ENOTFOUND', false]]);
  });

  it('connect: no TLS on the other side in time, and its socket is closed', async () => {
    const server = await rawServer((socket) => socket.resume());
    const call = open(client(), { origin: server.origin.replace('http', 'https'), connectTimeoutMs: 50 });
    await call.over;
    expect(call.notes).toEqual([['error', 'connect', 'CONNECT_TIMEOUT', false]]);
    await until(() => server.sockets[0]!.closed);
  });

  it('connect: a certificate that nobody vouches for, asked for by name', async () => {
    const names: string[] = [];
    const server = tls.createServer({ key: KEY, cert: CERTIFICATE, SNICallback: (name, callback) => (names.push(name), callback(null)) }).listen(0, '127.0.0.1');
    server.on('tlsClientError', () => {});
    await once(server, 'listening');
    closers.push(() => server.close());
    const call = open(client({ resolve: toAddresses('127.0.0.1') }), { origin: `https://provider.test:${(server.address() as AddressInfo).port}` });
    await call.over;
    expect(call.notes).toEqual([['error', 'connect', 'DEPTH_ZERO_SELF_SIGNED_CERT', false]]);
    expect(names).toEqual(['provider.test']);
  });

  it.each([
    ['request', 'closed after the request was sent', ''],
    ['request', 'closed inside the head', 'HTTP/1.1 200 OK\r\ncontent-'],
    ['body', 'closed inside a chunked body', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'],
    ['body', 'closed before the promised length', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello'],
    ['body', 'broken chunk framing', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
  ])('%s: %s', async (phase, _name, answer) => {
    const server = await rawServer((socket) => socket.once('data', () => socket.end(answer)));
    const call = open(client(), server);
    await call.over;
    expect(call.notes.at(-1)!.slice(0, 2)).toEqual(['error', phase]);
    expect(call.notes.filter(([kind]) => kind === 'error')).toHaveLength(1);
  });

  it('body: reset', async () => {
    const server = await rawServer((socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n', () => setImmediate(() => socket.resetAndDestroy()))));
    const call = open(client(), server);
    await call.over;
    expect(call.notes.at(-1)!.slice(0, 2)).toEqual(['error', 'body']);
  });

  it('a body that ends with the connection and has no framing is whole', async () => {
    const server = await rawServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nhello')));
    const call = open(client(), server);
    await call.over;
    expect(call.notes).toEqual([['head', 200], ['data', 'hello'], ['end']]);
  });
});

describe('abort ends the socket at once and silences the handler', () => {
  const stages: [string, string, number][] = [
    ['before the head', '', 0],
    ['after the head', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', 1],
    ['inside the body', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n', 2],
  ];
  it.each(stages)('%s', async (_name, answer, notes) => {
    let asked = false;
    const server = await rawServer((socket) =>
      socket.once('data', () => {
        asked = true;
        socket.write(answer);
      }),
    );
    const call = open(client(), server);
    await until(() => asked && call.notes.length === notes);
    call.exchange.abort();
    call.exchange.abort();
    await until(() => server.sockets[0]!.closed);
    expect(call.notes).toHaveLength(notes);
  });

  it('while paused', async () => {
    const server = await httpServer((_request, response) => response.write('x'));
    const sockets: Socket[] = [];
    server.server.on('connection', (socket) => sockets.push(socket));
    const call = open(client(), server, ([kind], exchange) => kind === 'data' && exchange.pause());
    await until(() => call.notes.length === 2);
    call.exchange.abort();
    await until(() => sockets[0]!.closed);
    expect(call.notes).toHaveLength(2);
  });

  it('while connecting', async () => {
    const server = await rawServer((socket) => socket.resume());
    const outbound = client();
    const call = open(outbound, { origin: server.origin.replace('http', 'https') });
    await until(() => server.sockets.length === 1);
    call.exchange.abort();
    await until(() => server.sockets[0]!.closed && outbound.sockets() === 0);
    expect(call.notes).toEqual([]);
  });

  it('in the very tick of opening: nothing is asked', async () => {
    let asked = 0;
    const server = await httpServer((_request, response) => (asked++, response.end('x')));
    const outbound = client();
    const calls = [false, true].map((fresh) => open(outbound, { ...server, fresh }));
    for (const call of calls) call.exchange.abort();
    await until(() => outbound.sockets() === 0);
    expect([asked, ...calls.flatMap((call) => call.notes)]).toEqual([0]);
    await open(outbound, server).over; // and the pool still works
    expect(asked).toBe(1);
  });

  it('from inside the handler, and after the end', async () => {
    const server = await httpServer((_request, response) => response.end('x'));
    const outbound = client();
    const inside = open(outbound, server, (_note, exchange) => exchange.abort());
    await until(() => inside.notes.length === 1 && outbound.sockets() === 0);
    const after = open(outbound, server, (note, exchange) => note[0] === 'end' && exchange.abort());
    await after.over;
    expect(after.notes.at(-1)).toEqual(['end']);
    expect(inside.notes).toEqual([['head', 200]]);
  });
});

describe('back-pressure', () => {
  it.each([
    ['identity', 64],
    ['gzip', 12],
  ])('a paused exchange stops the upstream, and loses nothing (%s)', async (encoding, mebibytes) => {
    const total = mebibytes * 1024 * 1024;
    const block = Buffer.alloc(65_536);
    for (let i = 0; i < block.length; i++) block[i] = (i * 2654435761) >>> 24;
    let written = 0;
    const server = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      const out = encoding === 'gzip' ? createGzip({ level: 0, chunkSize: 65_536 }) : response;
      if (out !== response) (out as ReturnType<typeof createGzip>).pipe(response);
      const more = () => {
        while (written < total) {
          written += block.length;
          if (!out.write(block)) return void out.once('drain', more);
        }
        out.end();
      };
      more();
    });
    let paused = false;
    const call = open(client(), server, (note, exchange) => {
      if (note[0] !== 'data' || paused) return;
      paused = true;
      exchange.pause();
    });
    await until(() => paused);
    let before = -1;
    await until(() => before === (before = written)); // the upstream has stalled
    expect(written).toBeLessThan(total * 0.9);
    const seen = call.bytes();
    call.exchange.resume();
    expect(call.bytes()).toBe(seen); // not inside resume
    await call.over;
    expect(call.bytes()).toBe(total);
  }, 30_000);
});

describe('compressed answers', () => {
  const text = 'data: {"x":1}\n\n'.repeat(50);
  it.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['identity', Buffer.from(text)],
  ])('%s is read', async (encoding, body) => {
    const server = await httpServer((_request, response) => response.writeHead(200, { 'content-encoding': encoding, 'content-length': body.length }).end(body));
    const call = open(client(), server);
    await call.over;
    expect(call.text()).toBe(text);
    expect(call.notes.at(-1)).toEqual(['end']);
    if (encoding !== 'identity') expect(call.headers()).not.toHaveProperty('content-length');
  });

  it('comes through as it arrives', async () => {
    let next = () => {};
    const server = await httpServer((_request, response) => {
      const zip = createGzip();
      zip.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }));
      zip.write('one');
      zip.flush();
      next = () => zip.end('two');
    });
    const call = open(client(), server);
    await until(() => call.text() === 'one');
    next();
    await call.over;
    expect(call.text()).toBe('onetwo');
  });

  it.each([
    ['gzip, br', gzipSync(text), 'unsupported_encoding'],
    ['zstd', Buffer.from('x'), 'unsupported_encoding'],
    ['gzip', Buffer.from('no gzip at all'), 'decoding_failed'],
    ['gzip', gzipSync(text).subarray(0, 30), 'decoding_failed'],
    ['gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024)), 'decoding_bomb'],
  ])('%s is given up on when it cannot be trusted (%#)', async (encoding, body, code) => {
    const server = await httpServer((_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));
    const outbound = client();
    const call = open(outbound, server);
    await call.over;
    expect(call.notes.at(-1)).toEqual(['error', 'body', code, false]);
    expect(call.bytes()).toBeLessThan(20 * 1024 * 1024);
  });
});

describe('the guard at connect time', () => {
  it('lets no connection through to a private address that is not open', async () => {
    const trap = await rawServer(() => {});
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      for (const fresh of [false, true]) {
        const call = open(client({ allowPrivate: [] }), { origin: `http://${host}:${trap.port}`, fresh });
        await call.over;
        expect(call.notes).toEqual([['error', 'connect', 'address_refused', true]]);
      }
    }
    expect(trap.sockets).toHaveLength(0);
  });

  it('refuses a name as soon as one of its addresses is private', async () => {
    const trap = await rawServer(() => {});
    const call = open(client({ allowPrivate: [], resolve: toAddresses('93.184.216.34', '127.0.0.1') }), { origin: `https://rebind.test:${trap.port}` });
    await call.over;
    expect(call.notes).toEqual([['error', 'connect', 'address_refused', true]]);
    expect(trap.sockets).toHaveLength(0);
  });

  it('connects to the address that it judged, whatever the name means a moment later', async () => {
    const hosts: (string | undefined)[] = [];
    const good = await httpServer((request, response) => (hosts.push(request.headers.host), response.end('good')));
    const trap = await rawServer(() => {}, '127.0.0.2');
    const asked: string[] = [];
    const answers = ['127.0.0.1', '127.0.0.2'];
    const outbound = client({
      allowPrivate: parseAllowRules('127.0.0.1/32'),
      resolve: (host, callback) => {
        asked.push(host);
        toAddresses(answers.shift() ?? '127.0.0.2')(host, callback);
      },
    });
    const first = open(outbound, { origin: `http://rebind.test:${good.port}`, fresh: true });
    await first.over;
    expect(first.text()).toBe('good');
    expect(asked).toEqual(['rebind.test']);
    expect(hosts).toEqual([`rebind.test:${good.port}`]);
    const second = open(outbound, { origin: `http://rebind.test:${trap.port}`, fresh: true });
    await second.over;
    expect(second.notes).toEqual([['error', 'connect', 'address_refused', true]]);
    expect(trap.sockets).toHaveLength(0);
  });

  it('keeps the product\'s own ports closed, also when they become known late', async () => {
    const own: number[] = [];
    const trap = await rawServer(() => {});
    own.push(trap.port);
    const call = open(client({ ownPorts: () => own }), trap);
    await call.over;
    expect(call.notes).toEqual([['error', 'connect', 'address_refused', true]]);
    expect(trap.sockets).toHaveLength(0);
  });

  it('goes over IPv6 where that is open, and only there', async () => {
    const server = await rawServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nv6')), '::1');
    const open6 = open(client({ allowPrivate: parseAllowRules('::1/128') }), server);
    await open6.over;
    expect(open6.text()).toBe('v6');
    const closed = open(client({ resolve: toAddresses('::1') }), { origin: `http://six.test:${server.port}` });
    await closed.over;
    expect(closed.notes).toEqual([['error', 'connect', 'address_refused', true]]);
    expect(server.sockets).toHaveLength(1);
  });

  it('lets the sandbox be reached as the sandbox only', async () => {
    const sandbox = await httpServer((_request, response) => response.end('sandbox'));
    const other = await rawServer(() => {});
    const outbound = client({ allowPrivate: [], sandbox: () => sandbox.origin, ownPorts: () => [sandbox.port] });
    const inside = open(outbound, { ...sandbox, guard: 'sandbox' });
    await inside.over;
    expect(inside.text()).toBe('sandbox');
    for (const request of [{ ...sandbox, guard: 'public' as const }, { ...other, guard: 'sandbox' as const }]) {
      const call = open(outbound, request);
      await call.over;
      expect(call.notes).toEqual([['error', 'connect', 'address_refused', true]]);
    }
    expect(other.sockets).toHaveLength(0);
  });

  it('never tells the address', async () => {
    const messages: string[] = [];
    const outbound = client({ allowPrivate: [], resolve: toAddresses('10.11.12.13') });
    await new Promise<void>((resolve) =>
      outbound.open({ origin: 'https://x.test', path: '/', method: 'POST', headers: {}, body: null, guard: 'public', fresh: false, connectTimeoutMs: 1000 }, {
        onHead: () => {}, onData: () => {}, onEnd: () => {},
        onError: ({ message }) => (messages.push(message), resolve()),
      }),
    );
    expect(messages.join()).not.toMatch(/10\.11/);
  });
});

describe('header and path injection', () => {
  let trap: Awaited<ReturnType<typeof rawServer>>;
  beforeEach(async () => {
    trap = await rawServer(() => {});
  });

  it('a character that could end a header is refused before anything is sent', async () => {
    const outbound = client();
    const evil = fc.tuple(fc.string({ maxLength: 5 }), fc.constantFrom('\r', '\n', '\r\nx: y', '\0', '\u0001', '\x7f', '语', '\u0100\u010a'), fc.string({ maxLength: 5 })).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(evil, async (value) => {
        const call = open(outbound, { ...trap, headers: { 'x-model': value } });
        await call.over;
        expect(call.notes).toEqual([['error', 'connect', 'invalid_request', false]]);
      }),
      { numRuns: 100 },
    );
    expect(trap.sockets).toHaveLength(0);
  });

  it.each([
    [{ headers: { 'bad name': 'x' } }],
    [{ headers: { 'x\r\ny': 'x' } }],
    [{ headers: { Host: 'evil' } }],
    [{ headers: { 'content-length': '0' } }],
    [{ headers: { 'Transfer-Encoding': 'chunked' } }],
    [{ path: 'http://evil.test/' }],
    [{ path: '/x\r\ny: z' }],
    [{ path: '/x y' }],
    [{ path: '/x#y' }],
    [{ path: '' }],
  ])('%j is refused', async (parts) => {
    const call = open(client(), { ...trap, ...(parts as Partial<UpstreamRequest>) });
    await call.over;
    expect(call.notes).toEqual([['error', 'connect', 'invalid_request', false]]);
    expect(trap.sockets).toHaveLength(0);
  });
});

function toAddresses(...addresses: string[]): NonNullable<OutboundOptions['resolve']> {
  return (_host, callback) => callback(null, addresses.map((address) => ({ address, family: net.isIP(address) })));
}

/** A throw-away pair for the name provider.test, vouched for by nobody. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4qxbxZwHpBupgXT7
xmMYP0toRi/l78rs1ryoK6TCURGhRANCAATCxu9aL2Jq+8NVyF1V1mUuwMZn74pD
rsLiJSj3LcbS5q571MDsT5rQ6ZfHh28utiuQeOGVeeneH8fZA/zdlfTM
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIURiIJJHgCcM+XwEriNPbcWsEuxvMwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcHJvdmlkZXIudGVzdDAgFw0yNjExMjkyMTU3MTFaGA8yMTI2
MTEwNTIxNTcxMVowGDEWMBQGA1UEAwwNcHJvdmlkZXIudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABMLG71ovYmr7w1XIXVXWZS7AxmfvikOuwuIlKPctxtLm
rnvUwOxPmtDpl8eHby62K5B44ZV56d4fx9kD/N2V9MyjbTBrMB0GA1UdDgQWBBQ6
kkEYJUSkcZzUD+V6H4+2pkJTXzAfBgNVHSMEGDAWgBQ6kkEYJUSkcZzUD+V6H4+2
pkJTXzAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDXByb3ZpZGVyLnRlc3Qw
CgYIKoZIzj0EAwIDSAAwRQIhAO5cCcRycbjbLISKV9x9kiZ0kGvlWN9Tb1T33A/7
kCRVAiB17m1u96Cwbz1SWTm0rk3ARZWNCAz/9Ll2Xp6iGbc5CQ==
-----END CERTIFICATE-----`;
