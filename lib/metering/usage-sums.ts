import { sql, type SQL } from 'drizzle-orm';
import type { Tx } from '../db';
import type { Counted, Grouping, UsageFilter } from './usage';
import { MEASURES, noSums } from './usage-figures';
import { touched, type UsageRange, type UsageUnit, type UsageWindow } from './usage-window';

/** Which calls are summed, and by what. */
export interface Question {
  groupBy: Grouping | null;
  filter: UsageFilter;
  /** Of groups of calls: these alone (as `Largest` names them); undefined: every one. */
  told?: string[] | undefined;
  /** Only calls that have a tag. Of a question that neither groups nor filters. */
  tagged?: boolean;
}

/** The groups that are told apart, when there are more than may be. */
export interface Largest {
  names: string[];
  others: number;
}

/** By the calls of all days and blocks of hours that the window touches. Null: every group is told. */
export async function largestGroups(tx: Tx, workspaceId: string, { bounds }: UsageWindow, question: Question, most: number): Promise<Largest | null> {
  const { days, blocks } = touched(bounds);
  const counted = ([['days', days], ['blocks', blocks]] as const).flatMap(([unit, list]) => {
    const { table, name, which } = sourceOf(unit, question);
    return list.length === 0 ? [] : [sql`select ${name} as name, u.calls from ${ranges(list)} join ${sql.identifier(table)} u on u.workspace_id = ${workspaceId} and ${which} and u.hour >= r.since and u.hour < r.until`];
  });
  const rows = await tx.execute<{ name: string; n: number }>(sql`
    select name, count(*) over ()::int as n from (${sql.join(counted, sql` union all `)}) as counted
    group by 1 order by sum(calls) desc, 1 limit ${most}`);
  const n = rows[0]?.n ?? 0;
  return n <= most + 1 ? null : { names: rows.map((row) => row.name), others: n - most };
}

/** One answer for each question, all from one statement: however many calls end meanwhile, they are about the same ones. */
export async function answersTo(tx: Tx, workspaceId: string, window: UsageWindow, questions: Question[]): Promise<Counted[][]> {
  const measured = questions.flatMap((question, of) =>
    UNITS.flatMap((unit) => (window[unit].length === 0 ? [] : [sql`select ${sql.raw(String(of))}::int as of, r.piece, s.* from ${ranges(window[unit])} cross join lateral (${summed(workspaceId, sourceOf(unit, question), question)}) s`])),
  );
  // A list that the planner knows is looked up by hash, one that it does not know from end to end, for every row.
  if (questions.some(({ told }) => told !== undefined)) await tx.execute(sql`set local plan_cache_mode = force_custom_plan`);
  const cells = await tx.execute<Cell>(sql`
    select of, piece, value, provider, '[' || concat_ws(',', ${sql.raw(MEASURES.map((name) => `sum(${name})`).join(', '))}) || ']' as sums
    from (${sql.join(measured, sql` union all `)}) as measured group by of, piece, value, provider`);
  const answers: Counted[][] = questions.map(() => []);
  for (const cell of cells) answers[cell.of]!.push(read(cell));
  return answers;
}

const UNITS: readonly UsageUnit[] = ['days', 'blocks', 'hours', 'parts', 'rows'];

interface Cell extends Record<string, unknown> {
  /** Index of the question. */
  of: number;
  piece: number;
  value: string;
  provider: string;
  /** In the order of MEASURES, as a JSON array: thirty columns a cell are slow to take apart. */
  sums: string;
}

function read({ piece, value, provider, ...cell }: Cell): Counted {
  const values = JSON.parse(cell.sums) as number[];
  const sums = noSums();
  for (let i = 0; i < MEASURES.length; i++) sums[MEASURES[i]!] = values[i]!;
  return { piece, group: { value: value || null, provider: provider || null, groups: 1 }, sums };
}

/** Where the calls of a unit of time are summed, and how its rows are told apart. */
interface Source {
  table: string;
  value: SQL;
  provider: SQL;
  /** One text for a group, of which a model's has two parts. */
  name: SQL;
  which: SQL;
}

/** The sums of a range. Range by range, because then each is one walk along an index into few groups, whatever the planner knows. */
function summed(workspaceId: string, { table, value, provider, name, which }: Source, { told }: Question): SQL {
  const sums = sql.raw(MEASURES.map((measure) => `sum(m.${measure}) as ${measure}`).join(', '));
  const from = table === 'calls'
    ? sql`calls u cross join lateral ohm_call_measures(u.state, u.stream, u.tier, u.replay, u.attempts, u.usage, u.usage_source, u.cost_nano_usd) m`
    : sql`${sql.identifier(table)} m`;
  const [row, at] = table === 'calls' ? [sql`u`, sql`u.created_at`] : [sql`m`, sql`m.hour`];
  const only = told === undefined ? sql`` : sql` and ${name} = any (${textArray(told)}::text[])`;
  return sql`select ${value} as value, ${provider} as provider, ${sums} from ${from}
    where ${row}.workspace_id = ${workspaceId} and ${which}${only} and ${at} >= r.since and ${at} < r.until group by 1, 2`;
}

const DIMENSIONS = ['key', 'model', 'route', 'connection', 'tag'] as const;
const COLUMNS: Record<Grouping, string> = { key: 'key_id', model: 'model', route: 'route', connection: 'connection_id', tag: 'tag' };
const COMBINATIONS: Record<UsageUnit, string> = { days: 'usage_blocks', blocks: 'usage_blocks', hours: 'usage_rollups', parts: 'usage_parts', rows: 'calls' };
const HOURS: Record<Exclude<UsageUnit, 'rows'>, number> = { days: 24, blocks: 4, hours: 1, parts: 0 };

/** The sums by one thing alone where they are enough, else those of the combinations, of which there are many more. */
function sourceOf(unit: UsageUnit, question: Question): Source {
  const kind = kindOf(question);
  const whole = kind === 'all' || kind === 'tagged';
  if (kind !== null && (unit === 'days' || unit === 'blocks' || (whole && unit !== 'rows'))) return groupsOf(kind, HOURS[unit], question);
  return combinationsOf(unit, question);
}

/** What a question is about, if it is one thing. */
function kindOf({ groupBy, filter, tagged }: Question): Grouping | 'all' | 'tagged' | null {
  if (tagged) return 'tagged';
  const asked = DIMENSIONS.filter((name) => name === groupBy || filter[name] !== undefined);
  return asked.length > 1 ? null : (asked[0] ?? 'all');
}

function groupsOf(kind: Grouping | 'all' | 'tagged', hours: number, { groupBy, filter }: Question): Source {
  const wanted = kind === 'all' || kind === 'tagged' || filter[kind] === undefined ? sql`` : sql` and value = ${filter[kind]}`;
  const value = groupBy === null ? NONE : sql`value`;
  const provider = groupBy === 'model' ? sql`provider` : NONE;
  return { table: 'usage_groups', value, provider, name: nameOf(groupBy, value, provider), which: sql`kind = ${sql.raw(`'${kind}'`)} and hours = ${sql.raw(String(hours))}${wanted}` };
}

function combinationsOf(unit: UsageUnit, { groupBy, filter, tagged = false }: Question): Source {
  const value = groupBy === null ? NONE : sql`coalesce(${sql.identifier(COLUMNS[groupBy])}, '')`;
  const provider = groupBy === 'model' ? sql`coalesce(provider, '')` : NONE;
  const wanted = DIMENSIONS.flatMap((name) => (filter[name] === undefined ? [] : [sql` and ${sql.identifier(COLUMNS[name])} = ${filter[name]}`]));
  const byTag = groupBy === 'tag' || tagged || filter.tag !== undefined;
  const rows = byTag ? sql`tag <> ''` : unit === 'rows' ? sql`true` : sql`tag = ''`;
  return { table: COMBINATIONS[unit], value, provider, name: nameOf(groupBy, value, provider), which: sql`${rows}${sql.join(wanted)}` };
}

const NONE = sql`''::text`;
const nameOf = (groupBy: Grouping | null, value: SQL, provider: SQL): SQL => (groupBy === 'model' ? sql`${value} || chr(1) || ${provider}` : value);

/** An array as PostgreSQL reads it. */
const textArray = (list: string[]): string => `{${list.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;

function ranges(list: UsageRange[]): SQL {
  const moments = (of: (range: UsageRange) => number) => sql`${`{${list.map((range) => `"${new Date(of(range)).toISOString()}"`).join(',')}}`}::text::timestamptz[]`;
  return sql`unnest(${`{${list.map(({ piece }) => piece).join(',')}}`}::text::int[], ${moments(({ fromMs }) => fromMs)}, ${moments(({ toMs }) => toMs)}) as r (piece, since, until)`;
}
