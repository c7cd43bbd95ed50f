import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, openSync, closeSync, readFileSync, readdirSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { exclusively, isSame } from './exclusive';
import { type Account, canReach, postgresAccount } from './postgres-account';
import { postgresBinaries } from './postgres-binaries';
import { commandLine, isAlive, startMark } from './process-identity';

export interface EmbeddedPostgres {
  /** The superuser's URL of the database `ohm`. */
  url: string;
  /** Lets go of the server; the last process of this data folder to do so stops it. Idempotent. */
  stop(): Promise<void>;
  /** True when it was already running: another process shares it, or the last one was killed and left it behind. */
  reused: boolean;
}

export interface PostgresOptions {
  /** The product's data folder. The cluster is `postgres/` in it, its port and password `postgres.json`. */
  dataDir: string;
  log: (line: string) => void;
  /** Server settings (`-c name=value`), for tests. */
  settings?: Record<string, string>;
}

/**
 * Starts the PostgreSQL that comes with the product, whatever the last process left behind.
 *
 * Processes share it: each one that uses a data folder notes itself in `postgres.users/`, whoever comes
 * first starts the server, whoever leaves last stops it (so the command line works beside a running
 * installation). Starting and stopping happen under one lock file. A server whose parent was killed is
 * taken over; a lock that names a dead process, a zombie or another program is removed; a server that
 * was killed itself recovers on the next start.
 *
 * It is not the npm package's own launcher because that one stops the server from a signal handler of
 * its own, under a process that is still draining.
 */
export async function startPostgres({ dataDir, log, settings = {} }: PostgresOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(dataDir);
  openFolder(folder);
  const users = join(folder, 'postgres.users');
  const lock = join(folder, 'postgres.lock');

  return await exclusively(lock, async () => {
    const cluster = openCluster(folder, log);
    mkdirSync(users, { recursive: true, mode: 0o700 });

    const alive = await findRunning(cluster.dir);
    if (!alive) await launch(cluster, folder, settings, log);
    const port = alive?.port ?? cluster.port;
    if (alive) log(`PostgreSQL is already running on port ${port}`);

    const url = `postgres://ohm:${cluster.password}@127.0.0.1:${port}/ohm`;
    await ensureDatabase(url);
    const entry = join(users, `${process.pid}-${randomBytes(3).toString('hex')}`);
    writeFileSync(entry, startMark(process.pid) ?? '', { mode: 0o600 });

    let stopped: Promise<void> | null = null;
    const stop = () => (stopped ??= exclusively(lock, () => leave(entry, users, cluster.dir, log)));
    return { url, stop, reused: alive !== null };
  });
}

/** The server's user must get through a folder of root's that is ours alone; other people's folders stay as they are. */
function openFolder(folder: string): void {
  const asRoot = process.getuid?.() === 0;
  mkdirSync(folder, { recursive: true, mode: asRoot ? 0o711 : 0o700 });
  const contents = readdirSync(folder);
  const ours = contents.length === 0 || contents.includes('postgres.json');
  if (asRoot && ours) chmodSync(folder, statSync(folder).mode | 0o011);
}

interface Cluster {
  dir: string;
  account: Account | null;
  password: string;
  port: number;
  /** Where the binaries may be copied to when they cannot be used in place. */
  spare: string;
  remember(change: { port: number }): void;
}

/** What `postgres.json` says, or a new identity. The file is the cluster's birth certificate: without it a new one is made. */
function openCluster(folder: string, log: (line: string) => void): Cluster {
  const file = join(folder, 'postgres.json');
  const inside = join(folder, 'postgres');
  const saved = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { id: string; dir: string | null; password: string; port: number }) : null;

  const id = saved?.id ?? randomBytes(6).toString('hex');
  const account = postgresAccount(saved?.dir ?? inside);
  const outside = account !== null && !canReach(account, inside);
  const dir = saved?.dir ?? (outside ? join('/var/lib/ohm', `postgres-${id}`) : inside);
  if (outside && !saved) log(`user ${account.uid} cannot reach ${folder}: PostgreSQL keeps its files in ${dir}`);
  refuseForeignOwner(dir);

  const state = { id, dir: dir === inside ? null : dir, password: saved?.password ?? randomBytes(18).toString('hex'), port: saved?.port ?? 0 };
  const remember = ({ port }: { port: number }) => {
    state.port = port;
    writeFileSync(`${file}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  if (!saved) remember(state);
  return { dir, account, password: state.password, port: state.port, spare: account ? '/var/lib/ohm' : folder, remember };
}

function refuseForeignOwner(dir: string): void {
  const me = process.getuid?.() ?? 0;
  if (me === 0 || !existsSync(dir)) return;
  const owner = statSync(dir).uid;
  if (owner !== me) throw new Error(`${dir} belongs to user ${owner}, and this process runs as user ${me}. Start it as that user, or set OHM_DATA_DIR to another folder.`);
}

/**
 * The server of this cluster that is alive and answers. PostgreSQL itself clears a lock whose process is
 * dead, but takes a zombie or another program under that pid for a server: those locks are removed here.
 */
async function findRunning(dir: string): Promise<{ pid: number; port: number } | null> {
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
function readLock(dir: string): { pid: number; port: number; ready: boolean } | null {
  try {
    const lines = readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function isServerOf(pid: number, dir: string): boolean {
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

async function launch(cluster: Cluster, folder: string, settings: Record<string, string>, log: (line: string) => void): Promise<void> {
  const native = postgresBinaries(cluster.account, cluster.spare);
  if (!existsSync(join(cluster.dir, 'PG_VERSION'))) {
    log('making a PostgreSQL cluster');
    initialise(cluster, native);
  }
  const logFile = join(folder, 'postgres.log');
  if (existsSync(logFile) && statSync(logFile).size > 8 * 1024 * 1024) renameSync(logFile, `${logFile}.1`);

  const deadline = performance.now() + 60_000;
  for (;;) {
    cluster.port = await freePort(cluster.port);
    const from = existsSync(logFile) ? statSync(logFile).size : 0;
    if (await runServer(cluster, native, settings, logFile, deadline)) break;
    const said = readFileSync(logFile, 'utf8').slice(from);
    // A port that was taken meanwhile; children of a killed server that are still on their way out.
    const passing = /could not bind|Address already in use|pre-existing shared memory/.test(said);
    if (!passing || performance.now() > deadline) throw new Error(`PostgreSQL did not start: ${said.trim().slice(-1500)}`);
    if (/bind|Address/.test(said)) cluster.port = 0;
    await delay(200);
  }
  cluster.remember({ port: cluster.port });
  log(`PostgreSQL is up on port ${cluster.port}`);
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
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C', NODE_ENV: process.env.NODE_ENV };
}

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

async function ensureDatabase(url: string): Promise<void> {
  const sql = postgres(url.replace(/\/ohm$/, '/postgres'), { max: 1, onnotice: () => undefined });
  try {
    const found = await sql`select 1 from pg_database where datname = 'ohm'`;
    if (found.length === 0) await sql`create database ohm`;
  } finally {
    await sql.end();
  }
}

async function leave(entry: string, users: string, dir: string, log: (line: string) => void): Promise<void> {
  rmSync(entry, { force: true });
  for (const name of readdirSync(users)) {
    if (isSame({ pid: Number(name.split('-')[0]), mark: readFileSync(join(users, name), 'utf8') || null })) return; // someone still needs it
    rmSync(join(users, name), { force: true });
  }
  const lock = readLock(dir);
  if (!lock || !isServerOf(lock.pid, dir)) return;
  process.kill(lock.pid, 'SIGINT'); // fast shutdown: roll back, checkpoint, end
  const deadline = performance.now() + 20_000;
  while (isAlive(lock.pid)) {
    if (performance.now() > deadline) {
      log('PostgreSQL did not end within 20 s; it will recover on the next start');
      process.kill(lock.pid, 'SIGQUIT');
      return;
    }
    await delay(10);
  }
}
