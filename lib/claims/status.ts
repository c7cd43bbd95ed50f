import type { Claim } from './registry';

export type ClaimStatus = 'shipped' | 'unsupported' | 'estimate_only' | 'measured' | 'not_measured' | 'failing' | 'stale';

/** The latest verdict of one probe. */
export interface ProbeResult {
  id: string;
  probe: string;
  /** Which process ran it: random per boot. */
  processId: string;
  /** Ms since the epoch. */
  ranAtMs: number;
  durationMs: number;
  passed: boolean;
  /** One sentence: what was seen. */
  detail: string;
  figures: Record<string, number | string>;
}

export interface Measurement {
  /** `holdout`: against an unmodified control group. */
  method: 'holdout' | 'estimate';
  figures: Record<string, number | string>;
}

export interface Knowledge {
  /** The latest result by probe id, whichever process found it. */
  results: ReadonlyMap<string, ProbeResult>;
  measurements: Partial<Record<'savings', Measurement>>;
  /** Why probes cannot be run now; null when they can. */
  blind: string | null;
  nowMs: number;
  staleAfterMs: number;
}

export interface Judgement {
  status: ClaimStatus;
  /** Why it is not as it should be, or why there is no evidence; null when the evidence speaks for itself. */
  reason: string | null;
  results: ProbeResult[];
  measurement: Measurement | null;
}

/**
 * The status of a claim, from what is known and nothing else.
 * A failed probe outranks everything: it stays `failing` until the probe passes again.
 */
export function judge(claim: Claim, known: Knowledge): Judgement {
  if (claim.kind === 'measurement') {
    const measurement = known.measurements[claim.measurement] ?? null;
    if (measurement === null) return { status: 'not_measured', reason: claim.unmeasuredBecause, results: [], measurement };
    return { status: measurement.method === 'holdout' ? 'measured' : 'estimate_only', reason: null, results: [], measurement };
  }
  const results = claim.probes.flatMap((probe) => known.results.get(probe) ?? []);
  const judged = (status: ClaimStatus, reason: string | null): Judgement => ({ status, reason, results, measurement: null });
  const failed = results.find((result) => !result.passed);
  if (failed !== undefined) return judged('failing', failed.detail);
  if (results.length < claim.probes.length) return judged('stale', known.blind ?? 'It has not been checked yet.');
  if (known.blind !== null) return judged('stale', known.blind);
  const oldest = Math.min(...results.map((result) => result.ranAtMs));
  if (known.nowMs - oldest > known.staleAfterMs) return judged('stale', `It was last checked ${Math.round((known.nowMs - oldest) / 60_000)} minutes ago.`);
  return judged(claim.kind === 'promise' ? 'shipped' : 'unsupported', null);
}
