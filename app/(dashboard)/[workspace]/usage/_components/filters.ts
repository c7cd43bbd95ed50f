import { isZone } from '@/lib/std';

/** What the usage page shows, as it stands in its address. Pure. */

export const RANGES = {
  today: { label: 'Today, by the hour', days: 1, step: 'hour' },
  week: { label: 'Last 7 days', days: 7, step: 'day' },
  month: { label: 'Last 30 days', days: 30, step: 'day' },
  quarter: { label: 'Last 90 days', days: 90, step: 'day' },
} as const;
export type RangeName = keyof typeof RANGES;

export const GROUPS = { key: 'key', model: 'model', route: 'route', connection: 'connection', tag: 'tag' } as const;
export type GroupName = keyof typeof GROUPS;

const ONLY = ['key', 'model', 'route', 'connection', 'tag'] as const;
export type Only = (typeof ONLY)[number];

export interface UsageFilters {
  range: RangeName;
  /** IANA name of the zone whose days these are. */
  zone: string;
  /** Empty: everything together. */
  group: GroupName | '';
  /** Only calls with these: ids of keys and connections, names of the rest. Empty: any. */
  only: Record<Only, string>;
}

/** What is no value falls back to the default. Tags are summed on their own: with them goes no other filter. */
export function readFilters(query: Record<string, string>): UsageFilters {
  const range = query.range ?? '';
  const group = query.group ?? '';
  const only = Object.fromEntries(ONLY.map((name) => [name, plain(query[name])])) as Record<Only, string>;
  const byTag = group === 'tag' || only.tag !== '';
  return {
    range: Object.hasOwn(RANGES, range) ? (range as RangeName) : 'week',
    zone: query.zone !== undefined && isZone(query.zone) ? query.zone : 'UTC',
    group: Object.hasOwn(GROUPS, group) && (only.tag === '' || group === 'tag') ? (group as GroupName) : '',
    only: byTag ? { key: '', model: '', route: '', connection: '', tag: only.tag } : only,
  };
}

export function addressOf(here: string, { range, zone, group, only }: UsageFilters): string {
  const search = new URLSearchParams();
  if (range !== 'week') search.set('range', range);
  if (zone !== 'UTC') search.set('zone', zone);
  if (group !== '') search.set('group', group);
  for (const name of ONLY) if (only[name] !== '') search.set(name, only[name]);
  const text = search.toString();
  return text === '' ? here : `${here}?${text}`;
}

/** The same view of calls with this alone; grouping by what is then one group makes no sense. */
export function onlyWith(filters: UsageFilters, name: Only, value: string): UsageFilters {
  return { ...filters, group: filters.group === name ? '' : filters.group, only: { ...filters.only, [name]: value } };
}

export const onlyEntries = ({ only }: UsageFilters): [Only, string][] => ONLY.flatMap((name) => (only[name] === '' ? [] : [[name, only[name]] as [Only, string]]));

function plain(value: string | undefined): string {
  return value !== undefined && value.length <= 256 && /^[^\p{Cc}\p{Cs}]+$/u.test(value) ? value : '';
}
