import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseEnv, parseSettings, type Env, type Settings } from '../std/env';
import { startPostgres } from './postgres';

export interface BroughtUp {
  env: Env;
  /** Lets go of the embedded PostgreSQL, if there is one. */
  release(): Promise<void>;
}

/**
 * Gives this process, and those that it starts, a whole environment: reads `.env`, starts the embedded PostgreSQL
 * when there is no DATABASE_URL, makes or reads the secret, and writes all of it into `process.env`, where the
 * composition root parses it. Throws EnvError for bad variables.
 */
export async function bringUp({ log, serves }: { log: (line: string) => void; serves: boolean }): Promise<BroughtUp> {
  if (existsSync('.env')) process.loadEnvFile('.env'); // real variables win
  const settings = parseSettings(process.env);
  if (serves) process.env.PORT = String(await claimablePort(settings));
  process.env.OHM_DATA_DIR = settings.dataDir;

  let release = async () => {};
  if (settings.databaseUrl === null) {
    const postgres = await startPostgres({ dataDir: settings.dataDir, log });
    release = () => postgres.stop();
    process.env.DATABASE_URL = postgres.url;
    process.env.OHM_SECRET = settings.secret ?? keptSecret(settings.dataDir);
  }
  return { env: parseEnv(process.env), release };
}

/** The secret of an installation that was given none: made once, readable by its owner only. */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

/** Finds out before anything is started whether the port can be had. 0: any. */
function claimablePort({ port, host }: Settings): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => reject(new PortTaken(port, host, error.code)));
    probe.listen(port, host, () => {
      const { port: got } = probe.address() as { port: number };
      probe.close(() => resolve(got));
    });
  });
}

export class PortTaken extends Error {
  override readonly name = 'PortTaken';
  constructor(port: number, host: string, code: string | undefined) {
    const why: Record<string, string> = {
      EADDRINUSE: `port ${port} is taken by another program. Choose another one: PORT=${port + 1} npm start`,
      EACCES: `port ${port} needs rights that this user does not have. Choose one above 1023: PORT=3000 npm start`,
      EADDRNOTAVAIL: `OHM_HOST=${host} is not an address of this computer`,
      ENOTFOUND: `OHM_HOST=${host} is not a host name that can be found`,
    };
    super(why[code ?? ''] ?? `cannot listen on ${host}:${port} (${code})`);
  }
}
