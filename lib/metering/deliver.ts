import type { CallRow } from './call-row';
import { type Entry, entryOf, textOf } from './entry';
import type { Log } from './log';
import { isPacked } from './packed-row';
import { rowJson } from './row-json';
import { rowOf } from './row-text';
import type { Store } from './store';

/** Rows in one transaction: their sums are written once for all of them, so that 1,000 at a time take a tenth longer, row by row, 250 a quarter. */
export const BATCH_ROWS = 3_000;

/** Where rows go, as far as carrying them there is concerned. */
export type RowStore = Pick<Store, 'drain'>;

/**
 * Drains a batch although some row in it may be one that PostgreSQL cannot take (a NUL or half a character from
 * an upstream's text, a name too long for an index). Such a row is mended and kept; when even that fails it is handed
 * to `refuse` and kept without its figures. Rejects when the database is away: then nothing is decided and the batch may come again.
 */
export async function deliver(store: RowStore, entries: readonly Entry[], refuse: (entry: Entry, error: unknown) => void): Promise<void> {
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

async function deliverMended(store: RowStore, entry: Entry, refuse: (entry: Entry, error: unknown) => void): Promise<void> {
  try {
    await store.drain([entryOf(entry.kind, entry.id, mended(jsonOf(entry), 400), null)]);
  } catch (error) {
    if (!isAboutTheRows(error)) throw error;
    refuse(entry, error);
    if (entry.kind === 'S') await deliverBare(store, entry);
  }
}

/** The call itself still has its row, without the figures, and what was set aside for it is settled: the log has the rest. */
async function deliverBare(store: RowStore, entry: Entry): Promise<void> {
  const row = rowOf(mended(jsonOf(entry), 400));
  const bare: CallRow = {
    ...row,
    tier: null,
    connection_id: null,
    provider: null,
    model: null,
    model_reported: null,
    malformed_events: 0,
    attempts: [],
    eco: null,
    usage: null,
    usage_source: null,
    usage_estimated: [],
    cost_nano_usd: null,
    price_version: null,
    prompt_cost_nano_usd: null,
    avoided_nano_usd: null,
    first_content_ms: null,
    duration_ms: null,
    tokens_before: null,
    tokens_after: null,
    savers: null,
  };
  try {
    await store.drain([entryOf('S', entry.id, rowJson(bare), null)]);
  } catch (error) {
    if (!isAboutTheRows(error)) throw error; // not even that: the log has it
  }
}

/** A packed row as JSON, in which it can be mended. */
function jsonOf(entry: Entry): string {
  const text = textOf(entry);
  return isPacked(text) ? rowJson(rowOf(text)) : text;
}

/** Texts that jsonb can hold, of at most `longest` characters. */
export function mended(json: string, longest: number): string {
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
