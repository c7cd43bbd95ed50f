import { sql, type SQL } from 'drizzle-orm';
import { type Tx, withWorkspace } from '../db';
import { Refusal } from '../std';
import type { Ledger } from './ledger';
import { addSums, figuresOf, MEASURES, noSums, type Sums, type UsageFigures } from './usage-figures';
import { blockOf, type UsageRange, type UsageStep, type UsageWindow, usageWindow } from './usage-window';

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
  /** How many groups are told apart: the largest; default 100. One more where that one would be all of the rest. */
  most?: number;
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

export const MOST_GROUPS = 100;

/**
 * What a workspace's calls came to over a window: from the sums by hours and blocks of hours, and from the rows
 * themselves for the hours that a bound of the window or a midnight of the zone splits. The same as counting the rows,
 * to the unit.
 */
export async function usage(ledger: Ledger, workspaceId: string, query: UsageQuery): Promise<UsageReport> {
  const { groupBy, filter = {}, most = MOST_GROUPS } = query;
  refuseMixedTags(groupBy, filter);
  const from = moment('from', query.from);
  const to = moment('to', query.to);
  const window = usageWindow(from, to, query.step, query.zone);
  await ledger.flush(FLUSH_BOUND_MS);
  return await withWorkspace(ledger.db, workspaceId, async (tx) => {
    const ask = async (grouping: Grouping | null) => {
      const largest = grouping === null ? null : await largestGroups(tx, workspaceId, window, grouping, filter, most);
      // A list that the planner knows is looked up by hash, one that it does not know from end to end, for every row.
      if (largest !== null) await tx.execute(sql`set local plan_cache_mode = force_custom_plan`);
      return (await tx.execute<Cell>(cellsQuery(workspaceId, window, grouping, filter, largest))).map((cell) => read(cell, largest));
    };
    const found = await ask(groupBy);
    const cells = groupBy === 'tag' && filter.tag === undefined ? [...found, ...untagged(await ask(null), found)] : found;
    const [first] = await tx.execute<{ ms: number | null }>(sql`select extract(epoch from min(hour))::float8 * 1000 as ms from usage_rollups where workspace_id = ${workspaceId}`);
    return report(query, window.bounds, cells, first?.ms ?? null);
  });
}

const FLUSH_BOUND_MS = 500;

interface Cell extends Record<string, unknown> {
  piece: number;
  /** Both null: one of the rest. */
  value: string | null;
  provider: string | null;
  /** In the order of MEASURES, as a JSON array: thirty columns a cell are slow to take apart. */
  sums: string;
}

interface Counted {
  piece: number;
  group: UsageGroup;
  sums: Sums;
}

function read(cell: Cell, largest: Largest | null): Counted {
  const values = JSON.parse(cell.sums) as number[];
  const sums = noSums();
  for (let i = 0; i < MEASURES.length; i++) sums[MEASURES[i]!] = values[i]!;
  const groups = cell.value === null ? largest!.others : 1;
  return { piece: cell.piece, group: { value: cell.value || null, provider: cell.provider || null, groups }, sums };
}

const COLUMNS: Record<Grouping, string> = { key: 'key_id', model: 'model', route: 'route', connection: 'connection_id', tag: 'tag' };

/** The groups that are told apart, when there are more than may be. */
interface Largest {
  names: string[];
  others: number;
}

/** By the calls of all blocks of hours that the window touches. Null: every group is told. */
async function largestGroups(tx: Tx, workspaceId: string, { bounds }: UsageWindow, groupBy: Grouping, filter: UsageFilter, most: number): Promise<Largest | null> {
  const { name, which } = expressions(groupBy, filter);
  const rows = await tx.execute<{ name: string; n: number }>(sql`
    select ${name} as name, count(*) over ()::int as n from usage_blocks
    where workspace_id = ${workspaceId} and ${which.sums} and hour >= ${at(blockOf(bounds[0]!))} and hour < ${at(bounds.at(-1)!)}
    group by 1 order by sum(calls) desc, 1 limit ${most}`);
  const n = rows[0]?.n ?? 0;
  return n <= most + 1 ? null : { names: rows.map((row) => row.name), others: n - most };
}

/** An array as PostgreSQL reads it. */
const textArray = (list: string[]): string => `{${list.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;

function expressions(groupBy: Grouping | null, filter: UsageFilter): { value: SQL; provider: SQL; name: SQL; which: { sums: SQL; rows: SQL } } {
  const named = filter.tag === undefined ? null : sql`tag = ${filter.tag}`;
  const tagged = named ?? sql`tag <> ''`;
  const wanted = sql.join(
    (['key', 'model', 'route', 'connection'] as const).flatMap((name) => (filter[name] === undefined ? [] : [sql` and ${sql.identifier(COLUMNS[name])} = ${filter[name]}`])),
  );
  const value = groupBy === null ? sql`''::text` : sql`coalesce(${sql.identifier(COLUMNS[groupBy])}, '')`;
  const provider = groupBy === 'model' ? sql`coalesce(provider, '')` : sql`''::text`;
  return {
    value,
    provider,
    // One text for a group, of which a model's has two parts.
    name: groupBy === 'model' ? sql`${value} || chr(1) || ${provider}` : value,
    which: {
      sums: sql`${groupBy === 'tag' ? tagged : (named ?? sql`tag = ''`)}${wanted}`,
      rows: sql`${groupBy === 'tag' ? tagged : (named ?? sql`true`)}${wanted}`,
    },
  };
}

/**
 * By piece: the sums of its blocks and hours, and the rows of its parts of hours. Piece by piece, because then each is
 * one walk along an index into few groups, whatever the planner knows.
 */
function cellsQuery(workspaceId: string, { blocks, hours, parts }: UsageWindow, groupBy: Grouping | null, filter: UsageFilter, largest: Largest | null): SQL {
  const { value, provider, name, which } = expressions(groupBy, filter);
  // Where not all groups are told, the rest have none of their own: the columns are null.
  const shown = (part: SQL) => (largest === null ? part : sql`case when ${name} = any (${textArray(largest.names)}::text[]) then ${part} end`);
  const theirs = groupBy === 'model' ? shown(provider) : provider;
  const sums = (of: string) => sql.raw(MEASURES.map((name) => `sum(${of}.${name}) as ${name}`).join(', '));
  const summed = (table: string, list: UsageRange[]) => sql`
    select r.piece, s.* from ${ranges(list)} cross join lateral (
      select ${shown(value)} as value, ${theirs} as provider, ${sums('u')}
      from ${sql.identifier(table)} u
      where u.workspace_id = ${workspaceId} and ${which.sums} and u.hour >= r.since and u.hour < r.until
      group by 1, 2) s`;
  return sql`
    with measured as (
      ${summed('usage_blocks', blocks)}
      union all
      ${summed('usage_rollups', hours)}
      union all
      select r.piece, s.* from ${ranges(parts)} cross join lateral (
        select ${shown(value)} as value, ${theirs} as provider, ${sums('m')}
        from calls c cross join lateral ohm_call_measures(c.state, c.stream, c.tier, c.replay, c.attempts, c.usage, c.usage_source, c.cost_nano_usd) m
        where c.workspace_id = ${workspaceId} and ${which.rows} and c.created_at >= r.since and c.created_at < r.until
        group by 1, 2) s
    )
    select piece, value, provider, '[' || concat_ws(',', ${sql.raw(MEASURES.map((name) => `sum(${name})`).join(', '))}) || ']' as sums
    from measured group by piece, value, provider`;
}

const at = (ms: number): SQL => sql`${new Date(ms).toISOString()}::text::timestamptz`;

function ranges(list: UsageRange[]): SQL {
  const moments = (of: (range: UsageRange) => number) => sql`${`{${list.map((range) => `"${new Date(of(range)).toISOString()}"`).join(',')}}`}::text::timestamptz[]`;
  return sql`unnest(${`{${list.map(({ piece }) => piece).join(',')}}`}::text::int[], ${moments(({ fromMs }) => fromMs)}, ${moments(({ toMs }) => toMs)}) as r (piece, since, until)`;
}

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
