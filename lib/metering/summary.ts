import { sql } from 'drizzle-orm';
import { withWorkspace } from '../db';
import { Refusal } from '../std';
import type { CallState } from './call-row';
import type { Ledger } from './ledger';

/** A workspace's calls over a window. Every figure is counted from the rows when it is asked for. */
export interface Summary {
  /** Window [from, to), ISO 8601. */
  from: string;
  to: string;
  calls: number;
  by_state: Record<CallState, number>;
  streams: number;
  /** Calls that a tier answered after another one had failed. */
  failovers: number;
  /** Cut after content had been sent. */
  truncations: number;
  /** Over the calls whose client got content; null where there is none. */
  first_content_ms: { n: number; p50: number | null; p95: number | null };
  cost: {
    /** Sum over the priced calls; null when not one has a price. */
    nano_usd: number | null;
    priced_calls: number;
    /** Calls that used tokens at an unknown price: they are missing from the sum. */
    unpriced_calls: number;
    /** unpriced / (priced + unpriced); null when there is neither. */
    unpriced_share: number | null;
  };
  /** Who counted the tokens. `none`: nothing was sent to a provider, or the call is lost. */
  usage: {
    provider: UsageTotals;
    estimate: UsageTotals;
    none: { calls: number };
  };
}

export interface UsageTotals {
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
}

/** `from` and `to`: ISO 8601 or Dates; `to` is not included. Refuses a window that is none. */
export async function summary(ledger: Ledger, workspaceId: string, from: string | Date, to: string | Date): Promise<Summary> {
  const window = { from: new Date(from), to: new Date(to) };
  for (const [field, date] of Object.entries(window)) {
    if (Number.isNaN(date.getTime())) throw new Refusal('invalid', `${field}: is no moment.`, [{ field, message: 'is no moment' }]);
  }
  const [start, end] = [window.from.toISOString(), window.to.toISOString()];
  await ledger.flush(FLUSH_BOUND_MS);
  const [row] = await withWorkspace(ledger.db, workspaceId, (tx) => tx.execute<SummaryRow>(query(workspaceId, start, end)));
  return shaped(row!, start, end);
}

const FLUSH_BOUND_MS = 500;

interface SummaryRow extends Record<string, unknown> {
  states: Partial<Record<CallState, number>>;
  streams: number;
  failovers: number;
  first_content_n: number;
  first_content_p50: number | null;
  first_content_p95: number | null;
  /** Sums are numeric: text on the wire. */
  cost: string | null;
  priced: number;
  unpriced: number;
  usage: { source: 'provider' | 'estimate' | null; calls: number; prompt: number; completion: number }[];
}

function query(workspaceId: string, from: string, to: string) {
  return sql`
    with of_window as (
      select * from calls
      where workspace_id = ${workspaceId} and created_at >= ${from}::text::timestamptz and created_at < ${to}::text::timestamptz
    )
    select
      (select coalesce(jsonb_object_agg(state, n), '{}')::text from (select state, count(*) as n from of_window group by state) s) as states,
      count(*) filter (where stream)::int as streams,
      count(*) filter (where tier is not null and exists (
        select from jsonb_array_elements(attempts) a where a ->> 'state' = 'failed' and (a ->> 'tier')::int <> tier))::int as failovers,
      count(first_content_ms)::int as first_content_n,
      percentile_cont(0.5) within group (order by first_content_ms) as first_content_p50,
      percentile_cont(0.95) within group (order by first_content_ms) as first_content_p95,
      sum(cost_nano_usd)::text as cost,
      count(cost_nano_usd)::int as priced,
      count(*) filter (where usage is not null and cost_nano_usd is null)::int as unpriced,
      (select coalesce(jsonb_agg(u), '[]')::text from (
        select usage_source as source, count(*) as calls,
          coalesce(sum((usage ->> 'prompt_tokens')::numeric), 0) as prompt,
          coalesce(sum((usage ->> 'completion_tokens')::numeric), 0) as completion
        from of_window group by usage_source) u) as usage
    from of_window`;
}

function shaped(row: SummaryRow, from: string, to: string): Summary {
  const states = parsed(row.states);
  const by_state = { finished: 0, truncated: 0, rejected: 0, aborted: 0, lost: 0, ...states };
  const usage = parsed(row.usage);
  const totals = (source: 'provider' | 'estimate'): UsageTotals => {
    const found = usage.find((each) => each.source === source);
    return { calls: found?.calls ?? 0, prompt_tokens: found?.prompt ?? 0, completion_tokens: found?.completion ?? 0 };
  };
  const metered = row.priced + row.unpriced;
  return {
    from,
    to,
    calls: Object.values(by_state).reduce((sum, n) => sum + n, 0),
    by_state,
    streams: row.streams,
    failovers: row.failovers,
    truncations: by_state.truncated,
    first_content_ms: { n: row.first_content_n, p50: row.first_content_p50, p95: row.first_content_p95 },
    cost: {
      nano_usd: row.cost === null ? null : Number(row.cost),
      priced_calls: row.priced,
      unpriced_calls: row.unpriced,
      unpriced_share: metered === 0 ? null : row.unpriced / metered,
    },
    usage: {
      provider: totals('provider'),
      estimate: totals('estimate'),
      none: { calls: usage.find((each) => each.source === null)?.calls ?? 0 },
    },
  };
}

/** Selected as text: whether the client parses jsonb is then of no matter. */
function parsed<T>(value: T): T {
  return typeof value === 'string' ? (JSON.parse(value) as T) : value;
}
