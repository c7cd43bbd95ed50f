import { sql } from 'drizzle-orm';
import type { Tx } from '../db';
import { HOUR_MS, hourOf } from './usage-window';

/** How long first content took, over the calls whose client got content. */
export interface Latency {
  n: number;
  /** Ms; null where there is none. */
  p50: number | null;
  p95: number | null;
  /** `rows`: exact. `histogram`: of very many calls, each figure within 2 % of the exact one. */
  from: 'rows' | 'histogram';
}

/** Beyond this many calls the hourly histogram is read and no row. */
export const MOST_EXACT = 10_000;

/**
 * Percentiles over [from, to), ms since the epoch. A histogram is of whole hours: where that is read, so are the
 * hours that the window only begins or ends in, and `n` counts their calls too.
 */
export async function firstContentLatency(tx: Tx, workspaceId: string, fromMs: number, toMs: number): Promise<Latency> {
  const hours = sql`workspace_id = ${workspaceId} and hour >= ${iso(hourOf(fromMs))}::text::timestamptz and hour < ${iso(toMs)}::text::timestamptz`;
  const buckets = await tx.execute<{ bucket: number; calls: number }>(sql`
    select bucket, sum(calls)::int as calls from usage_latencies where ${hours} group by bucket order by bucket`);
  const n = buckets.reduce((sum, { calls }) => sum + calls, 0);
  if (n > MOST_EXACT && toMs - fromMs > HOUR_MS) return { n, p50: percentile(buckets, n, 0.5), p95: percentile(buckets, n, 0.95), from: 'histogram' };
  const [row] = await tx.execute<{ n: number; p50: number | null; p95: number | null }>(sql`
    select count(first_content_ms)::int as n, percentile_cont(0.5) within group (order by first_content_ms) as p50,
      percentile_cont(0.95) within group (order by first_content_ms) as p95
    from calls where workspace_id = ${workspaceId} and created_at >= ${iso(fromMs)}::text::timestamptz and created_at < ${iso(toMs)}::text::timestamptz`);
  return { ...row!, from: 'rows' };
}

/** Width of a bucket, as `ohm_latency_bucket` has it. */
const BASE = 1.04;

function percentile(buckets: readonly { bucket: number; calls: number }[], n: number, share: number): number {
  let seen = 0;
  for (const { bucket, calls } of buckets) {
    seen += calls;
    if (seen >= share * n) return (2 * BASE ** bucket) / (BASE + 1);
  }
  throw new Error('a histogram without calls has no percentile');
}

const iso = (ms: number): string => new Date(ms).toISOString();
