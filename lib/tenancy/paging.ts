import { sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Tx } from '../db';
import { Refusal } from '../std';

/** Counting stops here: a list of millions must not cost a scan of millions. */
const MAX_TOTAL = 10_000;

export interface PageOf<T> {
  data: T[];
  next_cursor: string | null;
  total: number;
  total_is_capped: boolean;
}

/** One order of a list: the expression that it goes by (never null), ties broken by id the same way round. */
export interface Order {
  name: string;
  by: SQL;
  /** SQL type of `by`, so that a cursor's text is compared as what it is. */
  type: 'text' | 'timestamptz' | 'integer' | 'bigint';
  descending: boolean;
}

interface PageRequest {
  table: PgTable;
  id: SQL;
  order: Order;
  where: SQL | undefined;
  limit: number;
  cursor: string | undefined;
}

/**
 * The ids of one page, by keyset: an item is neither skipped nor repeated when others come or go meanwhile.
 * Refuses a cursor that belongs to another order.
 */
export async function pageOfIds(tx: Tx, request: PageRequest): Promise<Omit<PageOf<string>, 'data'> & { ids: string[] }> {
  const { table, id, order, limit } = request;
  const matches = request.where ?? sql`true`;
  const after = request.cursor === undefined ? null : decodeCursor(request.cursor, order.name);
  const way = order.descending ? sql`desc` : sql`asc`;
  const beyond =
    after === null
      ? sql`true`
      : sql`(${order.by}, ${id} collate "C") ${order.descending ? sql`<` : sql`>`} (${typed(after.value, order)}, ${after.id})`;
  const rows = await tx.execute<{ id: string; at: string }>(sql`
    select ${id} as id, (${order.by})::text as at from ${table}
    where ${matches} and ${beyond}
    order by ${order.by} ${way}, ${id} collate "C" ${way}
    limit ${limit + 1}`);
  const [counted] = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n from (select 1 from ${table} where ${matches} limit ${MAX_TOTAL + 1}) as counted`);
  const total = counted?.n ?? 0;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    ids: page.map((row) => row.id),
    next_cursor: rows.length > limit && last !== undefined ? encodeCursor(order.name, last.at, last.id) : null,
    total: Math.min(total, MAX_TOTAL),
    total_is_capped: total > MAX_TOTAL,
  };
}

/** Part of a name, whatever its case; `%` and `_` mean themselves. */
export function nameContains(column: SQL, text: string): SQL {
  return sql`${column} ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`;
}

function typed(value: string, order: Order): SQL {
  const cast = { text: sql`text collate "C"`, timestamptz: sql`timestamptz`, integer: sql`integer`, bigint: sql`bigint` }[order.type];
  return order.type === 'text' ? sql`${value}::text collate "C"` : sql`${value}::${cast}`;
}

function encodeCursor(order: string, value: string, id: string): string {
  return Buffer.from(JSON.stringify([order, value, id])).toString('base64url');
}

function decodeCursor(cursor: string, order: string): { value: string; id: string } {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    parts = null; // not one of ours: refused below
  }
  if (Array.isArray(parts) && parts.length === 3 && parts.every((part) => typeof part === 'string') && parts[0] === order && sane(parts)) {
    return { value: parts[1] as string, id: parts[2] as string };
  }
  throw new Refusal('invalid', 'cursor: is not a cursor of this list in this order.', [
    { field: 'cursor', message: 'is not a cursor of this list in this order' },
  ]);
}

/** PostgreSQL refuses a NUL in text, and a moment or number that is none: it knows no year 0. */
function sane([order, value, id]: string[]): boolean {
  if (`${value}${id}`.includes('\0')) return false;
  if (order === 'created' || order === 'last_used' || order === 'expires') return isMoment(value!);
  if (order === 'revision' || order === 'seq') return /^\d{1,9}$/.test(value!);
  return true;
}

/** As PostgreSQL writes a timestamptz, and a day that there is. */
function isMoment(text: string): boolean {
  const found = /^(?!0000)(\d{4}-\d\d-\d\d) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?[+-](0\d|1[0-4])(:[0-5]\d){0,2}$/.exec(text);
  const day = new Date(`${found?.[1]}T00:00:00Z`);
  return found !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(found[1]!);
}
