import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { exclusively, isSame } from './exclusive';
import { type Cluster, openCluster, openFolder } from './postgres-cluster';
import { findRunning, isServerOf, launch, readLock, stopServer } from './postgres-server';
import { startMark } from './process-identity';

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
 * is killed is started again, on the same port, by whoever still uses it.
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
    const { url, port, reused } = await findOrLaunch(cluster, () => launch(cluster, folder, settings, log));
    log(reused ? `PostgreSQL is already running on port ${port}` : `PostgreSQL is up on port ${port}`);
    const entry = join(users, `${process.pid}-${randomBytes(3).toString('hex')}`);
    writeFileSync(entry, startMark(process.pid) ?? '', { mode: 0o600 });

    let stopped: Promise<void> | null = null;
    const unwatch = watch(cluster.dir, () =>
      exclusively(lock, async () => {
        if (stopped || (await findRunning(cluster.dir))) return; // or another process was faster
        log('PostgreSQL has ended; starting it again');
        await launch({ ...cluster, port }, folder, settings, log, 'same port');
      }).catch((error: unknown) => log(String(error))),
    );
    const stop = () => {
      unwatch();
      return (stopped ??= exclusively(lock, () => leave(entry, users, cluster.dir, log)));
    };
    return { url, stop, reused };
  });
}

/** A server that was just killed may still look alive: whoever does not get through looks again. */
async function findOrLaunch(cluster: Cluster, start: () => Promise<void>): Promise<{ url: string; port: number; reused: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const alive = await findRunning(cluster.dir);
    if (!alive) await start();
    const port = alive?.port ?? cluster.port;
    const url = `postgres://ohm:${cluster.password}@127.0.0.1:${port}/ohm`;
    try {
      await ensureDatabase(url);
      return { url, port, reused: alive !== null };
    } catch (error) {
      if (!alive || attempt === 3) throw error;
      await delay(300);
    }
  }
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

/** Calls back when the server is gone, looking every second. Returns the way to stop. */
function watch(dir: string, onGone: () => Promise<void>): () => void {
  let busy = false;
  const timer = setInterval(() => {
    const lock = readLock(dir);
    if (busy || (lock && isServerOf(lock.pid, dir))) return;
    busy = true;
    void onGone().finally(() => (busy = false));
  }, 1_000);
  timer.unref();
  return () => clearInterval(timer);
}

async function leave(entry: string, users: string, dir: string, log: (line: string) => void): Promise<void> {
  rmSync(entry, { force: true });
  for (const name of readdirSync(users)) {
    if (isSame({ pid: Number(name.split('-')[0]), mark: readFileSync(join(users, name), 'utf8') || null })) return; // someone still needs it
    rmSync(join(users, name), { force: true });
  }
  const lock = readLock(dir);
  if (!lock || !isServerOf(lock.pid, dir)) return;
  await stopServer(lock.pid, log);
}
