import { runtime } from '@/lib/boot';
import { groupNames } from '@/lib/management';
import { lastDays, usage, type UsageGroup, type UsageReport } from '@/lib/metering';
import type { Actor } from '@/lib/tenancy';
import { RANGES, type UsageFilters } from './filters';

export interface UsageReading {
  /** Everything together, piece by piece. */
  whole: UsageReport;
  /** The same by group; null when nothing is grouped. */
  grouped: UsageReport | null;
  nameOf(group: UsageGroup): string;
}

/** The sums behind the page and its CSV: one statement, two where it is grouped. */
export async function readUsage(actor: Actor, filters: UsageFilters, nowMs: number): Promise<UsageReading> {
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
  const [whole, grouped] = await Promise.all([
    usage(ledger, actor.workspaceId, { ...query, groupBy: null }),
    filters.group === '' ? null : usage(ledger, actor.workspaceId, { ...query, groupBy: filters.group }),
  ]);
  const names = grouped === null ? new Map<string, string>() : await groupNames(tenancy, actor, filters.group, grouped);
  return { whole, grouped, nameOf: (group) => nameOf(group, filters, names) };
}

function nameOf({ value, provider, groups }: UsageGroup, { group }: UsageFilters, names: ReadonlyMap<string, string>): string {
  if (groups > 1) return `${groups} others`;
  if (value === null) return group === 'tag' ? 'without a tag' : group === 'route' ? 'no route was found' : 'no tier answered';
  const name = names.get(value) ?? `${value} (no longer listed)`;
  return provider === null ? name : `${name} at ${provider}`;
}
