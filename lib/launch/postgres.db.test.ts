import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { afterEach, expect, test } from 'vitest';
import { type EmbeddedPostgres, startPostgres } from './postgres';
import { isAlive } from './process-identity';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'ohm-pg-'));
  chmodSync(dir, 0o711);
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ dataDir, log: () => undefined, settings: { fsync: 'off' } });
  cleanups.push(() => server.stop());
  return server;
}

/** Another process that starts it and then only holds on. */
async function startElsewhere(dataDir: string): Promise<ChildProcess & { reused: boolean }> {
  const script = `import { startPostgres } from ${JSON.stringify(fileURLToPath(new URL('postgres.ts', import.meta.url)))};
    const server = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} });
    process.on('SIGTERM', () => server.stop().then(() => process.exit(0)));
    setInterval(() => {}, 1000);
    console.log(server.reused);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  cleanups.push(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return Object.assign(child, { reused: String(said).trim() === 'true' });
}

async function ask<T>(url: string, query: string): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return (await sql.unsafe(query)) as T;
  } finally {
    await sql.end();
  }
}
const remember = (url: string, note: string) => ask(url, `create table if not exists notes (note text); insert into notes values ('${note}')`);
const notes = async (url: string) => (await ask<{ note: string }[]>(url, 'select note from notes order by 1')).map(({ note }) => note);
const serverPid = (dir: string) => Number(readFileSync(join(dir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

test('data and port survive a stop', async () => {
  const dir = folder();
  const first = await start(dir);
  await remember(first.url, 'kept');
  await first.stop();
  const second = await start(dir);
  expect([second.url, second.reused, await notes(second.url)]).toEqual([first.url, false, ['kept']]);
});

test('a server whose owner was killed is taken over, and stopped by the one who took it', async () => {
  const dir = folder();
  const owner = await startElsewhere(dir);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  const pid = serverPid(dir);
  expect(isAlive(pid)).toBe(true);
  const heir = await start(dir);
  expect(heir.reused).toBe(true);
  await remember(heir.url, 'works');
  await heir.stop();
  expect(isAlive(pid)).toBe(false);
});

test('a server that was killed itself recovers', async () => {
  const dir = folder();
  const first = await start(dir);
  await remember(first.url, 'kept');
  process.kill(serverPid(dir), 'SIGKILL');
  const second = await start(dir);
  expect([second.reused, await notes(second.url)]).toEqual([false, ['kept']]);
});

test('a server that was killed under its users is there again, at the same address', async () => {
  const dir = folder();
  const server = await start(dir);
  await remember(server.url, 'kept');
  process.kill(serverPid(dir), 'SIGKILL');
  await expect.poll(() => notes(server.url).catch(() => 'away'), { timeout: 15_000 }).toEqual(['kept']);
});

test('a lock that names another program is not believed', async () => {
  const dir = folder();
  const first = await start(dir);
  const lock = join(dir, 'postgres/postmaster.pid');
  const text = readFileSync(lock, 'utf8');
  await first.stop();
  writeFileSync(lock, text.replace(/^\d+/, String(process.pid)));
  expect((await start(dir)).reused).toBe(false);
});

test('processes share it, and only the last one to leave stops it', async () => {
  const dir = folder();
  const [first, second] = await Promise.all([startElsewhere(dir), startElsewhere(dir)]);
  expect([first.reused, second.reused].sort()).toEqual([false, true]);
  const pid = serverPid(dir);
  first.kill('SIGTERM');
  await once(first, 'exit');
  expect(isAlive(pid)).toBe(true);
  second.kill('SIGTERM');
  await once(second, 'exit');
  expect(isAlive(pid)).toBe(false);
});

test('a half-made cluster is made again', async () => {
  const dir = folder();
  await (await start(dir)).stop();
  rmSync(join(dir, 'postgres/PG_VERSION'));
  expect(await ask((await start(dir)).url, 'select 1 as one')).toMatchObject([{ one: 1 }]);
});

test.runIf(process.getuid?.() === 0)('below a folder that only root may enter, the cluster lives elsewhere', async () => {
  const dir = folder();
  const closed = join(dir, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  const first = await start(join(closed, 'data'));
  await remember(first.url, 'kept');
  await first.stop();
  const { dir: elsewhere } = JSON.parse(readFileSync(join(closed, 'data/postgres.json'), 'utf8')) as { dir: string };
  cleanups.push(() => rmSync(elsewhere, { recursive: true, force: true }));
  expect([existsSync(join(closed, 'data/postgres')), elsewhere]).toEqual([false, expect.stringMatching(/^\/var\/lib\/ohm\//)]);
  expect(await notes((await start(join(closed, 'data'))).url)).toEqual(['kept']);
});
