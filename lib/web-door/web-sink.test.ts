import { expect, test } from 'vitest';
import type { CallRequest, Sink } from '../gateway/ports';
import { handleWeb } from './handle-web';

const request = (init: RequestInit = {}) => new Request('http://ohm/v1/chat/completions?x=1', { method: 'POST', body: '{}', ...init });
const gateway = (handle: (sink: Sink, request: CallRequest) => void | Promise<void>) => ({
  handle: async (call: CallRequest, sink: Sink) => handle(sink, call),
});
const turn = () => new Promise((done) => setImmediate(done));

test('an answer that ends at once is a plain body with its head', async () => {
  const response = await handleWeb(request(), gateway((sink) => {
    sink.head(404, { 'content-type': 'application/json', 'x-ohm-route': 'chat' });
    sink.write('{"error":');
    sink.write(Buffer.from('1}'));
    sink.end();
  }));
  expect([response.status, response.headers.get('x-ohm-route'), await response.text()]).toEqual([404, 'chat', '{"error":1}']);
});

test('no Response exists before the first write', async () => {
  let sink!: Sink;
  let answered = false;
  const response = handleWeb(request(), gateway((own) => void (sink = own)));
  void response.then(() => (answered = true));
  await turn();
  sink.head(200, {});
  await turn();
  expect(answered).toBe(false);
  sink.write('data: 1\n\n');
  const reader = (await response).body!.getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('data: 1\n\n');
  sink.write('data: 2\n\n');
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('data: 2\n\n');
  sink.end();
  expect((await reader.read()).done).toBe(true);
});

test('a reader that does not read makes write false, and drains when it reads again', async () => {
  let sink!: Sink;
  let drained = 0;
  const response = handleWeb(request(), gateway((own) => void (sink = own)));
  sink.onDrain(() => drained++);
  sink.head(200, {});
  sink.write('x');
  const reader = (await response).body!.getReader();
  await reader.read();
  await turn();
  expect(sink.write(Buffer.alloc(60_000))).toBe(true);
  await turn();
  expect(sink.write(Buffer.alloc(60_000))).toBe(false);
  const before = drained;
  await turn();
  expect(drained).toBe(before);
  await reader.read();
  await reader.read();
  await turn();
  expect(drained).toBeGreaterThan(before);
});

test('the client leaving is told once, by signal or by cancel, and writes after it are harmless', async () => {
  const abort = new AbortController();
  let sink!: Sink;
  let left = 0;
  const response = handleWeb(request({ signal: abort.signal }), gateway((own) => void (sink = own)));
  sink.onClose(() => left++);
  sink.head(200, {});
  sink.write('x');
  const { body } = await response;
  await body!.cancel();
  abort.abort();
  expect([left, sink.closed]).toEqual([1, true]);
  expect(sink.write('y')).toBe(true);
  sink.end();
});

test('a client that leaves before anything was sent is told as well', async () => {
  const abort = new AbortController();
  let left = 0;
  const response = handleWeb(request({ signal: abort.signal }), gateway((sink) => sink.onClose(() => left++)));
  await turn();
  abort.abort();
  expect([left, (await response).status]).toEqual([1, 499]);
});

test('leaving after the last byte was read is not leaving; leaving while it is unread is', async () => {
  const run = async (readAll: boolean) => {
    const abort = new AbortController();
    let left = 0;
    let sink!: Sink;
    const response = handleWeb(request({ signal: abort.signal }), gateway((own) => void (sink = own)));
    sink.onClose(() => left++);
    sink.head(200, {});
    sink.write('x');
    const reader = (await response).body!.getReader();
    sink.write('y');
    sink.end();
    if (readAll) while (!(await reader.read()).done);
    abort.abort();
    return left;
  };
  expect([await run(true), await run(false)]).toEqual([0, 1]);
});

test('a body over the limit is null, announced or not, and a compressed one is refused', async () => {
  const read = async (init: RequestInit) => {
    let result: unknown;
    await handleWeb(request(init), gateway(async (sink, call) => {
      result = await call.body(10, 'w').catch((error: { code: string }) => error.code);
      sink.head(200, {});
      sink.end();
    }));
    return result;
  };
  const stream = (size: number) => ({ body: new Blob(['x'.repeat(size)]).stream(), duplex: 'half' }) as RequestInit;
  expect(await read({ body: 'x'.repeat(10) })).toEqual(Buffer.from('x'.repeat(10)));
  expect(await read({ body: 'x'.repeat(11) })).toBe(null);
  expect(await read(stream(11))).toBe(null);
  expect(await read({ body: 'x', headers: { 'content-length': '999' } })).toBe(null);
  expect(await read({ headers: { 'content-encoding': 'gzip' } })).toBe('unsupported_encoding');
});

test('the path comes without its query', async () => {
  const response = await handleWeb(request(), gateway((sink, call) => {
    sink.head(200, {});
    sink.write(`${call.method} ${call.path}`);
    sink.end();
  }));
  expect(await response.text()).toBe('POST /v1/chat/completions');
});
