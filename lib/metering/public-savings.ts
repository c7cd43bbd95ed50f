import { sql } from 'drizzle-orm';
import type { Database } from '../db';
import { estimateSavings, type SavingsEstimate, type Stratum } from '../savers';
import { armRowOf, type StratumRow } from './savings';

/** Workspaces that must contribute before figures of theirs are public. */
const MIN_WORKSPACES = 20;

/** What all workspaces together can say of savings. */
export interface PublicSavings {
  /** Null where no conversation was compared with a hold-out, or even counted. */
  estimate: SavingsEstimate | null;
  /** Calls of rewritten conversations whose tokens and bill are known. */
  treatedCalls: number;
  /** Shown to everybody; empty until 20 workspaces contribute. */
  figures: Record<string, number | string>;
}

/** Over the last `days` days. Which workspace saved what stays within the database. */
export async function publicSavings(db: Database, { days = 30, now = Date.now() }: { days?: number; now?: number } = {}): Promise<PublicSavings> {
  const from = new Date(now - days * 86_400_000).toISOString();
  const to = new Date(now).toISOString();
  const [row] = await db.unscoped((queries) =>
    queries.execute<{ savings: string }>(sql`select ohm_public_savings(${from}::text::timestamptz, ${to}::text::timestamptz)::text as savings`),
  );
  const { workspaces, strata } = JSON.parse(row!.savings) as { workspaces: number; strata: (StratumRow & { stratum: number })[] };
  const estimate = estimateSavings(pairsOf(strata));
  const treatedCalls = strata.reduce((sum, { arm, calls }) => sum + (arm === 'treated' ? Number(calls) : 0), 0);
  return { estimate, treatedCalls, figures: workspaces < MIN_WORKSPACES || estimate === null ? {} : figuresOf(estimate, { workspaces, from, to }) };
}

function pairsOf(strata: readonly (StratumRow & { stratum: number })[]): Stratum[] {
  const pairs = new Map<number, Partial<Stratum>>();
  for (const row of strata) pairs.set(row.stratum, { ...pairs.get(row.stratum), [row.arm]: armRowOf(row).tokens });
  return [...pairs.values()].filter((pair): pair is Stratum => pair.treated !== undefined && pair.holdout !== undefined);
}

function figuresOf({ saved, low, high, baseline, treatedCalls, holdoutCalls }: SavingsEstimate, rest: { workspaces: number; from: string; to: string }): Record<string, number | string> {
  return {
    prompt_tokens_saved_share: saved / baseline,
    interval_low: low / baseline,
    interval_high: high / baseline,
    treated_calls: treatedCalls,
    holdout_calls: holdoutCalls,
    workspaces: rest.workspaces,
    window_from: rest.from,
    window_to: rest.to,
  };
}
