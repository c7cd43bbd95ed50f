import type { ConnectionConfig, TierConfig } from '../gateway/ports';
import type { TierCandidate, TierView } from '../management/schemas';

/** The columns of a tier that say where it stands. */
interface Placed {
  position: number;
  /** 0: a tier by itself; from 1: a candidate of an eco tier. */
  candidate: number;
}

/** The rows of each tier together: as many as an eco tier has candidates, else one. They come in order. */
export function rowsByTier<T extends Placed>(rows: readonly T[]): { rows: T[]; eco: boolean }[] {
  const tiers: { rows: T[]; eco: boolean }[] = [];
  let position: number | null = null;
  for (const row of rows) {
    if (row.position === position) tiers.at(-1)!.rows.push(row);
    else tiers.push({ rows: [row], eco: row.candidate > 0 });
    position = row.position;
  }
  return tiers;
}

interface TierRow extends Placed {
  model: string;
  firstContentTimeoutMs: number | null;
  idleTimeoutMs: number | null;
  responseTimeoutMs: number | null;
}

/** Tiers as the engine takes them, from their rows in order, each with its connection. */
export function tierConfigs(rows: readonly (TierRow & { connection: ConnectionConfig })[]): TierConfig[] {
  return rowsByTier(rows).map(({ rows: candidates, eco }) => {
    const configs = candidates.map(
      ({ connection, model, firstContentTimeoutMs, idleTimeoutMs, responseTimeoutMs }): TierConfig => ({ connection, model, firstContentTimeoutMs, idleTimeoutMs, responseTimeoutMs, eco: null }),
    );
    return eco ? { ...configs[0]!, eco: configs } : configs[0]!;
  });
}

/** Tiers as the API shows them, from their rows in order, each with its connection's name. */
export function tierViews(rows: readonly { tier: TierRow; connection: string }[]): TierView[] {
  const placed = rows.map(({ tier, connection }) => ({ position: tier.position, candidate: tier.candidate, tier, connection }));
  return rowsByTier(placed).map(({ rows: [first, ...others], eco }): TierView => {
    const { tier, connection } = first!;
    const clocks = { first_content_timeout_ms: tier.firstContentTimeoutMs, idle_timeout_ms: tier.idleTimeoutMs, response_timeout_ms: tier.responseTimeoutMs };
    if (!eco) return { connection, model: tier.model, ...clocks };
    return { eco: [first!, ...others].map((row) => ({ connection: row.connection, model: row.tier.model })), ...clocks };
  });
}

/** The same tiers with other words for their connections: `ids` are theirs, one for each row of each tier, in order. */
export function withConnections(tiers: readonly TierView[], ids: readonly string[], wordFor: (id: string) => string | undefined): TierView[] {
  let at = 0;
  const renamed = <T extends TierCandidate>(each: T): T => ({ ...each, connection: wordFor(ids[at++] ?? '') ?? each.connection });
  return tiers.map((tier) => ('eco' in tier ? { ...tier, eco: tier.eco.map(renamed) } : renamed(tier)));
}
