import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyBudget } from '../server/body-budget';
import { handleWeb } from '../web-door';
import { TEST_KEY, testEngine, type TestEngine } from './test-engine';

let engine: TestEngine;
beforeAll(async () => {
  engine = await testEngine({}, undefined, { bodyBytes: 1_000_000, bodyTickMs: 20 });
});
afterAll(() => engine.close());

/** The head of a call whose body is promised and does not come. */
function promised(length: number) {
  const socket = connect(Number(new URL(engine.url).port), '127.0.0.1').setEncoding('latin1').on('error', () => undefined);
  const call = { socket, answer: '', closed: once(socket, 'close') };
  socket.on('data', (chunk: string) => (call.answer += chunk));
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-length: ${length}\r\n\r\n{`);
  return call;
}

test('a body that stops coming is a 408 that closes the connection, and has its row', async () => {
  const call = promised(1_000);
  await call.closed;
  expect(call.answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(call.answer).toMatch(/\r\nconnection: close\r\n/i);
  expect(call.answer).toContain('"code":"request_timeout"');
  expect(engine.rows.at(-1)).toMatchObject({ status: 408, error_code: 'request_timeout' });
});

test('a workspace that holds its share of the room is told so, with the code of a full process', async () => {
  const first = promised(450_000);
  const second = promised(300_000);
  await expect.poll(() => second.answer).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*of this workspace[^]*"body_budget_exceeded"/i);
  for (const { socket } of [first, second]) socket.destroy();
});

test('the door of Next holds bodies to the same bounds, and gives back what they had', async () => {
  const bodies = bodyBudget(1_000_000, 20);
  const ask = async (body: BodyInit, headers: Record<string, string> = {}) => {
    const asked = new Request(`${engine.url}/v1/chat/completions`, { method: 'POST', body, duplex: 'half', headers: { authorization: `Bearer ${TEST_KEY}`, ...headers } } as RequestInit);
    const answer = await handleWeb(asked, engine.gateway, bodies);
    return [answer.status, ((await answer.json()) as { error: { code: string } }).error.code];
  };
  const neverEnding = () => new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{')) });
  const slow = ask(neverEnding(), { 'content-length': '450000' });
  expect(await ask('x'.repeat(300_000), { 'content-length': '300000' })).toEqual([503, 'body_budget_exceeded']);
  expect(await slow).toEqual([408, 'request_timeout']);
  expect(await ask(neverEnding())).toEqual([408, 'request_timeout']);
  await expect.poll(() => ask('x'.repeat(1_000_000), { 'content-length': '1000000' })).toEqual([400, 'invalid_json']);
});
