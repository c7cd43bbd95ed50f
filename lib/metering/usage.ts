import { sql, type SQL } from 'drizzle-orm';
import { withWorkspace } from '../db';
import { Refusal } from '../std';
import type { Ledger } from './ledger';
import { addSums, figuresOf, MEASURES, noSums, type Sums, type UsageFigures } from './usage-figures';
import { hourOf, type UsageStep, usageWindow } from './usage-window';

export const GROUPINGS = ['key', 'model', 'route', 'connection', 'tag'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface UsageQuery {
  /** ISO 8601 or a Date; `to` is not included. */
  from: string | Date;
  to: string | Date;
  /** Cuts the window; null: one piece. */
  step: UsageStep | null;
  /** IANA name: whose days. */
  zone: string;
  groupBy: Grouping | null;
  filter?: UsageFilter;
}

/** Which calls: all of these must hold. Tags are summed apart, so `tag` goes with no other. */
export interface UsageFilter {
  /** Key id. */
  key?: string;
  model?: string;
  route?: string;
  /** Connection id. */
  connection?: string;
  tag?: string;
}

export interface UsageGroup {
  /** Id of the key or connection, name of the model or route, the tag; null for calls that had none (no tier answered, no tag was sent). */
  value: string | null;
  /** Of a model: whose it is. Null otherwise. */
  provider: string | null;
  /** How many groups this one stands for: the largest are told apart, the rest are summed. */
  groups: number;
}

export interface UsageRow extends UsageFigures {
  /** Index of the piece. */
  piece: number;
  /** Null where nothing was grouped. */
  group: UsageGroup | null;
}

export interface UsageReport {
  from: string;
  to: string;
  zone: string;
  /** The UTC hour of the workspace's first call; null: it has made none. Before it nothing was measured. */
  since: string | null;
  /** Beginnings of the pieces, ISO 8601; each ends where the next begins, the last one at `to`. */
  starts: string[];
  /** By piece, then by calls, most first. A piece or group without calls has no row. */
  rows: UsageRow[];
  /** Over the whole window, by calls. */
  totals: { group: UsageGroup | null; figures: UsageFigures }[];
  total: UsageFigures;
}

/** Told apart at the most; one more where that one would be all of the rest. */
export const MOST_GROUPS = 100;

/**
 * What a workspace's calls came to over a window: from the hourly sums, and from the rows themselves for the hours
 * that a bound of the window or a midnight of the zone splits. The same as counting the rows, to the unit.
 */
export async function usage(ledger: Ledger, workspaceId: string, query: UsageQuery): Promise<UsageReport> {
  const { groupBy, filter = {} } = query;
  refuseMixedTags(groupBy, filter);
  const from = moment('from', query.from);
  const to = moment('to', query.to);
  const { bounds, splitHours } = usageWindow(from, to, query.step, query.zone);
  await ledger.flush(FLUSH_BOUND_MS);
  const ask = (grouping: Grouping | null) => cellsQuery(workspaceId, bounds, splitHours, grouping, filter);
  return await withWorkspace(ledger.db, workspaceId, async (tx) => {
    const found = (await tx.execute<Cell>(ask(groupBy))).map(read);
    const cells = groupBy === 'tag' && filter.tag === undefined ? [...found, ...untagged((await tx.execute<Cell>(ask(null))).map(read), found)] : found;
    const [first] = await tx.execute<{ ms: number | null }>(sql`select extract(epoch from min(hour))::float8 * 1000 as ms from usage_rollups where workspace_id = ${workspaceId}`);
    return report(query, bounds, cells, first?.ms ?? null);
  });
}

const FLUSH_BOUND_MS = 500;

interface Cell extends Record<string, unknown> {
  piece: number;
  value: string | null;
  provider: string | null;
  groups: number;
}

interface Counted {
  piece: number;
  group: UsageGroup;
  sums: Sums;
}

/** Sums are numeric or bigint: text on the wire. */
function read(cell: Cell): Counted {
  const sums = Object.fromEntries(MEASURES.map((name) => [name, Number(cell[name])])) as Sums;
  return { piece: cell.piece - 1, group: { value: cell.value || null, provider: cell.provider || null, groups: cell.groups }, sums };
}

const COLUMNS: Record<Grouping, string> = { key: 'key_id', model: 'model', route: 'route', connection: 'connection_id', tag: 'tag' };

function cellsQuery(workspaceId: string, bounds: number[], splitHours: number[], groupBy: Grouping | null, filter: UsageFilter): SQL {
  const last = bounds.at(-1)!;
  const value = groupBy === null ? sql`''` : sql.identifier(COLUMNS[groupBy]);
  const provider = groupBy === 'model' ? sql.identifier('provider') : sql`''`;
  const named = filter.tag === undefined ? null : sql`tag = ${filter.tag}`;
  const tagged = named ?? (groupBy === 'tag' ? sql`tag <> ''` : sql`tag = ''`);
  const rowTagged = named ?? (groupBy === 'tag' ? sql`tag <> ''` : sql`true`);
  const wanted = sql.join(
    (['key', 'model', 'route', 'connection'] as const).flatMap((name) => (filter[name] === undefined ? [] : [sql` and ${sql.identifier(COLUMNS[name])} = ${filter[name]}`])),
  );
  const measures = sql.raw(MEASURES.join(', '));
  const starts = moments(bounds.slice(0, -1));
  return sql`
    with split (hour) as (select unnest(${moments(splitHours)})),
    measured as (
      select width_bucket(u.hour, ${starts}) as piece, ${value} as value, ${provider} as provider, ${measures}
      from usage_rollups u
      where workspace_id = ${workspaceId} and ${tagged} ${wanted}
        and hour >= ${at(hourOf(bounds[0]!))} and hour < ${at(last)} and hour <> all (${moments(splitHours)})
      union all
      select width_bucket(c.created_at, ${starts}), coalesce(${value}, ''), coalesce(${provider}, ''), ${sql.raw(MEASURES.map((name) => `m.${name}`).join(', '))}
      from split s
      join calls c on c.workspace_id = ${workspaceId} and c.created_at >= greatest(s.hour, ${at(bounds[0]!)}) and c.created_at < least(s.hour + interval '1 hour', ${at(last)})
      cross join lateral ohm_call_measures(c.state, c.stream, c.tier, c.replay, c.attempts, c.usage, c.usage_source, c.cost_nano_usd) m
      where ${rowTagged} ${wanted}
    ),
    cells as (
      select piece, value, provider, ${sql.raw(MEASURES.map((name) => `sum(${name}) as ${name}`).join(', '))}
      from measured group by piece, value, provider
    ),
    ranked as (
      select value, provider, row_number() over (order by sum(calls) desc, value, provider) <= ${MOST_GROUPS} or count(*) over () <= ${MOST_GROUPS + 1} as told
      from cells group by value, provider
    )
    select c.piece, case when r.told then c.value end as value, case when r.told then c.provider end as provider,
      case when r.told then 1 else (select count(*)::int from ranked where not told) end as groups,
      ${sql.raw(MEASURES.map((name) => `sum(c.${name})::text as ${name}`).join(', '))}
    from cells c join ranked r on r.value = c.value and r.provider = c.provider
    group by 1, 2, 3, 4`;
}

const at = (ms: number): SQL => sql`${new Date(ms).toISOString()}::text::timestamptz`;
const moments = (list: number[]): SQL => sql`${`{${list.map((ms) => `"${new Date(ms).toISOString()}"`).join(',')}}`}::text::timestamptz[]`;

/** What is left of all calls when those with a tag are taken away. */
function untagged(all: Counted[], tagged: Counted[]): Counted[] {
  const rest = new Map(all.map((cell) => [cell.piece, cell.sums]));
  for (const cell of tagged) addSums(rest.get(cell.piece) ?? noSums(), cell.sums, -1);
  return [...rest].flatMap(([piece, sums]) => (sums.calls === 0 ? [] : [{ piece, group: { value: null, provider: null, groups: 1 }, sums }]));
}

function report({ zone, groupBy }: UsageQuery, bounds: number[], cells: Counted[], since: number | null): UsageReport {
  const total = noSums();
  const groups = new Map<string, { group: UsageGroup; sums: Sums }>();
  for (const { group, sums } of cells) {
    const name = JSON.stringify([group.value, group.provider, group.groups]);
    let found = groups.get(name);
    if (found === undefined) groups.set(name, (found = { group, sums: noSums() }));
    addSums(found.sums, sums);
    addSums(total, sums);
  }
  const shown = (group: UsageGroup) => (groupBy === null ? null : group);
  return {
    from: new Date(bounds[0]!).toISOString(),
    to: new Date(bounds.at(-1)!).toISOString(),
    zone,
    since: since === null ? null : new Date(since).toISOString(),
    starts: bounds.slice(0, -1).map((ms) => new Date(ms).toISOString()),
    rows: cells.sort((a, b) => a.piece - b.piece || byCalls(a, b)).map(({ piece, group, sums }) => ({ piece, group: shown(group), ...figuresOf(sums) })),
    totals: [...groups.values()].sort(byCalls).map(({ group, sums }) => ({ group: shown(group), figures: figuresOf(sums) })),
    total: figuresOf(total),
  };
}

/** The sum of the many small ones comes last, however large it is. */
function byCalls(a: { group: UsageGroup; sums: Sums }, b: { group: UsageGroup; sums: Sums }): number {
  return a.group.groups - b.group.groups || b.sums.calls - a.sums.calls || (`${a.group.value}` < `${b.group.value}` ? -1 : 1);
}

function refuseMixedTags(groupBy: Grouping | null, filter: UsageFilter): void {
  if (groupBy !== 'tag' && filter.tag === undefined) return;
  const other = (['key', 'model', 'route', 'connection'] as const).find((name) => filter[name] !== undefined);
  if (other !== undefined) throw invalid(other, 'cannot be combined with tags: they are summed on their own');
  if (filter.tag !== undefined && groupBy !== null && groupBy !== 'tag') throw invalid('tag', `cannot be combined with groups by ${groupBy}: tags are summed on their own`);
}

function moment(field: string, value: string | Date): number {
  const ms = new Date(value).getTime();
  if (Number.isNaN(ms)) throw invalid(field, 'is no moment');
  return ms;
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('invalid', `${field}: ${message}.`, [{ field, message }]);
}
