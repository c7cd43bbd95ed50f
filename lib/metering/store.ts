import { sql } from 'drizzle-orm';
import type { Database } from '../db';
import { mended } from './deliver';
import { type Entry, jsonOf } from './entry';

/** The ledger's way into PostgreSQL: the definer functions of drizzle/0003_ledger.sql, as drizzle/0010_usage.sql and 0020_drain_json.sql left them. */
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
      const rows = textsOf(entries, 'S');
      const corrections = textsOf(entries, 'C', 'M');
      let count = 0;
      for (const { kind } of entries) if (kind === 'S') count++;
      await db.statement(`select ohm_ledger_take(${listed(rows.length, 1)}::json, ${count}, ${listed(corrections.length, rows.length + 1)}::jsonb)`, [...rows, ...corrections]);
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

/**
 * The rows of these kinds as they stand, joined by commas, in texts of moderate length: one of half a megabyte is a
 * large object to V8, which only a full collection takes away.
 */
function textsOf(entries: readonly Entry[], ...kinds: Entry['kind'][]): string[] {
  const texts: string[] = [];
  let at = 0;
  const next = () => {
    if (at > 0) texts.push(readable(scratch.toString('utf8', 0, at)));
    at = 0;
  };
  for (const entry of entries) {
    if (!kinds.includes(entry.kind)) continue;
    const length = entry.end - entry.start;
    if (at + 1 + length > scratch.length) next();
    if (length >= scratch.length) {
      texts.push(readable(jsonOf(entry)));
      continue;
    }
    if (at > 0) scratch[at++] = COMMA;
    at += entry.page.bytes.copy(scratch, at, entry.start, entry.end);
  }
  next();
  return texts;
}

/** A JSON array of so many texts, put together where they are read. PostgreSQL takes 98 at once: a batch of more comes again in halves. */
function listed(count: number, first: number): string {
  const texts = Array.from({ length: count }, (_, i) => `$${first + i}::text`);
  return count === 0 ? `'[]'` : `('[' || concat_ws(',', ${texts.join(', ')}) || ']')`;
}

const scratch = Buffer.allocUnsafeSlow(96 * 1024);
const COMMA = 0x2c;

/** jsonb knows neither NUL nor half a surrogate pair. Looked for in the text, since hardly any row has one. */
function readable(rows: string): string {
  return rows.includes('\\u') && /\\u(0000|[dD][89a-fA-F])/.test(rows) ? mended(`[${rows}]`, Infinity).slice(1, -1) : rows;
}
