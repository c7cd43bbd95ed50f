import { isRefusal } from '../../std';
import { EnvError } from '../../std/env';
import { PortTaken } from '../port';

/**
 * Why the product did not start, in a line or two that name the variable and what to do. Null: an error of our own,
 * to be shown whole. `databaseUrl` is the operator's; null with the embedded PostgreSQL.
 */
export function startFailure(error: unknown, databaseUrl: string | null): string | null {
  if (error instanceof StartFailure || error instanceof EnvError || error instanceof PortTaken) return error.message;
  const cause = innermost(error);
  // What lib/db finds wrong with a setting begins with the setting's name.
  if (/^(OHM_\w+|DATABASE_URL)\b/.test(cause.message ?? '')) return cause.message!;
  const code = String(cause.code ?? '');
  const subject = databaseUrl === null ? 'the embedded PostgreSQL' : `DATABASE_URL: the database at ${databasePlace(databaseUrl)}`;
  if (/^28/.test(code)) return `${subject} refuses the log-in (${cause.message}). Correct the user and the password.`;
  if (code === '3D000') return `${subject} is not there (${cause.message}). Create it, or correct the name at the end of the URL.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `${subject} has a host name that cannot be found. Correct it.`;
  if (isRefusal(error) || AWAY.test(code)) return `${subject} does not answer${code ? ` (${code})` : ''}. ${databaseUrl === null ? 'See postgres.log in the data folder.' : 'Start it, or correct the address.'}`;
  return null;
}

/** One line to whoever started the process. */
export const log = (line: string): void => console.log(`ohm: ${line}`);

/** Ends a process that could not start: with what to do where that is known, with the whole error where it is not. */
export function endStart(error: unknown, databaseUrl: string | null = null): never {
  const why = startFailure(error, databaseUrl);
  if (why !== null) console.error(why.replaceAll(/^/gm, 'ohm: '));
  else console.error('ohm: could not start:', error);
  process.exit(1);
}

/** A start that failed for a reason that `startFailure` has put into words. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

/** Socket codes, postgres.js's, and SQLSTATEs of a server that cannot serve now. */
const AWAY = /^(ECONN\w+|E(HOST|NET)(UNREACH|DOWN)|EPIPE|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_\w+|08\w{3}|53\w{3}|57\w{3})$/;

/** Without the password. */
export function databasePlace(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname}`;
}

function innermost(error: unknown): { code?: unknown; message?: string } {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  // Node tries each address of a name: the first failure tells.
  if (inner instanceof AggregateError && inner.errors[0] instanceof Error) inner = inner.errors[0];
  return inner instanceof Error ? (inner as Error & { code?: unknown }) : {};
}
