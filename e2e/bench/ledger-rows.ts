import type postgres from 'postgres';

/** Most rows are this workspace's: the largest tenant is who waits longest. */
export const MAIN = 'ws_main';
/** In the order of how much they are used: of ten thousand calls, the first has a few thousand and the last a few dozen. */
export const KEYS = Array.from({ length: 40 }, (_, i) => `key_01bench0000000000000000${String(i).padStart(3, '0')}`);

export interface Filled {
  seconds: number;
  rebuildSeconds: number;
  /** Rows of usage_rollups, and of the tables of longer and shorter times and of one thing alone. */
  rollups: number;
  blocks: number;
  parts: number;
  groups: number;
}

const DAYS = 90;
const PATTERN_ROWS = 100_000;

/**
 * Rows over the last 90 days in the order of time, as a ledger grows: nine of ten in one workspace with 40 keys,
 * 8 routes of 3 tiers, 12 models, 4 connections and 200 tags; the rest in 50 others. A pattern of calls is made once
 * and repeated. The sums are built from the rows afterwards, day by day, as on a living installation.
 */
export async function fillLedger(owner: postgres.Sql, rows: number): Promise<Filled> {
  const session = await owner.reserve();
  try {
    const seconds = await timed(() => insertRows(session, rows));
    const rebuildSeconds = await timed(() => rebuild(session));
    for (const table of ['calls', 'call_classes', 'usage_rollups', 'usage_blocks', 'usage_parts', 'usage_groups', 'usage_latencies']) await session.unsafe(`vacuum analyze ${table}`);
    const [counted] = await session<Omit<Filled, 'seconds' | 'rebuildSeconds'>[]>`select (select count(*)::int from usage_rollups) as rollups, (select count(*)::int from usage_blocks) as blocks,
      (select count(*)::int from usage_parts) as parts, (select count(*)::int from usage_groups) as groups`;
    return { seconds, rebuildSeconds, ...counted! };
  } finally {
    session.release();
  }
}

async function insertRows(session: postgres.ReservedSql, rows: number): Promise<void> {
  await session`set synchronous_commit = off`;
  await session`set maintenance_work_mem = '512MB'`;
  await session`alter table calls disable trigger user`;
  // Made again behind the rows: an index is built many times faster than it grows.
  const indexes = await session<{ name: string; definition: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i where i.indrelid = 'calls'::regclass and not i.indisprimary`;
  for (const { name } of indexes) await session.unsafe(`drop index ${name}`);

  const each = Math.min(PATTERN_ROWS, Math.ceil(rows / DAYS));
  const pieces = Math.ceil(rows / each);
  const stepS = (DAYS * 86_400) / (pieces * each);
  const begin = Math.floor(Date.now() / 1000) - 60 - DAYS * 86_400;
  await session.unsafe(PATTERN, [each, MAIN, KEYS]);
  for (let piece = 0; piece < pieces; piece++) await session.unsafe(INSERT, [piece, each, begin, stepS]);
  await session`insert into call_classes select c.workspace_id, met.class, c.created_at, c.id from calls c, ohm_classes_met(c.alert_class, c.attempts) met where c.alert_class is not null on conflict do nothing`;

  for (const { definition } of indexes) await session.unsafe(definition);
  await session`alter table calls enable trigger user`;
}

async function rebuild(session: postgres.ReservedSql): Promise<void> {
  const today = Math.floor(Date.now() / 86_400_000) * 86_400;
  for (let day = today - DAYS * 86_400; day <= today; day += 86_400) await session`select ohm_usage_rebuild(to_timestamp(${day}), to_timestamp(${day + 86_400}))`;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}

/** One piece of the ledger: its rows with their place in it. $3: begin of the ledger (s), $4: seconds a row. */
const INSERT = `
  insert into calls (
    id, workspace_id, key_id, created_at, route, requested_model, surface, stream, "commit", request_bytes, tag, finished_at, state, replay, status, tier, connection_id,
    provider, model, model_reported, flushed_bytes, malformed_events, finish_reason, alert_class, attempts, usage, usage_source, usage_estimated, cost_nano_usd,
    price_version, first_content_ms, duration_ms)
  select 'call_' || lpad(to_hex(($1::bigint * $2::bigint) + i), 12, '0') || md5, workspace_id, key_id, at, route, 'auto', 'chat.completions', stream, 'first_content', 900 + i % 5000,
    'tag ' || (tag + $1::int) % 200, at + interval '2 seconds', state, replay, 200, tier, connection_id, provider, model, model, 5312, 0, finish_reason, alert_class, attempts, usage, usage_source,
    '[]', cost, 'bench', first_content_ms, 2000
  from (select p.*, to_timestamp($3::float8 + ($1::bigint * $2::bigint + i) * $4::float8) as at from pattern p) placed
  order by i`;

/** $1 rows, $2 the main workspace, $3 its keys. */
const PATTERN = `
  create temp table pattern as
  select i::int as i, substr(md5('id' || i), 1, 8) as md5, case when i % 10 = 0 then 'ws_other_' || (i / 10) % 50 else $2 end as workspace_id,
    case when i % 10 = 0 then 'key_other' else ($3::text[])[key + 1] end as key_id, 'route ' || route as route, i % 4 <> 0 as stream, case when i % 11 = 0 then (h / 7) % 200 end as tag, state,
    case when state = 'lost' then null when i % 6 = 0 then 'HIT' else 'MISS' end as replay, tier, case when tier is not null then 'conn ' || (route + tier) % 4 end as connection_id,
    case when tier is not null then 'openai' end as provider, case when tier is not null then 'model ' || (route * 3 + tier) % 12 end as model,
    case when state = 'finished' then 'stop' end as finish_reason, case when failed then class || case when state = 'truncated' then '.after_content' else '.before_content' end end as alert_class,
    case when failed and tier = 2 then jsonb_build_array(
        ATTEMPT || jsonb_build_object('tier', 1, 'state', 'failed', 'class', class, 'bytes', 0), ATTEMPT || jsonb_build_object('tier', 2, 'state', 'finished'))
      when failed then jsonb_build_array(ATTEMPT || jsonb_build_object('tier', 1, 'state', case when state = 'truncated' then 'truncated' else 'failed' end, 'class', class))
      when state = 'lost' then '[]'::jsonb else jsonb_build_array(ATTEMPT || jsonb_build_object('tier', tier)) end as attempts,
    case when tier is not null then jsonb_build_object('prompt_tokens', 200 + h % 4000, 'completion_tokens', 50 + h % 900, 'total_tokens', 250, 'cached_tokens', case when i % 3 = 0 then h % 200 end,
      'cache_write_tokens', null, 'reasoning_tokens', case when i % 5 = 0 then h % 50 end) end as usage,
    case when tier is null then null when i % 40 = 0 then 'estimate' else 'provider' end as usage_source, case when tier is not null and i % 70 <> 0 then 30000 + h % 900000 end as cost,
    case when tier is not null then 150 + h % 2500 end as first_content_ms
  from (
    select i, h, key, (key + (h / 1000) % 2) % 8 as route,
      case when h % 1000 < 3 then 'lost' when h % 1000 < 13 then 'truncated' when h % 1000 < 28 then 'rejected' when h % 1000 < 36 then 'aborted' else 'finished' end as state,
      h % 1000 between 3 and 27 or h % 1000 >= 960 as failed,
      case when h % 1000 < 3 or h % 1000 between 13 and 27 then null when h % 1000 >= 960 then 2 else 1 end as tier,
      case when i = 4321 then 'quota' when h % 3 = 0 then 'stalled' when h % 3 = 1 then 'overloaded' else 'rate_limited' end as class
    from (
      select i, case when i = 4321 then 999 else h end as h, least(39, floor(40 * power((h / 3 % 10000) / 10000.0, 2.5)))::int as key
      from (select i, ('x' || substr(md5('row ' || i), 1, 7))::bit(28)::int as h from generate_series(1, $1::int) as i) numbered
    ) placed
  ) made`.replaceAll(
  'ATTEMPT',
  `'{"tier":1,"connection":"main","provider":"openai","model":"gpt-4o-mini","state":"finished","skip_reason":null,"class":null,"upstream_status":200,"message":null,"bytes":5312,"started_ms":0.4,"headers_ms":80.1,"first_content_ms":91.2,"duration_ms":803.7,"usage":null}'::jsonb`,
);
