import Link from 'next/link';
import { cx, formatCount, formatMoney, formatShare, NOT_REPORTED } from '@/app/_ui';
import type { UsageFigures } from '@/lib/metering';
import { FAILOVER_MEANS } from '../../_components/failover-means';

interface Tile {
  name: string;
  value: string;
  basis: string;
  /** Address of the calls that it was summed over; null where no filter gives exactly those. */
  calls?: string;
}

/** The window's sums. What is estimated and what has no price stands beside them whatever it is. */
export function Totals({ total, callsAddress }: { total: UsageFigures; callsAddress: (more?: Record<string, string>) => string }) {
  return (
    <div className="mb-6 overflow-hidden rounded-lg border border-line bg-surface">
      {/* Each cell draws its right and lower line; the outermost ones fall outside. */}
      <dl className="-mr-px -mb-px grid grid-cols-2 sm:grid-cols-3 xl:grid-cols-5">
        {tilesOf(total, callsAddress).map((tile) => (
          <div key={tile.name} className="flex min-w-0 flex-col border-r border-b border-line p-3">
            <dt className="text-xs text-muted">{tile.name}</dt>
            <dd className={cx('mt-1 text-lg tabular-nums', tile.value === NOT_REPORTED && 'text-base text-muted')}>
              {tile.calls === undefined ? tile.value : <Link href={tile.calls} className="hover:text-accent hover:underline">{tile.value}</Link>}
            </dd>
            <dd className="text-xs text-muted">{tile.basis}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function tilesOf(total: UsageFigures, callsAddress: (more?: Record<string, string>) => string): Tile[] {
  const { calls, tokens, replay, by_state: states } = total;
  const metered = total.provider.calls + total.estimate.calls;
  const looked = replay.hit + replay.miss;
  const ofCalls = (part: number) => (calls === 0 ? 'no calls' : `${formatShare(part, calls)} of calls`);
  const kind = (name: string, value: number | null, whole: number | null, of: string): Tile => ({
    name, value: formatCount(value), basis: value === null ? 'told by no provider' : value === 0 ? 'where told, it was told as 0' : `${formatShare(value, whole)} of ${of}; as far as told`,
  });
  return [
    { name: 'Calls', value: formatCount(calls), basis: `${formatCount(states.finished)} finished, ${formatCount(states.rejected)} rejected`, calls: callsAddress() },
    { name: 'Spend', value: formatMoney(total.cost_nano_usd), basis: `unpriced: ${formatShare(total.unpriced_calls, total.priced_calls + total.unpriced_calls)} of calls with tokens` },
    { name: 'Prompt tokens', value: formatCount(tokens.prompt), basis: `estimated: ${formatShare(total.estimate.calls, metered)} of calls with tokens` },
    { name: 'Completion tokens', value: formatCount(tokens.completion), basis: `counted by the provider: ${formatShare(total.provider.calls, metered)}` },
    kind('Cached prompt tokens', tokens.cached, tokens.prompt, 'prompt tokens'),
    kind('Written to cache', tokens.cache_write, tokens.prompt, 'prompt tokens'),
    kind('Reasoning tokens', tokens.reasoning, tokens.completion, 'completion tokens'),
    { name: 'Failovers', value: formatCount(total.failovers), basis: `${ofCalls(total.failovers)}; ${FAILOVER_MEANS}` },
    { name: 'Truncations', value: formatCount(total.truncations), basis: ofCalls(total.truncations), calls: callsAddress({ state: 'truncated' }) },
    { name: 'Replay hits', value: looked === 0 ? NOT_REPORTED : formatCount(replay.hit), basis: looked === 0 ? 'no answer was looked for' : `${formatShare(replay.hit, looked)} of ${formatCount(looked)} looks` },
  ];
}
