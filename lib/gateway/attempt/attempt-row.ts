import type { AttemptRow, SkipReason, UsageRow } from '../../metering/call-row';
import { usageRowOf } from '../../surfaces';
import { billed, type Failure, type Usage } from '../../wire';
import type { TierConfig } from '../ports';
import type { Answer } from './answer';
import { POLICY } from './failure';
import type { Ending } from './machine';

interface Moments {
  /** Monotonic ms. */
  call: number;
  started: number;
  headers: number | null;
  content: number | null;
  ended: number;
}

/** The ledger's line about one attempt. */
export function attemptRow(
  plan: { tierNumber: number; tier: TierConfig },
  ending: Ending,
  why: Failure | null,
  status: number | null,
  bytes: number,
  answer: Answer,
  at: Moments,
): AttemptRow {
  const { connection, model } = plan.tier;
  return {
    tier: plan.tierNumber,
    connection: connection.name,
    provider: connection.provider,
    model,
    state: ending,
    skip_reason: null,
    class: why?.class ?? null,
    upstream_status: why?.upstreamStatus ?? status,
    message: why === null ? null : kept(why),
    bytes,
    started_ms: since(at.call, at.started),
    headers_ms: at.headers === null ? null : since(at.started, at.headers),
    first_content_ms: at.content === null ? null : since(at.started, at.content),
    duration_ms: since(at.started, at.ended),
    usage: ending === 'failed' && answer.usage !== null ? usageRow(answer.usage) : null,
  };
}

/**
 * What of a failure's sentence is kept. Of a fault of the caller's only the provider's code: such sentences like to
 * quote the request, and requests are not stored.
 */
function kept(why: Failure): string {
  if (!POLICY[why.class].quotesRequest) return why.message;
  const code = why.upstreamError?.code ?? why.upstreamError?.type ?? '';
  return `the provider rejected the request${PLAIN_CODE.test(code) ? ` (${code})` : ''}`;
}

const PLAIN_CODE = /^[\w.-]{1,64}$/;

/** A tier that was not asked, and why. */
export function skippedRow(tierNumber: number, tier: TierConfig, reason: SkipReason, startedMs: number): AttemptRow {
  return {
    tier: tierNumber,
    connection: tier.connection.name,
    provider: tier.connection.provider,
    model: tier.model,
    state: 'skipped',
    skip_reason: reason,
    class: null,
    upstream_status: null,
    message: null,
    bytes: 0,
    started_ms: since(0, startedMs),
    headers_ms: null,
    first_content_ms: null,
    duration_ms: 0,
    usage: null,
  };
}

export const usageRow = (reported: Usage): UsageRow => usageRowOf(billed(reported));

/** Ms between two monotonic readings, to a microsecond. */
const since = (from: number, to: number): number => Math.round((to - from) * 1000) / 1000;
