import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The user that PostgreSQL runs as: it refuses to run as root. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * Null: as ourselves. Started as root: the owner of an existing cluster, else the system's `postgres`
 * user (made when missing), else `nobody`.
 */
export function postgresAccount(clusterDir: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  if (existsSync(clusterDir)) {
    const { uid, gid } = statSync(clusterDir);
    if (uid !== 0) return { uid, gid };
  }
  return lookUp('postgres') ?? create('postgres') ?? lookUp('nobody') ?? fail();
}

/** May the account pass through every folder above `path`? Always true for ourselves. */
export function canReach(account: Account | null, path: string): boolean {
  if (!account) return true;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(folder) && !maySearch(account, folder)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function maySearch(account: Account, folder: string): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === account.uid) return (mode & 0o100) !== 0;
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

function lookUp(name: string): Account | null {
  try {
    const id = (flag: string) => Number.parseInt(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }), 10);
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null; // no such user
  }
}

function create(name: string): Account | null {
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name], { stdio: 'pipe' });
    return lookUp(name);
  } catch {
    return null; // no useradd, or a read-only /etc
  }
}

function fail(): never {
  throw new Error(
    'PostgreSQL cannot run as root, and there is no user "postgres" or "nobody" to run it as. Start as an ordinary user, or set DATABASE_URL.',
  );
}
