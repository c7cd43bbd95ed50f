import { and, desc, eq, getTableColumns, gte, lt, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type Tx, withWorkspace } from '../db';
import { callClasses, calls } from '../db/schema';
import { Refusal } from '../std';
import type { CallRow, CallState } from './call-row';
import type { Ledger } from './ledger';
import { wholeRow } from './row-json';

export interface CallFilter {
  /** Key id. */
  key?: string;
  /** Route name, or `direct`. */
  route?: string;
  state?: CallState;
  /**
   * A failure class that any attempt of the call met (`rate_limited`), or class and moment: `.before_content` of an
   * attempt that failed while the client had nothing, `.after_content` of the one that was cut.
   */
  class?: string;
  /** The model that answered. */
  model?: string;
  /** Id of the connection that answered. */
  connection?: string;
  tag?: string;
  /** Created at this moment or later. ISO 8601 or a Date. */
  from?: string | Date;
  /** Created before this moment. */
  to?: string | Date;
  /** `next_cursor` of the page before. */
  cursor?: string;
  /** 1 to 200; default 50. */
  limit?: number;
}

export interface CallPage {
  data: CallRow[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/**
 * A call's row as soon as its client saw the end: from this process's memory while PostgreSQL does not have it,
 * then from PostgreSQL. Undefined before the end, for an unknown id and for one of another workspace.
 */
export async function findCall(ledger: Ledger, workspaceId: string, id: string): Promise<CallRow | undefined> {
  const undrained = await ledger.undrained(id);
  const row = undrained ?? (await select(ledger, workspaceId, id)) ?? (await elsewhere(ledger, workspaceId, id));
  if (row?.workspace_id !== workspaceId) return undefined;
  return { ...row, ...ledger.correction(id) };
}

/**
 * A workspace's calls, newest first, failed and refused ones included. The order is (created_at, id), so a page
 * neither repeats nor skips a row when calls come in meanwhile. A call that has just ended is on the list.
 * Refuses a cursor that is not one of ours and a limit out of range.
 */
export async function listCalls(ledger: Ledger, workspaceId: string, filter: CallFilter = {}): Promise<CallPage> {
  const limit = filter.limit ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) throw invalid('limit', `must be a whole number from 1 to ${MOST}`);
  await ledger.flush(FLUSH_BOUND_MS); // in vain while the database is away, and then the query says so
  const page = await withWorkspace(ledger.db, workspaceId, (tx) => callsBehind(tx, workspaceId, filter, filter.cursor ?? null, limit));
  return { data: page.calls, next_cursor: page.next };
}

/** The same within a transaction, without a bound on the page: the calls behind a cursor, and the next cursor. */
export async function callsBehind(tx: Tx, workspaceId: string, filter: CallFilter, cursor: string | null, limit: number): Promise<{ calls: CallRow[]; next: string | null }> {
  const met = metByAny(filter);
  const rows = met !== null
    ? await tx
        .select(getTableColumns(calls))
        .from(callClasses)
        .innerJoin(calls, eq(calls.id, callClasses.call_id))
        .where(and(eq(callClasses.workspace_id, workspaceId), eq(callClasses.class, met), eq(calls.workspace_id, workspaceId), ...conditions(filter), ...within(filter, callClasses.created_at), cursor === null ? undefined : after(cursor, callClasses.created_at, callClasses.call_id)))
        .orderBy(desc(callClasses.created_at), desc(callClasses.call_id))
        .limit(limit + 1)
    : await tx
        .select()
        .from(calls)
        .where(and(eq(calls.workspace_id, workspaceId), ...conditions(filter), ...within(filter, calls.created_at), cursor === null ? undefined : after(cursor, calls.created_at, calls.id)))
        .orderBy(desc(calls.created_at), desc(calls.id))
        .limit(limit + 1);
  const page = rows.slice(0, limit).map(wholeRow);
  const last = page.at(-1);
  return { calls: page, next: rows.length > limit && last ? encodeCursor(last) : null };
}

const DEFAULT_LIMIT = 50;
const MOST = 200;
const FLUSH_BOUND_MS = 500;
/** Somewhat longer than a row takes from another process's journal into PostgreSQL. */
const ELSEWHERE_MS = 150;

async function select(ledger: Ledger, workspaceId: string, id: string): Promise<CallRow | undefined> {
  const rows = await withWorkspace(ledger.db, workspaceId, (tx) =>
    tx.select().from(calls).where(and(eq(calls.workspace_id, workspaceId), eq(calls.id, id))),
  );
  return rows[0] && wholeRow(rows[0]);
}

/** The call may have ended in another process of this installation a moment ago: its row is on the way. */
async function elsewhere(ledger: Ledger, workspaceId: string, id: string): Promise<CallRow | undefined> {
  if (!ledger.hasNeighbours() || !isRecent(id)) return undefined;
  await new Promise((resolve) => setTimeout(resolve, ELSEWHERE_MS));
  return await select(ledger, workspaceId, id);
}

/** Ids begin with their moment (lib/std/id.ts); a call lasts an hour at the most. */
function isRecent(id: string): boolean {
  const time = id.slice(id.indexOf('_') + 1).slice(0, 10);
  let ms = 0;
  for (const digit of time) ms = ms * 32 + '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit);
  return Math.abs(Date.now() - ms) < 3_600_000;
}

function conditions({ key, route, state, class: failure, model, connection, tag }: CallFilter): (SQL | undefined)[] {
  return [
    key === undefined ? undefined : eq(calls.key_id, key),
    route === undefined ? undefined : eq(calls.route, route),
    state === undefined ? undefined : stateIs(state),
    failure === undefined ? undefined : metAt(failure),
    model === undefined ? undefined : eq(calls.model, model),
    connection === undefined ? undefined : eq(calls.connection_id, connection),
    tag === undefined ? undefined : eq(calls.tag, tag),
  ];
}

function within({ from, to }: CallFilter, createdAt: PgColumn): (SQL | undefined)[] {
  return [from === undefined ? undefined : gte(createdAt, moment('from', from)), to === undefined ? undefined : lt(createdAt, moment('to', to))];
}

/** Said twice where it is not `finished`: the planner takes the partial index only when it sees its condition. */
function stateIs(state: CallState): SQL | undefined {
  return state === 'finished' ? eq(calls.state, state) : and(eq(calls.state, state), sql`${calls.state} <> 'finished'`);
}

const BEFORE = '.before_content';
const AFTER = '.after_content';

/** The class that any attempt may have met; null where there is none, and where only a call's last attempt can be the one. */
function metByAny({ class: failure }: CallFilter): string | null {
  if (failure === undefined || failure.endsWith(AFTER)) return null;
  return failure.endsWith(BEFORE) ? failure.slice(0, -BEFORE.length) : failure;
}

/**
 * The moment of a class. A cut answer ends its call, so it is the call's own `alert_class`, which has an index. Before
 * content several attempts may have failed, each with a class of its own: another tier's later failure hides none.
 */
function metAt(failure: string): SQL | undefined {
  if (failure.endsWith(AFTER)) return and(eq(calls.alert_class, failure), sql`${calls.alert_class} is not null`);
  if (!failure.endsWith(BEFORE)) return undefined;
  const one = JSON.stringify([{ state: 'failed', class: failure.slice(0, -BEFORE.length) }]);
  return or(eq(calls.alert_class, failure), sql`${calls.attempts} @> ${one}::text::jsonb`);
}

function moment(field: string, value: string | Date): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw invalid(field, 'is no moment');
  return date.toISOString();
}

function encodeCursor(row: CallRow): string {
  return Buffer.from(`${row.created_at} ${row.id}`).toString('base64url');
}

function after(cursor: string, atColumn: PgColumn, idColumn: PgColumn): SQL {
  const [, createdAt, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\w{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (createdAt === undefined || id === undefined || !isDay(createdAt)) throw invalid('cursor', 'is not a cursor of this list');
  return sql`(${atColumn}, ${idColumn}) < (${createdAt}::text::timestamptz, ${id}::text)`;
}

/** PostgreSQL knows no 30th of February and no year 0, where JavaScript does. */
function isDay(iso: string): boolean {
  const date = new Date(iso);
  return !Number.isNaN(date.getTime()) && date.toISOString() === iso && !iso.startsWith('0000');
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('invalid', `${field}: ${message}.`, [{ field, message }]);
}
