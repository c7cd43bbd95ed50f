import { sql } from 'drizzle-orm';
import type { Database } from '../db';
import { mended } from './deliver';
import type { Entry } from './entry';

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
      // The texts are joined as they stand. `::text::jsonb`: the client must not serialise them once more.
      const rows = readable(listOf(entries, 'S'));
      const corrections = readable(listOf(entries, 'C', 'M'));
      let count = 0;
      for (const { kind } of entries) if (kind === 'S') count++;
      await db.unscoped((queries) => queries.execute(sql`select ohm_ledger_take(${rows}::text::json, ${count}::int, ${corrections}::text::jsonb)`));
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

/** jsonb knows neither NUL nor half a surrogate pair. Looked for in the text, since hardly any row has one. */
function readable(json: string): string {
  return json.includes('\\u') && /\\u(0000|[dD][89a-fA-F])/.test(json) ? mended(json, Infinity) : json;
}
