import { callListQuery, type CallListQuery } from '@/lib/management/schemas';
import { isZone, startOfDay } from '@/lib/std';

/** The list's filters as they stand in the address, and what they mean for the query. Pure. */

export const RANGES = {
  hour: { label: 'Last hour', ms: 3_600_000 },
  today: { label: 'Today', ms: null },
  day: { label: 'Last 24 hours', ms: 86_400_000 },
  week: { label: 'Last 7 days', ms: 7 * 86_400_000 },
  month: { label: 'Last 30 days', ms: 30 * 86_400_000 },
  all: { label: 'All time', ms: null },
} as const;
export type RangeName = keyof typeof RANGES;

export interface CallFilters {
  key: string;
  route: string;
  state: string;
  class: string;
  model: string;
  connection: string;
  tag: string;
  range: RangeName;
  /** A time of its own, ISO 8601, as a link from the usage page has it: it goes before `range`. */
  from: string;
  to: string;
  /** IANA name of the zone whose day "Today" is. */
  zone: string;
}

const DEFAULT_RANGE: RangeName = 'week';
const FILTERS = ['key', 'route', 'state', 'class', 'model', 'connection', 'tag', 'from', 'to'] as const;
const TIMES = ['from', 'to'];

/** What an address says; anything that is no filter value falls back to "no filter" rather than to an error page. */
export function readFilters(search: Record<string, string | string[] | undefined>): CallFilters & { cursor: string | undefined } {
  const one = (name: string) => [search[name]].flat()[0] ?? '';
  const shape = callListQuery.shape;
  const valid = (name: (typeof FILTERS)[number]) => (shape[name].safeParse(one(name)).success ? one(name) : '');
  const range = one('range');
  return {
    key: valid('key'),
    route: valid('route'),
    state: valid('state'),
    class: valid('class'),
    model: valid('model'),
    connection: valid('connection'),
    tag: valid('tag'),
    range: Object.hasOwn(RANGES, range) ? (range as RangeName) : DEFAULT_RANGE,
    from: valid('from'),
    to: valid('to'),
    zone: isZone(one('zone')) ? one('zone') : 'UTC',
    cursor: shape.cursor.safeParse(one('cursor') || undefined).data,
  };
}

/** Names in the address whose values were no filter values: the page says so, or it would seem to show what was asked for. */
export function notUnderstood(search: Record<string, string | string[] | undefined>): string[] {
  const filters = readFilters(search);
  return ([...FILTERS, 'range'] as const).filter((name) => {
    const said = [search[name]].flat()[0] ?? '';
    return said !== '' && filters[name] !== said;
  });
}

/** The same filters as an address again: what is not set is left out, so that equal views have equal addresses. */
export function addressOf(here: string, filters: CallFilters, cursor?: string): string {
  const search = new URLSearchParams();
  for (const name of FILTERS) if (filters[name] !== '') search.set(name, filters[name]);
  if (filters.range !== DEFAULT_RANGE) search.set('range', filters.range);
  if (filters.range === 'today' && filters.zone !== 'UTC') search.set('zone', filters.zone);
  if (cursor !== undefined) search.set('cursor', cursor);
  const text = search.toString();
  return text === '' ? here : `${here}?${text}`;
}

export function queryOf(filters: CallFilters, nowMs: number): Omit<CallListQuery, 'limit' | 'cursor'> {
  const from = ownTime(filters) ? null : startOf(filters, nowMs);
  return {
    key: filters.key || undefined,
    route: filters.route || undefined,
    state: callListQuery.shape.state.parse(filters.state || undefined),
    class: filters.class || undefined,
    model: filters.model || undefined,
    connection: filters.connection || undefined,
    tag: filters.tag || undefined,
    from: filters.from || (from === null ? undefined : new Date(from).toISOString()),
    to: filters.to || undefined,
  };
}

/** Is the time the address's own, and no range by name? */
export const ownTime = (filters: CallFilters): boolean => filters.from !== '' || filters.to !== '';

/** Is anything set but the time? */
export function filtersSet(filters: CallFilters): boolean {
  return FILTERS.some((name) => filters[name] !== '' && !TIMES.includes(name));
}

function startOf({ range, zone }: CallFilters, nowMs: number): number | null {
  if (range === 'today') return startOfDay(nowMs, zone);
  const { ms } = RANGES[range];
  return ms === null ? null : nowMs - ms;
}
