import Link from 'next/link';
import type { ReactNode } from 'react';
import { cx, formatCount, formatDuration, formatMoney, formatShare, NOT_REPORTED, StateIcon, type StateName } from '@/app/_ui';
import type { Summary } from '@/lib/metering';
import { FAILOVER_MEANS } from './failover-means';

interface Tile {
  name: ReactNode;
  value: string;
  /** What the number rests on: a share, a sample size, what is missing. */
  basis: string;
  /** Query of the calls that it was counted from; null where no filter gives exactly those. */
  calls: string | null;
  state?: StateName;
}

/** A window's figures, each counted from ledger rows and linked to them. */
export function Figures({ figures, workspace, range }: { figures: Summary; workspace: string; range: string }) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      {/* Each cell draws its right and lower line; the outermost ones fall outside. */}
      <dl className="-mr-px -mb-px grid grid-cols-2 sm:grid-cols-3 xl:grid-cols-5">
      {tilesOf(figures, range).map((tile, index) => (
        <div key={index} className="flex min-w-0 flex-col border-r border-b border-line p-3">
          <dt className="flex items-center gap-1.5 text-xs text-muted">{tile.state ? <StateIcon state={tile.state} size={12} /> : null}{tile.name}</dt>
          <dd className={cx('mt-1 text-lg tabular-nums', tile.value === NOT_REPORTED && 'text-base text-muted')}>
            {tile.calls === null ? tile.value : <Link href={`/${workspace}/calls?${tile.calls}`} className="hover:text-accent hover:underline">{tile.value}</Link>}
          </dd>
          <dd className="text-xs text-muted">{tile.basis}</dd>
        </div>
      ))}
      </dl>
    </div>
  );
}

function tilesOf(figures: Summary, range: string): Tile[] {
  const { calls, by_state: states, first_content_ms: first, cost, usage } = figures;
  const ofCalls = (part: number) => (calls === 0 ? 'no calls' : `${formatShare(part, calls)} of calls`);
  const state = (name: ReactNode, key: keyof Summary['by_state'], icon: StateName): Tile => ({
    name, value: formatCount(states[key]), basis: ofCalls(states[key]), calls: `range=${range}&state=${key}`, state: icon,
  });
  return [
    { name: 'Calls', value: formatCount(calls), basis: `${formatCount(figures.streams)} streamed`, calls: `range=${range}` },
    state('Finished', 'finished', 'finished'),
    { name: 'Failovers', value: formatCount(figures.failovers), basis: `${ofCalls(figures.failovers)}; ${FAILOVER_MEANS}`, calls: null, state: 'failed' },
    state('Truncated', 'truncated', 'truncated'),
    state('Rejected', 'rejected', 'rejected'),
    state('Client left', 'aborted', 'aborted'),
    { name: 'First content, median', value: formatDuration(first.p50), basis: latencyBasis(first), calls: null },
    { name: 'First content, 95th percentile', value: formatDuration(first.p95), basis: latencyBasis(first), calls: null },
    { name: 'Cost', value: formatMoney(cost.nano_usd), basis: costBasis(cost), calls: null },
    {
      name: 'Tokens, in and out',
      value: usage.provider.calls + usage.estimate.calls === 0 ? NOT_REPORTED : `${formatCount(usage.provider.prompt_tokens + usage.estimate.prompt_tokens)} / ${formatCount(usage.provider.completion_tokens + usage.estimate.completion_tokens)}`,
      basis: `counted by the provider: ${formatCount(usage.provider.calls)}, estimated: ${formatCount(usage.estimate.calls)}`,
      calls: null,
    },
  ];
}

function latencyBasis({ n, from }: Summary['first_content_ms']): string {
  return `n = ${formatCount(n)}${from === 'histogram' ? ', to within 2%' : ''}`;
}

function costBasis(cost: Summary['cost']): string {
  if (cost.unpriced_share === null) return 'no call used tokens';
  if (cost.unpriced_calls === 0) return `priced: ${formatCount(cost.priced_calls)} of ${formatCount(cost.priced_calls)} that used tokens`;
  return `priced: ${formatCount(cost.priced_calls)} of ${formatCount(cost.priced_calls + cost.unpriced_calls)} that used tokens; the rest is missing here`;
}
