import { sql } from 'drizzle-orm';
import type { Database } from '../db';
import { mended } from './deliver';
import { type Entry, textOf } from './entry';

/** The ledger's way into PostgreSQL: the definer functions of drizzle/0003_ledger.sql, as drizzle/0010_usage.sql, 0020_drain_json.sql and 0026_packed_rows.sql left them. */
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
      const packed = entries.filter(isPackedEntry);
      if (packed.length > 0) {
        const rows = textsOf(packed, '\n');
        await db.statement(`select ohm_ledger_take_packed(${joined(rows.length, '\n', 1)}, $${rows.length + 1}::text::integer)`, [...rows, String(packed.length)]);
      }
      if (packed.length === entries.length) return;
      const ended = entries.filter((entry) => entry.kind === 'S' && !isPackedEntry(entry));
      const rows = textsOf(ended, ',');
      const corrections = textsOf(entries.filter(({ kind }) => kind !== 'S'), ',');
      const last = rows.length + corrections.length;
      await db.statement(`select ohm_ledger_take(${listed(rows.length, 1)}::json, $${last + 1}::text::integer, ${listed(corrections.length, rows.length + 1)}::jsonb)`, [...rows, ...corrections, String(ended.length)].map(readable));
    },
    async admit(instanceId, rows) {
      const texts = `[${readable(rows.join(','))}]`;
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

const isPackedEntry = ({ page, start }: Entry): boolean => page.bytes[start] === OPEN_PARENTHESIS;

/**
 * The texts of these entries with something in between, put together to texts of moderate length: one of half a megabyte
 * is a large object to V8, which only a full collection takes away.
 */
function textsOf(entries: readonly Entry[], between: string): string[] {
  const texts: string[] = [];
  let parts: string[] = [];
  let length = 0;
  for (const text of eachText(entries)) {
    if (length > 0 && length + text.length > MOST_CHARACTERS) {
      texts.push(parts.join(between));
      parts = [];
      length = 0;
    }
    parts.push(text);
    length += text.length;
  }
  if (length > 0) texts.push(parts.join(between));
  return texts;
}

const MOST_CHARACTERS = 96 * 1024;

/** Entries mostly lie one behind the other: what is all ASCII is decoded once for many, and each text is a part of it. */
function* eachText(entries: readonly Entry[]): Generator<string> {
  for (let at = 0; at < entries.length; ) {
    const first = entries[at]!;
    let last = first;
    const from = at++;
    for (let next = entries[at]; next?.page === first.page && next.start >= last.end && next.end - first.start <= RUN_BYTES; next = entries[++at]) last = next;
    const run = first.page.bytes.toString('utf8', first.start, last.end);
    const ascii = run.length === last.end - first.start;
    for (const entry of entries.slice(from, at)) yield ascii ? run.slice(entry.start - first.start, entry.end - first.start) : textOf(entry);
  }
}

const RUN_BYTES = 64 * 1024;

/** So many texts with something in between, put together where they are read. PostgreSQL takes 98 at once: a batch of more comes again in halves. */
const joined = (count: number, between: string, first: number): string => `concat_ws(E'${JSON.stringify(between).slice(1, -1)}', ${Array.from({ length: count }, (_, i) => `$${first + i}::text`).join(', ')})`;

/** A JSON array of them. */
const listed = (count: number, first: number): string => (count === 0 ? `'[]'` : `('[' || ${joined(count, ',', first)} || ']')`);

const OPEN_PARENTHESIS = 0x28;

/** jsonb knows neither NUL nor half a surrogate pair. Looked for in the text, since hardly any row has one. */
function readable(rows: string): string {
  return rows.includes('\\u') && /\\u(0000|[dD][89a-fA-F])/.test(rows) ? mended(`[${rows}]`, Infinity).slice(1, -1) : rows;
}
