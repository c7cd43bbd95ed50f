import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, parseSettings, type Env } from '../std/env';
import { claimablePort } from './port';
import { startPostgres } from './postgres';
import { hasCluster } from './postgres-cluster';
import { noteServing, servedAt, servedBy } from './serving-note';
import { databasePlace, startFailure, StartFailure } from './start-failure';

export interface BroughtUp {
  env: Env;
  /** Which installation this is, for whoever reads the output: another data folder or database is another one. */
  installation: string;
  /** False: nobody said OHM_PUBLIC_URL and no server of it runs, so that the public address is a guess from PORT. */
  addressKnown: boolean;
  /** Tells the next start of this installation who has the port, and the command line at which address. */
  serving(pid: number): void;
  /** Lets go of the port's note and of the embedded PostgreSQL, if there is one. Idempotent. */
  release(): Promise<void>;
  /** Lets go of everything after a start that failed; why, in words for the operator, or null when it is an error of our own. */
  failed(error: unknown): Promise<string | null>;
}

/**
 * Gives this process, and those that it starts, a whole environment: reads `.env`, starts the embedded PostgreSQL
 * when there is no DATABASE_URL, makes or reads the secret, and writes all of it into `process.env`, where the
 * composition root parses it. What does not serve takes the public address from the server that runs, unless it is
 * told one. Throws EnvError for bad variables, and StartFailure where `makes` is false and the data folder is to have
 * an installation that it has not.
 */
export async function bringUp({ log, serves, makes = true }: { log: (line: string) => void; serves: boolean; makes?: boolean }): Promise<BroughtUp> {
  if (existsSync('.env')) process.loadEnvFile('.env'); // real variables win
  process.env.OHM_COMMIT ||= builtCommit();
  const settings = parseSettings(process.env);
  const { dataDir, host, port } = settings;
  const installation = installationOf(settings);
  if (!makes && settings.databaseUrl === null && !hasCluster(dataDir)) throw new StartFailure(`there is no installation in ${dataDir}. Give the OHM_DATA_DIR, or the DATABASE_URL, that its server has.`);
  if (serves) process.env.PORT = String(await claimablePort({ port, host, holder: () => servedBy(dataDir, port) }));
  else process.env.OHM_PUBLIC_URL ||= servedAt(dataDir, installation, port) ?? '';
  process.env.OHM_DATA_DIR = dataDir;

  const held: (() => Promise<void> | void)[] = [];
  const release = async () => {
    for (const letGo of held.splice(0).reverse()) await letGo();
  };
  try {
    if (settings.databaseUrl === null) {
      const postgres = await startPostgres({ dataDir, log });
      held.push(() => postgres.stop());
      process.env.DATABASE_URL = postgres.url;
      process.env.OHM_SECRET = settings.secret ?? keptSecret(dataDir);
    }
    const env = parseEnv(process.env);
    return {
      env,
      installation,
      addressKnown: serves || !!process.env.OHM_PUBLIC_URL,
      serving: (pid) => void held.push(noteServing(dataDir, { pid, port: env.port, url: env.publicUrl, installation })),
      release,
      async failed(error) {
        await release();
        return startFailure(error, settings.databaseUrl);
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Where everything is kept: the operator's database, else the embedded one's folder. Without user and password. */
export function installationOf({ dataDir, databaseUrl }: Pick<Env, 'dataDir'> & { databaseUrl: string | null }): string {
  return databaseUrl === null ? `data folder ${dataDir}` : `database ${databasePlace(databaseUrl)}`;
}

/** What the preparation noted of the checkout, or nothing. */
function builtCommit(): string {
  try {
    return readFileSync('.build/commit', 'utf8').trim();
  } catch {
    return ''; // prepared by other means
  }
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
