import { withWorkspace } from '../db';
import type { CallState } from './call-row';
import { firstContentLatency, type Latency } from './latency';
import type { Ledger } from './ledger';
import { usage } from './usage';
import type { UsageTotals } from './usage-figures';

/** A workspace's calls over a window. */
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
  first_content_ms: Latency;
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

/** `from` and `to`: ISO 8601 or Dates; `to` is not included. Refuses a window that is none. */
export async function summary(ledger: Ledger, workspaceId: string, from: string | Date, to: string | Date): Promise<Summary> {
  const { total, ...window } = await usage(ledger, workspaceId, { from, to, step: null, zone: 'UTC', groupBy: null });
  const latency = await withWorkspace(ledger.db, workspaceId, (tx) => firstContentLatency(tx, workspaceId, Date.parse(window.from), Date.parse(window.to)));
  return {
    from: window.from,
    to: window.to,
    calls: total.calls,
    by_state: total.by_state,
    streams: total.streams,
    failovers: total.failovers,
    truncations: total.truncations,
    first_content_ms: latency,
    cost: { nano_usd: total.cost_nano_usd, priced_calls: total.priced_calls, unpriced_calls: total.unpriced_calls, unpriced_share: total.unpriced_share },
    usage: { provider: total.provider, estimate: total.estimate, none: { calls: total.calls - total.provider.calls - total.estimate.calls } },
  };
}
