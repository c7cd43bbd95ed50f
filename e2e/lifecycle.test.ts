import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { type Door, managementClient, openai, refusingOrigin, type RunningOhm, scriptedUpstream, type ScriptedUpstream, startOhm, type StartOptions, startScript } from './harness';

/** The process: how it starts, what it survives, how it ends. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(options: StartOptions = {}): Promise<RunningOhm> {
  const ohm = await startOhm(options);
  cleanups.push(() => ohm.stop());
  return ohm;
}

async function furnished(ohm: RunningOhm): Promise<{ upstream: ScriptedUpstream; key: string; api: ReturnType<typeof managementClient> }> {
  const upstream = await scriptedUpstream(openai.streamOf('hello'));
  cleanups.push(() => upstream.close());
  const { managementKey } = await ohm.bootstrap();
  const api = managementClient(ohm.url, managementKey);
  await api.connection('up', upstream.baseUrl);
  await api.route('chat', ['up/scripted']);
  return { upstream, api, key: await api.key('chat') };
}

const stream = (ohm: RunningOhm, key: string) =>
  fetch(`${ohm.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'chat', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  });

/** Runs the server until it ends by itself. */
async function refusedStart(env: Record<string, string>): Promise<{ code: number; stderr: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ohm-e2e-'));
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(OHM_|DATABASE_URL$|NODE_OPTIONS$)/.test(name)));
  const child = spawn(process.execPath, startScript('start'), { cwd: ROOT, env: { ...(clean as NodeJS.ProcessEnv), OHM_DATA_DIR: dataDir, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stderr };
}

test('bad variables stop the start by their names', async () => {
  const { code, stderr } = await refusedStart({ PORT: 'eighty', OHM_SECRET: 'change-me', OHM_DOOR: 'back' });
  expect(code).toBe(1);
  expect(stderr.match(/^ohm: (\w+) /gm)).toEqual(['ohm: PORT ', 'ohm: OHM_SECRET ', 'ohm: OHM_DOOR ']);
});

test('a port that is taken is said so', async () => {
  const taken = await scriptedUpstream([]);
  cleanups.push(() => taken.close());
  const { code, stderr } = await refusedStart({ PORT: String(taken.port) });
  expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^ohm: port ${taken.port} is taken`))]);
});

test('a port that this installation serves already is said to be its own', async () => {
  const ohm = await start();
  const { code, stderr } = await refusedStart({ PORT: String(ohm.port), OHM_DATA_DIR: ohm.dataDir });
  expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^ohm: port ${ohm.port} is served by this installation already \\(process ${ohm.pid}\\)`))]);
});

test('a database that is down is one line that names the variable and not the password', async () => {
  const down = new URL(await refusingOrigin());
  const { code, stderr } = await refusedStart({ PORT: '0', DATABASE_URL: `postgres://me:hidden@${down.host}/ohm`, OHM_SECRET: randomBytes(32).toString('base64') });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^ohm: DATABASE_URL: the database at [^\n]+ does not answer \(ECONNREFUSED\)[^\n]+\n$/)]);
  expect(stderr).not.toContain('hidden');
});

test('another secret than the database was set up with is one line that names it', async () => {
  const ohm = await start();
  const { code, stderr } = await refusedStart({ PORT: '0', OHM_DATA_DIR: ohm.dataDir, OHM_SECRET: randomBytes(32).toString('base64') });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^ohm: OHM_SECRET is not the one [^\n]+\n$/)]);
});

test('plain next start does not outlive the process that started it', async () => {
  const ohm = await start({ door: 'next-start' });
  process.kill(ohm.pid, 'SIGKILL');
  await expect.poll(() => fetch(`${ohm.url}/healthz`).then(() => 'answers', () => 'gone')).toBe('gone');
});

test('the generated secret is the owner\'s alone, and an installation starts again after kill -9 with all it had', async () => {
  const ohm = await start();
  const { key, api, upstream } = await furnished(ohm);
  expect(statSync(join(ohm.dataDir, 'secret')).mode & 0o777).toBe(0o600);
  const delivered = await stream(ohm, key);
  expect(await delivered.text()).toContain('[DONE]');

  upstream.play([openai.sseHead(), openai.text('half'), 'stall']);
  const cut = await stream(ohm, key);
  await cut.body!.getReader().read();
  await ohm.kill9();

  const again = await ohm.restart();
  cleanups.push(() => again.stop());
  expect(await api.call(delivered.headers.get('x-ohm-request-id')!)).toMatchObject({ state: 'finished' });
  expect(await api.call(cut.headers.get('x-ohm-request-id')!)).toMatchObject({ state: 'lost' });
  upstream.play(openai.streamOf('again'));
  expect(await (await stream(again, key)).text()).toContain('again');
});

test('an offer to upgrade, as Java\'s client makes it, is declined by a plain answer', async () => {
  const ohm = await start();
  const offering = async (path: string) => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQBAAAAAAIAAAAA' };
    const [response] = (await once(httpRequest(`${ohm.url}${path}`, { headers }).end(), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  expect([await offering('/healthz'), await offering('/v1/models'), await offering('/healthz')]).toEqual([200, 401, 200]);
});

describe.each<Door>(['node', 'next', 'next-start'])('through door %s', (door) => {
  test('a page that asks for a sign-in says which page it was', async () => {
    const ohm = await start({ door });
    const answer = await fetch(`${ohm.url}/ops/calls/call_1?x=1`, { redirect: 'manual', headers: { 'x-ohm-target': '/ops/elsewhere' } });
    expect(answer.headers.get('location')).toBe('/sign-in?next=%2Fops%2Fcalls%2Fcall_1%3Fx%3D1');
  });

  test('a drain is not ready first, refuses new calls, lets open streams finish, then exits with 0', async () => {
    const ohm = await start({ door });
    const { upstream, key } = await furnished(ohm);
    let goOn!: () => void;
    upstream.play([openai.sseHead(), openai.text('first '), { until: new Promise<void>((resolve) => (goOn = resolve)) }, openai.text('last'), openai.finish(), openai.DONE]);
    const open = await stream(ohm, key);
    const reader = open.body!.getReader();
    let text = Buffer.from((await reader.read()).value!).toString();
    ohm.signal('SIGTERM');
    await expect.poll(async () => (await fetch(`${ohm.url}/ready`)).status).toBe(503);
    const refused = await stream(ohm, key);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    goOn();
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += Buffer.from(part.value).toString();
    expect(text).toMatch(/first [^]*last[^]*data: \[DONE\]\n\n$/);
    expect(await ohm.exited).toBe(0);
  });

  test('a stream that outlasts the drain ends in-band, and its row says so', async () => {
    const ohm = await start({ door, env: { OHM_DRAIN_MS: '300' } });
    const { upstream, key, api } = await furnished(ohm);
    upstream.play([openai.sseHead(), openai.text('first '), 'stall']);
    const open = await stream(ohm, key);
    ohm.signal('SIGTERM');
    const text = await open.text(); // ends cleanly, or this would throw
    expect(text).toMatch(/first [^]*gateway_draining/);
    expect(text).not.toContain('[DONE]');
    expect(await ohm.exited).toBe(0);
    const again = await ohm.restart();
    cleanups.push(() => again.stop());
    expect(await api.call(open.headers.get('x-ohm-request-id')!)).toMatchObject({ state: 'truncated' });
  });

  test('a terminal that closes is a reason to stop in order', async () => {
    const ohm = await start({ door });
    ohm.signal('SIGHUP');
    expect(await ohm.exited).toBe(0);
  });

  test('a second signal ends at once', async () => {
    const ohm = await start({ door });
    const { upstream, key } = await furnished(ohm);
    upstream.play([openai.sseHead(), openai.text('first '), 'stall']);
    await stream(ohm, key);
    ohm.signal('SIGTERM');
    await expect.poll(async () => (await fetch(`${ohm.url}/ready`)).status).toBe(503);
    await new Promise((done) => setTimeout(done, 250)); // closer together they count as one
    ohm.signal('SIGTERM');
    expect(await ohm.exited).toBe(143);
  });
});
