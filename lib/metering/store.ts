import { sql } from 'drizzle-orm';
import type { Database } from '../db';
import { type Entry, entryOf, jsonOf } from './entry';
import type { Log } from './log';

/** The ledger's way into PostgreSQL: the definer functions of drizzle/0003_ledger.sql, as drizzle/0010_usage.sql and 0013_savings.sql left them. */
export interface Store {
  /** Ended calls and corrections. Any number of times. */
  drain(entries: readonly Entry[]): Promise<void>;
  /** Calls about to contact an upstream, as JSON texts; none: a sign of life. */
  admit(instanceId: string, rows: readonly string[]): Promise<void>;
  /** Closes open calls of instances that have been silent this long as `lost`; tells how many. */
  closeLost(silenceMs: number): Promise<number>;
}

export function createStore(db: Database): Store {
  return {
    async drain(entries) {
      // The texts are joined as they stand. `::text::jsonb`: the client must not serialise them once more.
      const rows = readable(listOf(entries, 'S'));
      const corrections = readable(listOf(entries, 'C', 'M'));
      await db.unscoped((queries) => queries.execute(sql`select ohm_ledger_drain(${rows}::text::jsonb, ${corrections}::text::jsonb)`));
    },
    async admit(instanceId, rows) {
      const texts = readable(`[${rows.join(',')}]`);
      await db.unscoped((queries) => queries.execute(sql`select ohm_ledger_admit(${instanceId}, ${texts}::text::jsonb)`));
    },
    async closeLost(silenceMs) {
      const [row] = await db.unscoped((queries) =>
        queries.execute<{ closed: number }>(sql`select ohm_ledger_close_lost(make_interval(secs => ${silenceMs / 1000}::double precision)) as closed`),
      );
      return row?.closed ?? 0;
    },
  };
}

/**
 * Drains a batch although some row in it may be one that PostgreSQL cannot take (a NUL or half a character from
 * an upstream's text, a name too long for an index). Such a row is mended and kept; only when even that fails is
 * it handed to `refuse`. Rejects when the database is away: then nothing is decided and the batch may come again.
 */
export async function deliver(store: Store, entries: readonly Entry[], refuse: (entry: Entry, error: unknown) => void): Promise<void> {
  try {
    await store.drain(entries);
  } catch (error) {
    if (!isAboutTheRows(error)) throw error;
    if (entries.length > 1) {
      const half = entries.length >> 1;
      await deliver(store, entries.slice(0, half), refuse);
      await deliver(store, entries.slice(half), refuse);
      return;
    }
    await deliverMended(store, entries[0]!, refuse);
  }
}

/** A refusal is written to the log: the row's own text is all there is of it. */
export function refuseLoudly(log: Log, count: () => void): (entry: Entry, error: unknown) => void {
  return (entry, error) => {
    count();
    log.error({ id: entry.id, row: jsonOf(entry), reason: String((error as Error)?.message ?? error) }, 'PostgreSQL does not take this ledger row');
  };
}

/** A JSON array, put together from the bytes as they stand. */
function listOf(entries: readonly Entry[], ...kinds: Entry['kind'][]): string {
  let room = 2;
  for (const entry of entries) if (kinds.includes(entry.kind)) room += entry.end - entry.start + 1;
  const list = Buffer.allocUnsafe(room);
  let at = 0;
  for (const entry of entries) {
    if (!kinds.includes(entry.kind)) continue;
    list[at] = at === 0 ? OPEN_BRACKET : COMMA;
    at++;
    at += entry.bytes.copy(list, at, entry.start, entry.end);
  }
  if (at === 0) return '[]';
  list[at++] = CLOSE_BRACKET;
  return list.toString('utf8', 0, at);
}

const OPEN_BRACKET = 0x5b;
const COMMA = 0x2c;
const CLOSE_BRACKET = 0x5d;

async function deliverMended(store: Store, entry: Entry, refuse: (entry: Entry, error: unknown) => void): Promise<void> {
  try {
    await store.drain([entryOf(entry.kind, entry.id, mended(jsonOf(entry), 400), null)]);
  } catch (error) {
    if (!isAboutTheRows(error)) throw error;
    refuse(entry, error);
  }
}

/** jsonb knows neither NUL nor half a surrogate pair. Looked for in the text, since hardly any row has one. */
function readable(json: string): string {
  return json.includes('\\u') && /\\u(0000|[dD][89a-fA-F])/.test(json) ? mended(json, Infinity) : json;
}

function mended(json: string, longest: number): string {
  return JSON.stringify(JSON.parse(json), (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/\0|\p{Surrogate}/gu, '\uFFFD').slice(0, longest) : value,
  );
}

/** SQLSTATE classes 22 (data), 23 (constraints), 54 (limits), or text that is no JSON: the same again would fail again. */
function isAboutTheRows(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (/^(22|23|54)\w{3}$/.test(String((inner as { code?: unknown }).code))) return true;
  }
  return false;
}
