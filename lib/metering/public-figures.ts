import { sql } from 'drizzle-orm';
import type { Database } from '../db';
import { hourOf } from './usage-window';

/** A figure with what it rests on. `value` is null, with a reason, where nothing was measured: never 0 for that. */
export interface PublicFigure {
  value: number | null;
  unit: 'share' | 'calls' | 'ms';
  /** How many calls it was computed from. */
  n: number;
  reason: string | null;
}

export interface PublicFigures {
  /** `probes`: the product's calls to its own sandbox. `workspaces`: customers' calls, once 20 workspaces contribute. */
  source: 'probes' | 'workspaces';
  /** [from, to), ISO 8601. */
  window: { from: string; to: string };
  figures: {
    calls: PublicFigure;
    /** Of the streams that had begun: how many were cut after content. */
    streams_truncated_share: PublicFigure;
    /** Of the calls in which a tier failed before content: how many another tier still answered. */
    rescued_share: PublicFigure;
    /** Of the calls that used tokens: counted by the provider, or estimated. */
    usage_by_provider_share: PublicFigure;
    usage_estimated_share: PublicFigure;
    /** Of the calls that used tokens: at an unknown price. */
    unpriced_share: PublicFigure;
    /** Of all calls: the process died and nobody knows their end. */
    lost_share: PublicFigure;
    first_content_p50_ms: PublicFigure;
    first_content_p95_ms: PublicFigure;
  };
}

/**
 * Figures for everybody over the last `days` days, from the ledger's hourly sums when they are asked for: the window
 * begins with an hour. Percentiles are within 2 %.
 */
export async function publicFigures(db: Database, { days = 7, now = Date.now() }: { days?: number; now?: number } = {}): Promise<PublicFigures> {
  const window = { from: new Date(hourOf(now - days * 86_400_000)).toISOString(), to: new Date(now).toISOString() };
  const [row] = await db.unscoped((queries) =>
    queries.execute<{ figures: string }>(
      sql`select ohm_public_figures(${window.from}::text::timestamptz, ${window.to}::text::timestamptz)::text as figures`,
    ),
  );
  const counted = JSON.parse(row!.figures) as Counted;
  const none = `no ${counted.source === 'probes' ? 'probe' : 'call'} in the window`;
  return {
    source: counted.source,
    window,
    figures: {
      calls: { value: counted.calls, unit: 'calls', n: counted.calls, reason: null },
      streams_truncated_share: share(counted.streams_truncated, counted.streams_committed, `${none} streamed content`),
      rescued_share: share(counted.rescued, counted.first_tier_failed, `${none} met a failing tier`),
      usage_by_provider_share: share(counted.usage_provider, counted.metered, `${none} used tokens`),
      usage_estimated_share: share(counted.usage_estimate, counted.metered, `${none} used tokens`),
      unpriced_share: share(counted.unpriced, counted.metered, `${none} used tokens`),
      lost_share: share(counted.lost, counted.calls, none),
      first_content_p50_ms: measured(counted.first_content_p50_ms, counted.first_content_n, `${none} reached content`),
      first_content_p95_ms: measured(counted.first_content_p95_ms, counted.first_content_n, `${none} reached content`),
    },
  };
}

interface Counted {
  source: 'probes' | 'workspaces';
  calls: number;
  lost: number;
  streams_committed: number;
  streams_truncated: number;
  first_tier_failed: number;
  rescued: number;
  usage_provider: number;
  usage_estimate: number;
  metered: number;
  unpriced: number;
  first_content_n: number;
  first_content_p50_ms: number | null;
  first_content_p95_ms: number | null;
}

function share(part: number, n: number, reason: string): PublicFigure {
  return n === 0 ? { value: null, unit: 'share', n, reason } : { value: part / n, unit: 'share', n, reason: null };
}

function measured(value: number | null, n: number, reason: string): PublicFigure {
  return { value, unit: 'ms', n, reason: n === 0 ? reason : null };
}
