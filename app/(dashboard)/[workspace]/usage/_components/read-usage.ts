import { runtime } from '@/lib/boot';
import { groupNames } from '@/lib/management';
import { lastDays, usage, type UsageGroup, type UsageReport } from '@/lib/metering';
import type { Actor } from '@/lib/tenancy';
import { RANGES, type UsageFilters } from './filters';

export interface UsageReading {
  /** Everything together, piece by piece. */
  whole: UsageReport;
  /** The largest groups piece by piece, and the sums of up to a hundred; null when nothing is grouped. */
  grouped: { largest: UsageReport; totals: UsageReport['totals'] } | null;
  nameOf(group: UsageGroup): string;
}

/** The sums behind the page and its CSV. `most`: how many groups are told apart piece by piece. */
export async function readUsage(actor: Actor, filters: UsageFilters, nowMs: number, most: number): Promise<UsageReading> {
  const { ledger, tenancy } = await runtime();
  const { days, step } = RANGES[filters.range];
  const { fromMs, toMs } = lastDays(days, nowMs, filters.zone);
  const query = {
    from: new Date(fromMs),
    to: new Date(toMs),
    step,
    zone: filters.zone,
    filter: Object.fromEntries(Object.entries(filters.only).filter(([, value]) => value !== '')),
  };
  const groupBy = filters.group === '' ? null : filters.group;
  const [whole, largest, all] = await Promise.all([
    usage(ledger, actor.workspaceId, { ...query, groupBy: null }),
    groupBy && usage(ledger, actor.workspaceId, { ...query, groupBy, most }),
    groupBy && usage(ledger, actor.workspaceId, { ...query, groupBy, step: null }),
  ]);
  const names = all === null ? new Map<string, string>() : await groupNames(tenancy, actor, filters.group, all);
  return { whole, grouped: largest && all && { largest, totals: all.totals }, nameOf: (group) => nameOf(group, filters, names) };
}

function nameOf({ value, provider, groups }: UsageGroup, { group }: UsageFilters, names: ReadonlyMap<string, string>): string {
  if (groups > 1) return `${groups} others`;
  if (value === null) return group === 'tag' ? 'without a tag' : group === 'route' ? 'no route was found' : 'no tier answered';
  const name = names.get(value) ?? `${value} (no longer listed)`;
  return provider === null ? name : `${name} at ${provider}`;
}
