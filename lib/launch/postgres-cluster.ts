import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Account, canReach, postgresAccount } from './postgres-account';

/** Where a data folder's PostgreSQL keeps its files, and as whom it runs. */
export interface Cluster {
  dir: string;
  account: Account | null;
  password: string;
  port: number;
  /** Where the binaries may be copied to when they cannot be used in place. */
  spare: string;
  remember(change: { port: number }): void;
}

/** Whether a data folder has a cluster, or the beginnings of one. */
export const hasCluster = (folder: string): boolean => existsSync(certificateOf(folder));

/** The cluster's birth certificate: without it a new one is made. */
const certificateOf = (folder: string): string => join(folder, 'postgres.json');

/** What the certificate says, or a new identity. */
export function openCluster(folder: string, log: (line: string) => void): Cluster {
  const file = certificateOf(folder);
  const inside = join(folder, 'postgres');
  const saved = hasCluster(folder) ? (JSON.parse(readFileSync(file, 'utf8')) as { id: string; dir: string | null; password: string; port: number }) : null;

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

/** The server's user must get through a folder of root's that is ours alone; other people's folders stay as they are. */
export function openFolder(folder: string): void {
  const asRoot = process.getuid?.() === 0;
  mkdirSync(folder, { recursive: true, mode: asRoot ? 0o711 : 0o700 });
  const contents = readdirSync(folder);
  const ours = contents.includes('postgres.json') || contents.every((name) => name === 'postgres.lock');
  if (asRoot && ours) chmodSync(folder, statSync(folder).mode | 0o011);
}
