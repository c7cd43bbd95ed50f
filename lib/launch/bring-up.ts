import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, parseSettings, type Env } from '../std/env';
import { claimablePort } from './port';
import { startPostgres } from './postgres';
import { noteServing, servedBy } from './serving-note';
import { databasePlace, startFailure } from './start-failure';

export interface BroughtUp {
  env: Env;
  /** Which installation this is, for whoever reads the output: another data folder or database is another one. */
  installation: string;
  /** Tells the next start of this installation who has the port. */
  serving(pid: number): void;
  /** Lets go of the port's note and of the embedded PostgreSQL, if there is one. Idempotent. */
  release(): Promise<void>;
  /** Lets go of everything after a start that failed; why, in words for the operator, or null when it is an error of our own. */
  failed(error: unknown): Promise<string | null>;
}

/**
 * Gives this process, and those that it starts, a whole environment: reads `.env`, starts the embedded PostgreSQL
 * when there is no DATABASE_URL, makes or reads the secret, and writes all of it into `process.env`, where the
 * composition root parses it. Throws EnvError for bad variables.
 */
export async function bringUp({ log, serves }: { log: (line: string) => void; serves: boolean }): Promise<BroughtUp> {
  if (existsSync('.env')) process.loadEnvFile('.env'); // real variables win
  process.env.OHM_COMMIT ||= builtCommit();
  const settings = parseSettings(process.env);
  const { dataDir, host, port } = settings;
  if (serves) process.env.PORT = String(await claimablePort({ port, host, holder: () => servedBy(dataDir, port) }));
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
      installation: installationOf(settings),
      serving: (pid) => void held.push(noteServing(dataDir, env.port, pid)),
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
