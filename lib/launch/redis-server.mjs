// A redis-server for the tests. Only Node's own modules. The product itself needs none: it is told of one by REDIS_URL.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of one that is there: named by OHM_TEST_REDIS_SERVER, or on the PATH (valkey-server is the same); else null. */
export function findRedisServer() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const onPath = ['redis-server', 'valkey-server'].flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.OHM_TEST_REDIS_SERVER, ...onPath].find(isExecutable) ?? null;
}

/** The same, and gets the system's package when there is none and we are root. */
export function ensureRedisServer(say) {
  const found = findRedisServer();
  if (found) return { path: found, problem: null };
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    say('no redis-server here: trying the system\'s package (apt-get install redis-server)');
    // Nothing may be started by the installation: the tests start their own.
    const quiet = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    run('apt-get', ['update', '-qq'], quiet);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'], quiet);
  }
  const path = findRedisServer();
  return path ? { path, problem: null } : { path: null, problem: REDIS_PROBLEM };
}

export const REDIS_PROBLEM =
  'no redis-server for the tests of shared stores: none is on the PATH, and the system\'s package could not be installed. Those tests are skipped. Install Redis, or name one in OHM_TEST_REDIS_SERVER.';

function isExecutable(path) {
  if (!path) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function run(command, args, env) {
  return spawnSync(command, args, { stdio: ['ignore', 2, 2], timeout: 120_000, env: { ...process.env, ...env } }).status === 0;
}
