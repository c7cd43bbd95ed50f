import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { withWorkspace } from '../db';
import { systemClock } from '../std';
import type { CallRow, CallState, UsageRow as Tokens } from './call-row';
import { listCalls } from './calls';
import { admitted, attempt, finished, memoryLog } from './fixtures';
import { firstContentLatency, MOST_EXACT } from './latency';
import { openLedger, type Ledger } from './ledger';
import { publicFigures } from './public-figures';
import { rebuildUsage } from './rebuild-usage';
import { summary } from './summary';
import { type Grouping, GROUPINGS, MOST_GROUPS, usage, type UsageFilter, type UsageQuery } from './usage';
import type { UsageFigures } from './usage-figures';
import { lastDays, usageWindow } from './usage-window';

let database: TestDatabase;
let ledger: Ledger;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = await openLedger({ dataDir: null, db: database.db, clock: systemClock, log: memoryLog(), directBoundMs: 60_000 });
});
afterAll(async () => await ledger.close());

const WS = 'ws_usage';
const FROM = Date.parse('2026-03-26T05:17:23.456Z');
const TO = Date.parse('2026-04-02T19:44:01.001Z');
const random = mulberry(20260329);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
/** Every kind of row that there is, around the nights on which Europe's and other clocks change. */
const rows = Array.from({ length: 3_000 }, anyRow);

describe('sums of 3,000 rows of every kind, corrected, lost, adopted and drained by several at once', () => {
  let truth: CallRow[];

  beforeAll(async () => {
    // The end that each call's row must have, however it came to it.
    truth = rows.map((row, i) => (i % 17 === 0 && row.state === 'finished' ? { ...row, state: 'aborted' as const, flushed_bytes: 7 } : row));
    const lost = rows.filter((row, i) => i % 13 === 0 && row.state !== 'lost').map(asLost);
    await Promise.all([settleAll(lost), settleAll(rows.filter((row) => row.state === 'lost'))]);
    await Promise.all([settleAll(rows), settleAll([...rows].reverse()), settleAll(lost)]);
    truth.forEach((row, i) => {
      if (row !== rows[i]) ledger.correct(row.id, { state: row.state, flushed_bytes: row.flushed_bytes });
    });
    await settleAll(Array.from({ length: 50 }, () => ({ ...anyRow(), workspace_id: 'ws_other' })));
    expect(await ledger.flush(20_000)).toBe(true);
  });

  test.each<[string, Partial<UsageQuery>]>([
    ['the whole window at once', {}],
    ['days of UTC', { step: 'day' }],
    ['days of Berlin, one of them with 23 hours', { step: 'day', zone: 'Europe/Berlin' }],
    ['days of a zone half an hour off', { step: 'day', zone: 'Asia/Kolkata' }],
    ['days of a zone three quarters off', { step: 'day', zone: 'Asia/Kathmandu' }],
    ['days of Lord Howe, whose clocks move by half an hour', { step: 'day', zone: 'Australia/Lord_Howe' }],
    ['hours', { step: 'hour', zone: 'Asia/Kolkata' }],
    ['a quarter of an hour', { from: new Date(Date.parse('2026-03-29T01:10:00Z')), to: new Date(Date.parse('2026-03-29T01:25:00Z')) }],
    ['two hours cut on both sides', { from: new Date(Date.parse('2026-03-29T00:59:59.999Z')), to: new Date(Date.parse('2026-03-29T02:00:00.001Z')) }],
  ])('%s: every grouping equals counting the rows', async (_, change) => {
    for (const groupBy of [null, ...GROUPINGS]) {
      const query: UsageQuery = { from: new Date(FROM), to: new Date(TO), step: null, zone: 'UTC', groupBy, ...change };
      expect(await asCells(query)).toEqual(counted(truth, query));
    }
  });

  test.each<[UsageFilter, Grouping | null]>([
    [{ key: 'key_a' }, 'model'],
    [{ key: 'key_a' }, 'key'],
    [{ model: 'gpt-4o' }, 'model'],
    [{ model: 'gpt-4o' }, null],
    [{ model: 'gpt-4o-mini', route: 'chat' }, 'key'],
    [{ connection: 'conn_b' }, null],
    [{ tag: 'nightly' }, null],
    [{ tag: 'nightly' }, 'tag'],
    [{ key: 'key_of_nobody' }, 'route'],
  ])('with the filter %j', async (filter, groupBy) => {
    for (const zone of ['Europe/Berlin', 'Asia/Kathmandu']) {
      const query: UsageQuery = { from: new Date(FROM), to: new Date(TO), step: 'day', zone, groupBy, filter };
      expect(await asCells(query)).toEqual(counted(truth, query));
    }
  });

  test.each(GROUPINGS)('tell the one largest %s apart, and of the rest no more than what they are together', async (groupBy) => {
    const query: UsageQuery = { from: new Date(FROM), to: new Date(TO), step: 'day', zone: 'Asia/Kolkata', groupBy };
    const every = await usage(ledger, WS, query);
    const report = await usage(ledger, WS, { ...query, most: 1 });
    // A rest of one group is told by its name.
    const named = every.totals.filter(({ group }) => groupBy !== 'tag' || group?.value !== null);
    if (named.length <= 2) return expect(report).toEqual(every);
    expect(report.totals[0]).toEqual(every.totals[0]);
    expect(report.totals.map(({ group }) => group?.groups)).toEqual([1, named.length - 1]);
    expect(report.total).toEqual(every.total);
    for (const piece of every.starts.keys()) {
      const calls = (of: typeof every) => of.rows.filter((row) => row.piece === piece).reduce((sum, row) => sum + row.calls, 0);
      expect(calls(report)).toBe(calls(every));
    }
  });

  test('no zone has days whose bounds must be read from the rows', async () => {
    const zones = Intl.supportedValuesOf('timeZone');
    for (const zone of zones) {
      const { fromMs, toMs } = lastDays(3, Date.parse('2026-11-30T12:00:00Z'), zone);
      expect([zone, usageWindow(fromMs, toMs, 'day', zone).rows]).toEqual([zone, []]);
    }
    expect(zones.length).toBeGreaterThan(400);
  });

  test('say of a window what the calls list shows in it', async () => {
    const [from, to] = [new Date('2026-03-28T23:00:00Z'), new Date('2026-03-29T22:00:00Z')]; // Berlin's short day
    const report = await usage(ledger, WS, { from, to, step: 'day', zone: 'Europe/Berlin', groupBy: 'key' });
    const listed: CallRow[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await listCalls(ledger, WS, { from, to, limit: 200, ...(cursor === undefined ? {} : { cursor }) });
      listed.push(...page.data);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(report.rows.length).toBeGreaterThan(1);
    expect(report.total.calls).toBe(listed.length);
    expect(report.total.cost_nano_usd).toBe(listed.reduce((sum, call) => sum + (call.cost_nano_usd ?? 0), 0));
    for (const { group, figures } of report.totals) expect(figures.calls).toBe(listed.filter((call) => call.key_id === group?.value).length);
  });

  test('are the same after they were dropped and rebuilt, in one go or day by day, while rows go on coming in', async () => {
    const before = await dump();
    expect(before.rollups.length).toBeGreaterThan(500);
    await database.owner`delete from usage_rollups`;
    await database.owner`delete from usage_blocks`;
    await database.owner`delete from usage_parts`;
    await database.owner`delete from usage_groups`;
    await database.owner`delete from usage_latencies`;
    expect((await database.owner`select ohm_usage_rebuild(null, null)::int as n`)[0]?.n).toBe(truth.length + 50);
    expect(await dump()).toEqual(before);

    await database.owner`truncate usage_rollups, usage_blocks, usage_parts, usage_groups, usage_latencies`;
    expect(await rebuildUsage(database.db, { now: TO })).toBe(truth.length + 50);
    expect(await dump()).toEqual(before);

    await database.owner`update usage_rollups set calls = calls + 7, cost_nano_usd = 0`;
    await database.owner`update usage_blocks set failovers = 3`;
    await database.owner`update usage_parts set calls = 1 where tag <> ''`;
    await database.owner`delete from usage_groups where kind = 'model' or hours = 1`;
    await database.owner`delete from usage_latencies where bucket % 3 = 0`;
    const late = Array.from({ length: 300 }, anyRow);
    const days = Array.from({ length: 10 }, (_, day) => Date.parse('2026-03-25T00:00:00Z') + day * 86_400_000);
    const rebuild = async () => {
      for (const day of days) await database.db.unscoped((q) => q.execute(sql`select ohm_usage_rebuild(${new Date(day).toISOString()}::text::timestamptz, ${new Date(day + 86_400_000).toISOString()}::text::timestamptz)`));
    };
    await Promise.all([rebuild(), settleAll(late), rebuild()]);
    const query: UsageQuery = { from: new Date(FROM), to: new Date(TO), step: 'day', zone: 'UTC', groupBy: 'model' };
    expect(await asCells(query)).toEqual(counted([...truth, ...late], query));

    const ids = late.map((row) => row.id);
    await database.owner`delete from calls where id = any(${ids})`;
    expect(await dump()).toEqual(before);
    await expect(database.owner`select ohm_usage_rebuild('2026-03-25T04:00:00Z', '2026-03-26T00:00:00Z')`).rejects.toThrow('only whole days');
  });

  test('follow a row that is changed by hand, and a ledger that is emptied', async () => {
    const row = truth[0]!;
    const before = await dump();
    await database.owner`update calls set key_id = 'key_moved', created_at = created_at + interval '3 hours', cost_nano_usd = 5 where id = ${row.id}`;
    const moved = await usage(ledger, WS, { from: new Date(FROM), to: new Date(TO + 86_400_000), step: null, zone: 'UTC', groupBy: null, filter: { key: 'key_moved' } });
    expect(moved.total).toMatchObject({ calls: 1, cost_nano_usd: 5 });
    await database.owner`update calls set key_id = ${row.key_id}, created_at = ${row.created_at}, cost_nano_usd = ${row.cost_nano_usd} where id = ${row.id}`;
    expect(await dump()).toEqual(before);
    await database.owner`truncate calls`;
    expect(await database.owner`select 1 from call_classes`).toEqual([]);
    expect(await dump()).toEqual({ rollups: [], blocks: [], parts: [], groups: [], latencies: [] });
  });
});

describe('percentiles of very many calls', () => {
  test('come from the histogram, within 2 % of the exact ones, and from the rows of few', async () => {
    await database.owner`insert into calls (id, workspace_id, key_id, created_at, route, requested_model, surface, stream, commit, request_bytes, finished_at, state, attempts, usage_estimated, first_content_ms)
      select 'call_' || i, 'ws_many', 'key', timestamptz '2026-01-01' + i * interval '1 second', 'chat', 'auto', 'chat.completions', true, 'first_content', 1, '2026-01-02', 'finished', '[]', '[]', 80 * exp(abs(sin(i)) * 4)
      from generate_series(1, ${MOST_EXACT * 2}) i`;
    const [exact] = await database.owner`select percentile_cont(0.5) within group (order by first_content_ms) as p50, percentile_cont(0.95) within group (order by first_content_ms) as p95 from calls where workspace_id = 'ws_many'`;
    const from = Date.parse('2026-01-01T00:00:00Z');
    const read = (toMs: number) => withWorkspace(database.db, 'ws_many', (tx) => firstContentLatency(tx, 'ws_many', from, toMs));
    const many = await read(from + 86_400_000);
    expect(many).toMatchObject({ n: MOST_EXACT * 2, from: 'histogram' });
    expect(Math.abs(many.p50! / exact!.p50 - 1)).toBeLessThan(0.02);
    expect(Math.abs(many.p95! / exact!.p95 - 1)).toBeLessThan(0.02);
    expect(await read(from + 3_600_000)).toMatchObject({ n: 3599, from: 'rows' });
  });
});

describe('groups', () => {
  test('beyond the hundred largest are summed into one that says how many', async () => {
    const make = (tag: string) => finished(admitted({ workspace_id: 'ws_tags', created_at: '2026-01-01T00:00:00.000Z', tag }));
    await settleAll([...Array.from({ length: MOST_GROUPS + 20 }, (_, i) => make(`tag ${i}`)), make('tag 3'), finished(admitted({ workspace_id: 'ws_tags', created_at: '2026-01-01T00:00:00.000Z' }))]);
    const report = await usage(ledger, 'ws_tags', { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', step: null, zone: 'UTC', groupBy: 'tag' });
    expect(report.totals).toHaveLength(MOST_GROUPS + 2);
    expect(report.totals[0]).toMatchObject({ group: { value: 'tag 3', groups: 1 }, figures: { calls: 2 } });
    expect(report.totals.at(-1)).toMatchObject({ group: { value: null, groups: 20 }, figures: { calls: 20 } });
    expect(report.totals.find(({ group }) => group?.value === null && group.groups === 1)).toMatchObject({ figures: { calls: 1 } });
    expect(report.total.calls).toBe(MOST_GROUPS + 22);
  });

  test.each<[string, UsageFilter, Grouping | null]>([
    ['key', { key: 'key_a' }, 'tag'],
    ['route', { tag: 'x', route: 'chat' }, null],
    ['tag', { tag: 'x' }, 'model'],
  ])('refuse to mix tags with %s, by name', async (field, filter, groupBy) => {
    await expect(usage(ledger, WS, { from: new Date(FROM), to: new Date(TO), step: null, zone: 'UTC', groupBy, filter })).rejects.toMatchObject({ code: 'invalid', issues: [{ field }] });
  });
});

test('nothing measured is null, and a clock that jumps back leaves every call in the hour that its row names', async () => {
  const at = (created_at: string, change: Partial<CallRow> = {}) => finished(admitted({ workspace_id: 'ws_jump', created_at }), change);
  // The second call came later but by a clock that had been set back an hour; the third ended before it began.
  await settleAll([
    at('2026-02-28T23:59:59.999Z', { usage: null, usage_source: null, cost_nano_usd: null, state: 'rejected' }),
    at('2026-02-28T22:59:59.999Z', { usage: null, usage_source: null, cost_nano_usd: null, state: 'aborted' }),
    at('2026-03-01T00:00:00.000Z', { finished_at: '2026-02-01T00:00:00.000Z', duration_ms: 4 }),
  ]);
  const report = await usage(ledger, 'ws_jump', { from: '2026-02-01T00:00:00Z', to: '2026-04-01T00:00:00Z', step: 'day', zone: 'UTC', groupBy: null });
  expect(report.rows.map(({ piece, calls }) => [report.starts[piece], calls])).toEqual([['2026-02-28T00:00:00.000Z', 2], ['2026-03-01T00:00:00.000Z', 1]]);
  expect(report.rows[0]).toMatchObject({ cost_nano_usd: null, estimated_share: null, unpriced_share: null, tokens: { prompt: null, cached: null, cache_write: null, completion: null, reasoning: null } });
  expect(report.rows[1]).toMatchObject({ cost_nano_usd: 22_350, unpriced_share: 0, tokens: { prompt: 69, cached: null, completion: 20 } });
  expect(await summary(ledger, 'ws_jump', '2026-02-01T00:00:00Z', '2026-04-01T00:00:00Z')).toMatchObject({ calls: 3, cost: { nano_usd: 22_350, priced_calls: 1 } });
});

test('the public figures read the same sums', async () => {
  const now = Date.parse('2026-06-01T00:00:00Z');
  await settleAll([finished(admitted({ workspace_id: 'ws_system', created_at: new Date(now - 86_400_000).toISOString() }), { first_content_ms: 100 })]);
  const { source, figures } = await publicFigures(database.db, { now });
  expect([source, figures.calls.value]).toEqual(['probes', 1]);
  expect(Math.abs(figures.first_content_p50_ms.value! / 100 - 1)).toBeLessThan(0.02);
});

async function settleAll(list: CallRow[]): Promise<void> {
  await Promise.all(list.map((row) => ledger.settle(row)));
}

async function dump(): Promise<Record<'rollups' | 'blocks' | 'parts' | 'groups' | 'latencies', unknown[]>> {
  const { owner } = database;
  return {
    rollups: [...(await owner`select * from usage_rollups order by workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag`)],
    blocks: [...(await owner`select * from usage_blocks order by workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag`)],
    parts: [...(await owner`select * from usage_parts order by workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag`)],
    groups: [...(await owner`select * from usage_groups order by workspace_id, kind, hours, hour, value, provider`)],
    latencies: [...(await owner`select * from usage_latencies order by workspace_id, hour, bucket`)],
  };
}

type Cells = Record<string, UsageFigures>;

async function asCells(query: UsageQuery): Promise<Cells> {
  const report = await usage(ledger, WS, query);
  expect(report.zone).toBe(query.zone);
  const cells: Cells = {};
  for (const { piece, group, ...figures } of report.rows) cells[`${report.starts[piece]} ${group === null ? '' : [group.value ?? '', group.provider ?? ''].join(' ')}`] = figures;
  return cells;
}

/** The same, counted one row at a time, with days told by the zone's own wall clock. */
function counted(all: CallRow[], { from, to, step, zone, groupBy, filter = {} }: UsageQuery): Cells {
  const [fromMs, toMs] = [new Date(from).getTime(), new Date(to).getTime()];
  const inWindow = all.filter((row) => Date.parse(row.created_at) >= fromMs && Date.parse(row.created_at) < toMs && matches(row, filter));
  const cells = new Map<string, CallRow[]>();
  for (const row of inWindow) {
    const name = `${pieceOf(row, fromMs, step, zone)} ${groupOf(row, groupBy)}`;
    cells.set(name, [...(cells.get(name) ?? []), row]);
  }
  return Object.fromEntries([...cells].map(([name, list]) => [name, figuresOfRows(list)]));
}

function matches(row: CallRow, { key, model, route, connection, tag }: UsageFilter): boolean {
  return (key === undefined || row.key_id === key) && (model === undefined || row.model === model) && (route === undefined || row.route === route)
    && (connection === undefined || row.connection_id === connection) && (tag === undefined || row.tag === tag);
}

function groupOf(row: CallRow, groupBy: Grouping | null): string {
  if (groupBy === null) return '';
  const value = { key: row.key_id, model: row.model, route: row.route, connection: row.connection_id, tag: row.tag }[groupBy];
  return [value ?? '', groupBy === 'model' ? (row.provider ?? '') : ''].join(' ');
}

/** The beginning of the piece: the first minute, looked for one at a time, that shows the same day on the wall. */
function pieceOf(row: CallRow, fromMs: number, step: UsageQuery['step'], zone: string): string {
  const ms = Date.parse(row.created_at);
  if (step === null) return new Date(fromMs).toISOString();
  if (step === 'hour') return new Date(Math.max(fromMs, Math.floor(ms / 3_600_000) * 3_600_000)).toISOString();
  const day = wallDay(zone, ms);
  let start = beginnings.get(`${zone} ${day}`);
  if (start === undefined) {
    start = Math.floor(ms / 60_000) * 60_000;
    while (wallDay(zone, start - 60_000) === day) start -= 60_000;
    beginnings.set(`${zone} ${day}`, start);
  }
  return new Date(Math.max(fromMs, start)).toISOString();
}

const beginnings = new Map<string, number>();
const clocks = new Map<string, Intl.DateTimeFormat>();
function wallDay(zone: string, ms: number): string {
  let clock = clocks.get(zone);
  if (!clock) clocks.set(zone, (clock = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })));
  return clock.format(ms);
}

function figuresOfRows(list: CallRow[]): UsageFigures {
  const count = (test: (row: CallRow) => boolean) => list.filter(test).length;
  const total = (values: (number | null | undefined)[]) => {
    const known = values.filter((value) => value !== null && value !== undefined);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
  };
  const tokens = (member: keyof Tokens) => total(list.map((row) => row.usage?.[member]));
  const by = (source: CallRow['usage_source']) => {
    const mine = list.filter((row) => row.usage_source === source);
    return { calls: mine.length, prompt_tokens: total(mine.map((row) => row.usage?.prompt_tokens)) ?? 0, completion_tokens: total(mine.map((row) => row.usage?.completion_tokens)) ?? 0 };
  };
  const failed = list.flatMap((row) => row.attempts.filter(({ state }) => state === 'failed').map((each) => ({ ...each, served: row.tier })));
  const metered = failed.filter((each) => each.usage !== null);
  const used = count((row) => row.usage !== null);
  const priced = count((row) => row.cost_nano_usd !== null);
  const states: CallState[] = ['finished', 'truncated', 'rejected', 'aborted', 'lost'];
  return {
    calls: list.length,
    by_state: Object.fromEntries(states.map((state) => [state, count((row) => row.state === state)])) as Record<CallState, number>,
    streams: count((row) => row.stream === true),
    failovers: count((row) => row.tier !== null && row.attempts.some(({ state, tier }) => state === 'failed' && tier !== row.tier)),
    truncations: count((row) => row.state === 'truncated'),
    replay: { hit: count((row) => row.replay === 'HIT'), miss: count((row) => row.replay === 'MISS'), bypass: count((row) => row.replay === 'BYPASS') },
    tokens: { prompt: tokens('prompt_tokens'), cached: tokens('cached_tokens'), cache_write: tokens('cache_write_tokens'), completion: tokens('completion_tokens'), reasoning: tokens('reasoning_tokens') },
    provider: by('provider'),
    estimate: by('estimate'),
    estimated_share: used === 0 ? null : by('estimate').calls / used,
    cost_nano_usd: total(list.map((row) => row.cost_nano_usd)),
    priced_calls: priced,
    unpriced_calls: used - priced,
    unpriced_share: used === 0 ? null : (used - priced) / used,
    failed_attempts: { metered: metered.length, prompt_tokens: total(metered.map((each) => each.usage!.prompt_tokens)), completion_tokens: total(metered.map((each) => each.usage!.completion_tokens)) },
  };
}

function anyRow(): CallRow {
  const begun = admitted({
    workspace_id: WS,
    key_id: pick(['key_a', 'key_b', 'key_c']),
    created_at: new Date(FROM - 7_200_000 + Math.floor(random() * (TO - FROM + 14_400_000))).toISOString(),
    route: pick(['chat', 'demo', 'direct', null]),
    surface: pick(['chat.completions', 'messages']),
    stream: pick([true, true, false, null]),
    tag: pick([null, null, 'nightly', 'customer 7']),
  });
  const state = pick<CallState>(['finished', 'finished', 'finished', 'truncated', 'rejected', 'aborted', 'lost']);
  if (state === 'lost') return asLost(finished(begun));
  const tier = state === 'rejected' ? null : pick([1, 1, 2, 3]);
  const failedUsage = pick([null, null, tokensOf(pick([5, 11]), 3)]);
  const before = Array.from({ length: tier === null ? 2 : tier - 1 }, (_, i) => attempt({ tier: i + 1, state: 'failed', class: 'server_error', usage: failedUsage }));
  const retried = pick([false, false, true]) ? [attempt({ tier: tier ?? 1, state: 'failed', class: 'connect' })] : [];
  const source = state === 'rejected' ? null : pick<CallRow['usage_source']>(['provider', 'provider', 'estimate']);
  const model = tier === null ? null : pick(['gpt-4o-mini', 'gpt-4o', 'claude']);
  return finished(begun, {
    state,
    tier,
    model,
    provider: model === null ? null : pick(['openai', 'azure']),
    connection_id: tier === null ? null : pick(['conn_a', 'conn_b']),
    replay: pick(['HIT', 'MISS', 'BYPASS']),
    attempts: [...before, ...retried, ...(tier === null ? [] : [attempt({ tier })])],
    usage_source: source,
    usage: source === null ? null : { ...tokensOf(Math.floor(random() * 1e6), Math.floor(random() * 4_000)), ...pick([{}, { cached_tokens: 0 }, { cached_tokens: 512, cache_write_tokens: 64 }, { reasoning_tokens: 17 }]) },
    cost_nano_usd: source === null ? null : pick([null, 0, Math.floor(random() * 1e9)]),
    first_content_ms: tier === null ? null : random() * 3_000,
  });
}

function tokensOf(prompt: number, completion: number): Tokens {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null };
}

function asLost(row: CallRow): CallRow {
  return { ...row, state: 'lost', tier: null, connection_id: null, provider: null, model: null, replay: null, attempts: [], usage: null, usage_source: null, cost_nano_usd: null, first_content_ms: null, flushed_bytes: null, alert_class: null };
}

function mulberry(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
