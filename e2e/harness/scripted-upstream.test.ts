import { afterEach, expect, test } from 'vitest';
import { openai, refusingOrigin, scriptedUpstream, type ScriptedUpstream, type Script } from './index';

const open: ScriptedUpstream[] = [];
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close();
});
const upstreamWith = async (...args: Parameters<typeof scriptedUpstream>) => {
  const upstream = await scriptedUpstream(...args);
  open.push(upstream);
  return upstream;
};
const ask = (upstream: ScriptedUpstream, signal?: AbortSignal) =>
  fetch(`${upstream.baseUrl}/chat/completions`, { method: 'POST', body: '{"a":1}', headers: { 'x-test': 'yes' }, ...(signal ? { signal } : {}) });
/** What a client gets to read, and how it ends. */
const read = async (response: Response) => {
  let text = '';
  try {
    for await (const part of response.body!) text += Buffer.from(part).toString();
    return [text, 'end'];
  } catch {
    return [text, 'broken'];
  }
};

test('a list answers in order and repeats its last one, and contacts are remembered', async () => {
  const upstream = await upstreamWith([openai.error(503), openai.jsonOf('hi')]);
  expect([(await ask(upstream)).status, (await ask(upstream)).status, (await ask(upstream)).status]).toEqual([503, 200, 200]);
  expect(upstream.contacts).toMatchObject([
    { index: 0, method: 'POST', path: '/v1/chat/completions', body: '{"a":1}', headers: { 'x-test': 'yes' }, leftAt: null },
    { index: 1 },
    { index: 2 },
  ]);
});

test('a stream arrives step by step and ends lawfully', async () => {
  let goOn!: () => void;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const upstream = await upstreamWith([openai.sseHead(), openai.role(), { until: gate }, openai.text('x'), openai.DONE]);
  const response = await ask(upstream);
  const reader = response.body!.getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toContain('assistant');
  goOn();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) rest += Buffer.from(part.value).toString();
  expect(rest).toMatch(/"content":"x"[^]*\[DONE\]\n\n$/);
});

test.each(['reset', 'close'] as const)('%s after some bytes delivers them and breaks the body', async (fault) => {
  const upstream = await upstreamWith([openai.sseHead(), { send: 'data: 1\n\n' }, fault]);
  expect(await read(await ask(upstream))).toEqual(['data: 1\n\n', 'broken']);
});

test.each<[string, Script]>([
  ['reset before the head', ['reset']],
  ['close before the head', ['close']],
  ['bytes that are no HTTP', [{ raw: 'SSH-2.0-x\r\n\r\n' }, 'close']],
])('%s fails the request', async (_, script) => {
  await expect(ask(await upstreamWith(script))).rejects.toThrow();
});

test.each(['reset', 'close'] as const)('%s on connection fails it before any request', async (onConnection) => {
  const upstream = await upstreamWith(['end'], { onConnection });
  await expect(ask(upstream)).rejects.toThrow();
  expect([upstream.contacts.length, upstream.connections() > 0]).toEqual([0, true]);
});

test('nothing listens at a refusing origin', async () => {
  await expect(fetch(await refusingOrigin())).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test('a client that leaves a stalled answer is noticed, one that got everything is not', async () => {
  const upstream = await upstreamWith([['stall'], openai.jsonOf('hi')]);
  const abort = new AbortController();
  const stalled = ask(upstream, abort.signal).catch(() => 'aborted');
  await upstream.contacted(1);
  abort.abort();
  expect(await stalled).toBe('aborted');
  await upstream.contacts[0]!.left;
  await (await ask(upstream)).text();
  expect(upstream.contacts.map(({ leftAt }) => leftAt !== null)).toEqual([true, false]);
});

test('a drip comes in pieces', async () => {
  const upstream = await upstreamWith([openai.sseHead(), { drip: 'data: 123\n\n', bytes: 4, everyMs: 10 }]);
  const response = await ask(upstream);
  const parts: number[] = [];
  for await (const part of response.body!) parts.push(part.length);
  expect(parts.length).toBeGreaterThan(1);
});
