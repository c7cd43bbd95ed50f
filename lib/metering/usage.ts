import { sql } from 'drizzle-orm';
import { withWorkspace } from '../db';
import { Refusal } from '../std';
import type { Ledger } from './ledger';
import { addSums, figuresOf, noSums, type Sums, type UsageFigures } from './usage-figures';
import { type Question, answersTo, largestGroups } from './usage-sums';
import { type UsageStep, usageWindow } from './usage-window';

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
 * What a workspace's calls came to over a window: from the sums by days, hours and parts of hours, and from the rows
 * themselves where a bound of the window splits such a part. The same as counting the rows, to the unit.
 */
export async function usage(ledger: Ledger, workspaceId: string, query: UsageQuery): Promise<UsageReport> {
  const { groupBy, filter = {}, most = MOST_GROUPS } = query;
  refuseMixedTags(groupBy, filter);
  const window = usageWindow(moment('from', query.from), moment('to', query.to), query.step, query.zone);
  await ledger.flush(FLUSH_BOUND_MS);
  return await withWorkspace(ledger.db, workspaceId, async (tx) => {
    const byTag = groupBy === 'tag' && filter.tag === undefined;
    const largest = groupBy === null ? null : await largestGroups(tx, workspaceId, window, { groupBy, filter }, most);
    const questions: Question[] = [{ groupBy, filter, told: largest?.names }];
    if (largest !== null) questions.push({ groupBy: null, filter, tagged: byTag });
    if (byTag) questions.push({ groupBy: null, filter });
    const answers = await answersTo(tx, workspaceId, window, questions);
    const cells = answers[0]!;
    if (largest !== null) cells.push(...without(answers[1]!, cells, largest.others));
    if (byTag) cells.push(...without(answers.at(-1)!, cells, 1));
    const [first] = await tx.execute<{ ms: number | null }>(sql`select extract(epoch from min(hour))::float8 * 1000 as ms from usage_rollups where workspace_id = ${workspaceId}`);
    return report(query, window.bounds, cells, first?.ms ?? null);
  });
}

const FLUSH_BOUND_MS = 500;

/** What one group of calls came to in one piece. */
export interface Counted {
  piece: number;
  group: UsageGroup;
  sums: Sums;
}

/** What is left of all when some are taken away, as one group that stands for this many. */
function without(all: Counted[], some: Counted[], groups: number): Counted[] {
  const rest = new Map(all.map((cell) => [cell.piece, cell.sums]));
  for (const cell of some) addSums(rest.get(cell.piece) ?? noSums(), cell.sums, -1);
  return [...rest].flatMap(([piece, sums]) => (sums.calls === 0 ? [] : [{ piece, group: { value: null, provider: null, groups }, sums }]));
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
