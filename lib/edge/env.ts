import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EnvError, hostName, integer, LOG_LEVELS, MIB, oneOf, origin, redisUrl, secret, type Source, variableReader } from '../std/env';

/** The edge's environment, parsed once at its start. Nothing else in this room reads `process.env`. */
export interface EdgeEnv {
  port: number;
  host: string;
  /** Origin of the control plane that every request goes to. */
  primary: string;
  /** Origin of the one that is asked once when that fails; null: there is none. */
  fallback: string | null;
  /** That of the control planes. */
  secret: string;
  /** Null: nothing is replayed here. */
  redisUrl: string | null;
  /** Absolute. The journal is in its folder `edge`. */
  dataDir: string;
  /** Largest request body, bytes. */
  maxBodyBytes: number;
  /** Cap on all bodies held at the same time, bytes. */
  heldBytes: number;
  /** How long open calls may go on after SIGTERM, ms. */
  drainMs: number;
  logLevel: (typeof LOG_LEVELS)[number];
}

const VARIABLES = {
  OHM_EDGE_PORT: { parse: integer(0, 65_535), unset: () => 3100 },
  OHM_EDGE_HOST: { parse: hostName, unset: () => '127.0.0.1' },
  OHM_EDGE_PRIMARY: { parse: origin, unset: () => null },
  OHM_EDGE_FALLBACK: { parse: origin, unset: () => null },
  OHM_SECRET: { parse: secret, unset: () => null },
  REDIS_URL: { parse: redisUrl, unset: () => null },
  OHM_DATA_DIR: { parse: (value: string) => resolve(value), unset: () => resolve('.data') },
  OHM_MAX_BODY_BYTES: { parse: integer(1024, 512 * MIB), unset: () => 32 * MIB },
  OHM_HELD_BYTES: { parse: integer(MIB, 1024 * 1024 * MIB), unset: () => 256 * MIB },
  OHM_DRAIN_MS: { parse: integer(0, 3_600_000), unset: () => 30_000 },
  OHM_LOG_LEVEL: { parse: oneOf(...LOG_LEVELS), unset: () => 'info' as const },
};

/** The names, for the test that compares them with `.env.example`. */
export const EDGE_VARIABLE_NAMES = Object.keys(VARIABLES);

/** Throws EnvError. */
export function parseEdgeEnv(source: Source): EdgeEnv {
  const { read, problems } = variableReader(VARIABLES, source);
  const bad = (name: string) => problems.some(({ variable }) => variable === name);
  const dataDir = read('OHM_DATA_DIR');
  const primary = read('OHM_EDGE_PRIMARY');
  const given = read('OHM_SECRET');
  const known = given ?? (bad('OHM_SECRET') ? null : keptSecret(dataDir));
  if (primary === null && !bad('OHM_EDGE_PRIMARY')) problems.push({ variable: 'OHM_EDGE_PRIMARY', message: 'is required: the origin of a control plane, such as http://127.0.0.1:3000' });
  if (known === null && !bad('OHM_SECRET')) problems.push({ variable: 'OHM_SECRET', message: 'is required: that of the control planes' });
  const env = {
    port: read('OHM_EDGE_PORT'),
    host: read('OHM_EDGE_HOST'),
    primary: primary ?? '',
    fallback: read('OHM_EDGE_FALLBACK'),
    secret: known ?? '',
    redisUrl: read('REDIS_URL'),
    dataDir,
    maxBodyBytes: read('OHM_MAX_BODY_BYTES'),
    heldBytes: read('OHM_HELD_BYTES'),
    drainMs: read('OHM_DRAIN_MS'),
    logLevel: read('OHM_LOG_LEVEL'),
  };
  if (problems.length > 0) throw new EnvError(problems);
  return env;
}

/** The one that a control plane on this machine made for itself. */
function keptSecret(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, 'secret'), 'utf8').trim();
  } catch {
    return null; // none was made here
  }
}
