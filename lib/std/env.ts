import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type AllowRule, parseAllowRules } from './allow-rules';

/** The environment, parsed once at boot. Nothing else reads `process.env` for settings. */
export interface Settings {
  port: number;
  /** Address to listen on. */
  host: string;
  /** Origin under which people reach the product, without a trailing slash. */
  publicUrl: string;
  /** Null: the embedded PostgreSQL. The owner's URL: it migrates and makes the product's own roles. */
  databaseUrl: string | null;
  /** Absolute. Holds the embedded PostgreSQL, the generated secret and the journal. */
  dataDir: string;
  /** Null: generated and kept in the data folder; only with the embedded PostgreSQL. */
  secret: string | null;
  /** Addresses that upstreams may have although they are not public. Empty: none. */
  allowPrivateUpstreams: AllowRule[];
  /** Cap on all bytes held back before commit, a process. */
  heldBytes: number;
  /** Largest request body on the data plane, bytes. */
  maxBodyBytes: number;
  /** Who serves the data plane under `npm start`: the node server, or Next's route handlers. */
  door: 'node' | 'next';
  /** How long open streams may go on after SIGTERM, ms. */
  drainMs: number;
  /** Where call records are written first: a file in the data folder, or straight to PostgreSQL. */
  journal: 'folder' | 'database';
  /** What processes of one installation share: replay entries and the counters of limits. */
  store: StoreSettings;
  /** The operator's mail server, for alerts, invitations and resets; null: nothing is sent, an inviter passes the link on, and resets are the operator's. */
  mail: MailSettings | null;
  /** How many proxies stand in front and append to X-Forwarded-For; 0: the socket's address is the client's. */
  trustedProxies: number;
  logLevel: (typeof LOG_LEVELS)[number];
  /** The source that this was built from, as git names it; null: not known. Shown by the honesty document. */
  commit: string | null;
  /** Outside production, readiness also tells the feature flags. */
  production: boolean;
}

/** `smtp://` or `smtps://` with what it takes to log in, and who messages come from. */
export interface MailSettings {
  smtpUrl: string;
  from: string;
}

/** In this process alone (at most so many bytes of replay entries), or in a Redis by TCP or by Upstash's REST. */
export type StoreSettings = { kind: 'memory'; bytes: number } | { kind: 'redis'; url: string } | { kind: 'upstash'; url: string; token: string };

export interface Env extends Settings {
  databaseUrl: string;
  secret: string;
}

/** Tells every bad variable by name. Values are not repeated: they may be secrets. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
  constructor(readonly problems: { variable: string; message: string }[]) {
    super(problems.map(({ variable, message }) => `${variable} ${message}`).join('\n'));
  }
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export const MIB = 1024 * 1024;

export type Source = Record<string, string | undefined>;
type Parser<T> = (value: string) => T;
type Variables = Record<string, { parse: Parser<unknown>; unset: (source: Source) => unknown }>;

/** Reads variables one by one, and gathers what is wrong with them: a bad one reads as if it were unset. */
export function variableReader<T extends Variables>(table: T, source: Source) {
  const problems: { variable: string; message: string }[] = [];
  const read = <N extends keyof T & string>(name: N): ReturnType<T[N]['parse']> | ReturnType<T[N]['unset']> => {
    const entry = table[name] as { parse: Parser<never>; unset: (source: Source) => never };
    const value = source[name]?.trim();
    if (!value) return entry.unset(source);
    try {
      return entry.parse(value);
    } catch (error) {
      problems.push({ variable: name, message: (error as Error).message });
      return entry.unset(source);
    }
  };
  return { read, problems };
}

/** Every variable of the product: how it is read, and what holds when it is unset or empty. */
const VARIABLES = {
  PORT: { parse: integer(0, 65_535), unset: () => 3000 },
  OHM_HOST: { parse: hostName, unset: () => '127.0.0.1' },
  OHM_PUBLIC_URL: { parse: origin, unset: () => null },
  DATABASE_URL: { parse: postgresUrl, unset: () => null },
  OHM_DATA_DIR: { parse: (value: string) => resolve(value), unset: () => resolve('.data') },
  OHM_SECRET: { parse: secret, unset: () => null },
  OHM_ALLOW_PRIVATE_UPSTREAMS: { parse: parseAllowRules, unset: (): AllowRule[] => [] },
  OHM_HELD_BYTES: { parse: integer(MIB, 1024 * 1024 * MIB), unset: () => 256 * MIB },
  OHM_MAX_BODY_BYTES: { parse: integer(1024, 512 * MIB), unset: () => 32 * MIB },
  OHM_DOOR: { parse: oneOf('node', 'next'), unset: () => 'node' as const },
  OHM_DRAIN_MS: { parse: integer(0, 3_600_000), unset: () => 30_000 },
  OHM_JOURNAL: { parse: oneOf('folder', 'database'), unset: (source: Source) => (isServerless(source) ? ('database' as const) : ('folder' as const)) },
  REDIS_URL: { parse: redisUrl, unset: () => null },
  UPSTASH_REDIS_REST_URL: { parse: restUrl, unset: () => null },
  UPSTASH_REDIS_REST_TOKEN: { parse: (value: string) => value, unset: () => null },
  OHM_STORE_BYTES: { parse: integer(MIB, 64 * 1024 * MIB), unset: () => 64 * MIB },
  OHM_SMTP_URL: { parse: smtpUrl, unset: () => null },
  OHM_MAIL_FROM: { parse: mailbox, unset: () => null },
  OHM_TRUSTED_PROXIES: { parse: integer(0, 10), unset: () => 0 },
  OHM_LOG_LEVEL: { parse: oneOf(...LOG_LEVELS), unset: () => 'info' as const },
  OHM_COMMIT: { parse: commit, unset: () => null },
  OHM_ENV: { parse: oneOf('production', 'development'), unset: (source: Source) => (source.NODE_ENV === 'production' ? ('production' as const) : ('development' as const)) },
} satisfies Variables;

type Name = keyof typeof VARIABLES;

/** The names, for the test that compares them with `.env.example`. */
export const VARIABLE_NAMES = Object.keys(VARIABLES) as Name[];

/** Settings as the operator wrote them. Throws EnvError. */
export function parseSettings(source: Source): Settings {
  const { read, problems } = variableReader(VARIABLES, source);
  const port = read('PORT');
  const host = read('OHM_HOST');
  const rest = read('UPSTASH_REDIS_REST_URL');
  const restToken = read('UPSTASH_REDIS_REST_TOKEN');
  const smtp = read('OHM_SMTP_URL');
  const from = read('OHM_MAIL_FROM');
  const settings: Settings = {
    port,
    host,
    publicUrl: read('OHM_PUBLIC_URL') ?? `http://${reachable(host)}:${port}`,
    databaseUrl: read('DATABASE_URL'),
    dataDir: read('OHM_DATA_DIR'),
    secret: read('OHM_SECRET'),
    allowPrivateUpstreams: read('OHM_ALLOW_PRIVATE_UPSTREAMS'),
    heldBytes: read('OHM_HELD_BYTES'),
    maxBodyBytes: read('OHM_MAX_BODY_BYTES'),
    door: read('OHM_DOOR'),
    drainMs: read('OHM_DRAIN_MS'),
    journal: read('OHM_JOURNAL'),
    store: storeSettings(read('REDIS_URL'), rest, restToken, read('OHM_STORE_BYTES')),
    mail: smtp === null || from === null ? null : { smtpUrl: smtp, from },
    trustedProxies: read('OHM_TRUSTED_PROXIES'),
    logLevel: read('OHM_LOG_LEVEL'),
    commit: read('OHM_COMMIT'),
    production: read('OHM_ENV') === 'production',
  };
  const bad = (name: Name) => problems.some((problem) => problem.variable === name);
  if (settings.databaseUrl && !settings.secret && !bad('OHM_SECRET')) {
    problems.push({ variable: 'OHM_SECRET', message: 'is required with DATABASE_URL: it encrypts the connections stored there. Make one with: openssl rand -base64 32' });
  }
  if (rest !== null && restToken === null) problems.push({ variable: 'UPSTASH_REDIS_REST_TOKEN', message: 'is required with UPSTASH_REDIS_REST_URL' });
  if (smtp !== null && from === null && !bad('OHM_MAIL_FROM')) problems.push({ variable: 'OHM_MAIL_FROM', message: 'is required with OHM_SMTP_URL: the address that messages come from' });
  if (problems.length > 0) throw new EnvError(problems);
  return settings;
}

/** TCP before REST: a question costs a thirtieth of the work. */
function storeSettings(redis: string | null, rest: string | null, token: string | null, bytes: number): StoreSettings {
  if (redis !== null) return { kind: 'redis', url: redis };
  if (rest !== null) return { kind: 'upstash', url: rest, token: token ?? '' };
  return { kind: 'memory', bytes };
}

/** Settings of a process that serves: by now there is a database and a secret. Throws EnvError. */
export function parseEnv(source: Source): Env {
  const settings = parseSettings(source);
  const { databaseUrl, secret } = settings;
  if (databaseUrl === null) throw new EnvError([{ variable: 'DATABASE_URL', message: 'is not set, and this process was not started by npm start, which brings a PostgreSQL of its own' }]);
  if (secret === null) throw new EnvError([{ variable: 'OHM_SECRET', message: 'is not set' }]);
  return { ...settings, databaseUrl, secret };
}

export function integer(min: number, max: number): Parser<number> {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  };
}

export function oneOf<const T extends string>(...choices: T[]): Parser<T> {
  return (value) => {
    if (!choices.includes(value as T)) throw new Error(`must be one of ${choices.join(', ')}`);
    return value as T;
  };
}

export function hostName(value: string): string {
  if (isIP(value) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value)) return value;
  throw new Error('must be an IP address or a host name, without scheme and port');
}

/** Where one reaches a server that listens on every address. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIP(host) === 6 ? `[${host}]` : host;
}

export function origin(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  const plain = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username;
  if (!plain) throw new Error('must be an origin such as https://ohm.example.com, without a path');
  return url.origin;
}

function postgresUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || !url.hostname) throw new Error('must be a URL such as postgres://user:password@host:5432/database');
  return value;
}

export function redisUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^rediss?:$/.test(url.protocol) || !url.hostname) throw new Error('must be a URL such as redis://user:password@host:6379/0, or rediss:// with TLS');
  return value;
}

function restUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) throw new Error('must be a URL such as https://name.upstash.io');
  return value.replace(/\/+$/, '');
}

function smtpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname) throw new Error('must be a URL such as smtp://user:password@mail.example.com:587, or smtps:// with TLS from the start');
  return value;
}

function mailbox(value: string): string {
  if (/^([^<>@\r\n"]* )?<?[^\s<>@"]+@[^\s<>@"]+>?$/.test(value)) return value;
  throw new Error('must be an address such as ohm@example.com or Ohm <ohm@example.com>');
}

export function secret(value: string): string {
  if (value.length < 32) throw new Error('must have at least 32 characters. Make one with: openssl rand -base64 32');
  // Words of six letters and more: a shorter one stands in one random secret of a thousand.
  const guessable = /change|replace|placeholder|example|insert|secret|password|xxxxxx|1234567|abcdefg/i.test(value);
  if (guessable || new Set(value).size < 10) throw new Error('looks like a placeholder. Make one with: openssl rand -base64 32');
  return value;
}

function commit(value: string): string {
  if (/^[0-9a-f]{7,64}(-dirty)?$/i.test(value)) return value.toLowerCase();
  throw new Error('must be a commit as git names it, in hexadecimal');
}

function isServerless(source: Source): boolean {
  return Boolean(source.VERCEL || source.AWS_LAMBDA_FUNCTION_NAME || source.NETLIFY);
}
