import { isRefusal, Refusal } from '../std';

/**
 * What PostgreSQL or its client says when the database cannot answer now, as against "your statement is wrong":
 * the socket's own codes, postgres.js's, and SQLSTATE classes 08 (connection), 53 (resources), 57 (operator
 * intervention; 57014 is the statement time-out), 55P03 (lock time-out), 25006 (a standby), 28P01 and 3D000
 * (credentials or database being replaced).
 */
const AWAY = /^(ECONN\w+|E(HOST|NET)(UNREACH|DOWN)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|CONNECTION_\w+|08\w{3}|53\w{3}|57\w{3}|55P03|25006|25P0[34]|28P01|3D000)$/;

/** Drizzle's errors carry every parameter in their message, secrets included: what it wraps is what goes on. */
export function translated(error: unknown): unknown {
  if (isRefusal(error)) return error;
  const original = innermost(error);
  if (AWAY.test(String(original.code))) return unavailable();
  return error instanceof Error && 'query' in error && error.cause instanceof Error ? error.cause : error;
}

export function unavailable(): Refusal {
  return new Refusal('unavailable', 'The database cannot answer right now. Nothing was changed; try again in a moment.', [], 2);
}

/** Is this error the violation of a constraint (unique, foreign key, check), of the named one if given? */
export function constraintViolated(error: unknown, name?: string): boolean {
  const { code, constraint_name: violated } = innermost(error);
  return /^23\w{3}$/.test(String(code)) && (name === undefined || violated === name);
}

function innermost(error: unknown): { code?: unknown; constraint_name?: unknown } {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return inner instanceof Error ? (inner as Error & { code?: unknown; constraint_name?: unknown }) : {};
}
