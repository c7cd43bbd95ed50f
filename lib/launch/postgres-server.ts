import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { postgresBinaries } from './postgres-binaries';
import type { Cluster } from './postgres-cluster';
import { commandLine, isAlive } from './process-identity';

/**
 * The server of this cluster that is alive and answers. PostgreSQL itself clears a lock whose process is
 * dead, but takes a zombie or another program under that pid for a server: those locks are removed here.
 */
export async function findRunning(dir: string): Promise<{ pid: number; port: number } | null> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    const lock = readLock(dir);
    if (!lock) return null;
    if (!isServerOf(lock.pid, dir)) {
      while (hasWorkers(dir) && performance.now() < deadline) await delay(50); // a killed server's, on their way out
      rmSync(join(dir, 'postmaster.pid'), { force: true });
      return null;
    }
    if (lock.ready && (await answers(lock.port))) return lock;
    if (performance.now() > deadline) throw new Error(`PostgreSQL (process ${lock.pid}) has ${dir} open but does not answer on port ${lock.port}. End that process and start again.`);
    await delay(50); // starting, recovering or stopping
  }
}

/** postmaster.pid: pid, data folder, start time, port, socket folder, address, shared memory, status. */
export function readLock(dir: string): { pid: number; port: number; ready: boolean } | null {
  try {
    const lines = readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export function isServerOf(pid: number, dir: string): boolean {
  return pid > 1 && isAlive(pid) && commandLine(pid).includes(`postgres -D ${dir} `);
}

/** Does any process work in this folder? Every process of a PostgreSQL server has its data folder as cwd. */
function hasWorkers(dir: string): boolean {
  if (process.platform !== 'linux') return false;
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === dir;
    } catch {
      return false; // gone meanwhile, or another user's
    }
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false)).once('connect', () => socket.destroy());
  });
}

/** Makes the cluster if there is none, and starts its server. */
export async function launch(cluster: Cluster, folder: string, settings: Record<string, string>, log: (line: string) => void, port: 'any port' | 'same port' = 'any port'): Promise<void> {
  const native = postgresBinaries(cluster.account, cluster.spare);
  if (!existsSync(join(cluster.dir, 'PG_VERSION'))) {
    log('making a PostgreSQL cluster');
    initialise(cluster, native);
  }
  const logFile = join(folder, 'postgres.log');
  if (existsSync(logFile) && statSync(logFile).size > 8 * 1024 * 1024) renameSync(logFile, `${logFile}.1`);

  const deadline = performance.now() + 60_000;
  for (;;) {
    if (port === 'any port') cluster.port = await freePort(cluster.port);
    const from = existsSync(logFile) ? statSync(logFile).size : 0;
    if (await runServer(cluster, native, settings, logFile, deadline)) break;
    const said = readFileSync(logFile, 'utf8').slice(from);
    // A port that was taken meanwhile; children of a killed server that are still on their way out.
    const passing = /could not bind|Address already in use|pre-existing shared memory/.test(said);
    if (!passing || performance.now() > deadline) throw new Error(`PostgreSQL did not start: ${said.trim().slice(-1500)}`);
    if (/bind|Address/.test(said) && port === 'any port') cluster.port = 0;
    await delay(200);
  }
  cluster.remember({ port: cluster.port });
}

/**
 * Makes the cluster beside its place and moves it there when it is whole. An initdb whose parent was killed
 * goes on, and clears its folder when it fails: that must never be the folder that the next start has made.
 */
function initialise(cluster: Cluster, native: string): void {
  const { dir, account } = cluster;
  const half = `${dir}.new-${randomBytes(4).toString('hex')}`;
  rmSync(dir, { recursive: true, force: true }); // without PG_VERSION: not a cluster
  mkdirSync(join(dir, '..'), { recursive: true, mode: 0o711 });
  mkdirSync(half, { mode: 0o700 });
  const passwordFile = `${half}.password`;
  writeFileSync(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
  if (account) {
    chmodSync(join(dir, '..'), statSync(join(dir, '..')).mode | 0o011);
    for (const path of [half, passwordFile]) chownSync(path, account.uid, account.gid);
  }
  const flags = ['-D', half, '-U', 'ohm', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C', '--no-instructions'];
  const done = spawnSync(join(native, 'bin', 'initdb'), flags, { ...(account ?? {}), cwd: '/', env: serverEnv(), encoding: 'utf8' });
  rmSync(passwordFile, { force: true });
  if (done.status !== 0) {
    rmSync(half, { recursive: true, force: true });
    throw new Error(`PostgreSQL's initdb failed: ${(done.error?.message ?? done.stderr).trim().slice(-1500)}`);
  }
  renameSync(half, dir);
}

/** True once it accepts connections, false when it ended before that. Its own session: a Ctrl-C is for us, not for it. */
async function runServer(cluster: Cluster, native: string, settings: Record<string, string>, logFile: string, deadline: number): Promise<boolean> {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(cluster.port), ...settings };
  const flags = ['-D', cluster.dir, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const out = openSync(logFile, 'a', 0o600);
  const child = spawn(join(native, 'bin', 'postgres'), flags, { ...(cluster.account ?? {}), cwd: '/', env: serverEnv(), detached: true, stdio: ['ignore', out, out] });
  closeSync(out);
  child.unref();
  let ended = false;
  child.once('exit', () => (ended = true)).once('error', () => (ended = true));
  while (!ended) {
    const lock = readLock(cluster.dir);
    if (lock?.ready && lock.pid === child.pid && (await answers(cluster.port))) return true;
    if (performance.now() > deadline) throw new Error(`PostgreSQL did not become ready within 60 s; see ${logFile}`);
    await delay(15);
  }
  return false;
}

/** Without PG* variables, which the server's programs would obey, and without secrets. */
function serverEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C', NODE_ENV: process.env.NODE_ENV, ...KEEPS_MEMORY };
}

/**
 * For glibc's malloc (mallopt(3)): memory of a few MB, which a batch of ledger rows takes, stays with the process. By
 * default it goes back to the system after each batch, and the next one pays for every page again.
 */
const KEEPS_MEMORY = { MALLOC_MMAP_THRESHOLD_: String(16 * 1024 * 1024), MALLOC_TRIM_THRESHOLD_: String(64 * 1024 * 1024) };

/** `preferred` when it is free, else any. */
function freePort(preferred: number): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', (error) => (preferred === 0 ? fail(error) : done(freePort(0))));
    probe.listen(preferred, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}

/** Fast shutdown: roll back, checkpoint, end. */
export async function stopServer(pid: number, log: (line: string) => void): Promise<void> {
  process.kill(pid, 'SIGINT');
  const deadline = performance.now() + 20_000;
  while (isAlive(pid)) {
    if (performance.now() > deadline) {
      log('PostgreSQL did not end within 20 s; it will recover on the next start');
      process.kill(pid, 'SIGQUIT');
      return;
    }
    await delay(10);
  }
}
