import { sql } from 'drizzle-orm';
import type { Database } from '../db';

/**
 * Makes the sums anew from the ledger's rows, of all workspaces, day by day: ledger rows that come in meanwhile wait
 * for a day's length at the most. Tells how many calls it counted. The sums never need it; it is there to be tried.
 */
export async function rebuildUsage(db: Database, { now = Date.now() }: { now?: number } = {}): Promise<number> {
  let counted = 0;
  for (let from: number | null = null, to: number | null = FIRST_DAY; ; from = to, to = to! + DAY_MS > now + DAY_MS ? null : to! + DAY_MS) {
    const [row] = await db.transaction(
      (tx) => tx.execute<{ n: string }>(sql`select ohm_usage_rebuild(${moment(from)}::text::timestamptz, ${moment(to)}::text::timestamptz)::text as n`),
      { timeoutMs: PIECE_MS },
    );
    counted += Number(row!.n);
    if (to === null) return counted;
  }
}

const DAY_MS = 86_400_000;
/** No ledger is older; what is in spite of that goes with the first piece. */
const FIRST_DAY = Date.UTC(2026, 0, 1);
const PIECE_MS = 600_000;

const moment = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
