import type postgres from 'postgres';

/** Most rows are this workspace's: the largest tenant is who waits longest. */
export const MAIN = 'ws_main';
/** In the order of how much they are used: the last one of ten thousand calls has a few hundred. */
export const KEYS = Array.from({ length: 40 }, (_, i) => `key_01bench0000000000000000${String(i).padStart(3, '0')}`);

export interface Filled {
  seconds: number;
  rebuildSeconds: number;
  rollups: number;
}

const DAYS = 90;

/**
 * Rows over the last 90 days in the order of time, as a ledger grows: nine of ten in one workspace with 40 keys,
 * 8 routes of 3 tiers, 12 models, 4 connections and 200 tags; the rest in 50 others. The sums are built from them
 * afterwards, day by day, as `ohm_usage_rebuild` does on a living installation.
 */
export async function fillLedger(owner: postgres.Sql, rows: number): Promise<Filled> {
  await owner`alter table calls disable trigger user`;
  await owner`alter table calls enable trigger classes_of_new`;
  await owner`set synchronous_commit = off`;
  await owner`set maintenance_work_mem = '512MB'`;
  // Made again behind the rows: an index is built many times faster than it grows.
  const indexes = await owner<{ name: string; definition: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i where i.indrelid = 'calls'::regclass and not i.indisprimary`;
  for (const { name } of indexes) await owner.unsafe(`drop index ${name}`);
  const started = performance.now();
  const pieces = Math.max(DAYS, Math.ceil(rows / 100_000));
  const each = Math.ceil(rows / pieces);
  const end = Math.floor(Date.now() / 1000) - 60;
  const stepS = (DAYS * 86_400) / (pieces * each);
  for (let piece = 0; piece < pieces; piece++) await owner.unsafe(INSERT, [piece * each, each, end - DAYS * 86_400, stepS, MAIN, KEYS]);
  for (const { definition } of indexes) await owner.unsafe(definition);
  const seconds = (performance.now() - started) / 1000;
  await owner`alter table calls enable trigger user`;

  const rebuilding = performance.now();
  const midnight = Math.floor(end / 86_400) * 86_400;
  for (let day = midnight - DAYS * 86_400; day <= midnight; day += 86_400) await owner`select ohm_usage_rebuild(to_timestamp(${day}), to_timestamp(${day + 86_400}))`;
  const rebuildSeconds = (performance.now() - rebuilding) / 1000;
  await owner`vacuum analyze calls`;
  await owner`vacuum analyze call_classes`;
  await owner`vacuum analyze usage_rollups`;
  await owner`vacuum analyze usage_blocks`;
  await owner`vacuum analyze usage_latencies`;
  const [counted] = await owner<{ n: number }[]>`select count(*)::int as n from usage_rollups`;
  return { seconds, rebuildSeconds, rollups: counted!.n };
}

/** $1 the first number, $2 how many, $3 begin (s), $4 step (s), $5 the main workspace, $6 its keys. */
const INSERT = `
  insert into calls (
    id, workspace_id, key_id, created_at, route, requested_model, surface, stream, "commit", request_bytes, tag, finished_at, state, replay, status, error_code,
    tier, connection_id, provider, model, model_reported, flushed_bytes, malformed_events, finish_reason, alert_class, attempts, usage, usage_source,
    usage_estimated, cost_nano_usd, price_version, first_content_ms, duration_ms)
  select
    'call_' || lpad(to_hex(extract(epoch from at)::bigint), 10, '0') || lpad(to_hex(i), 8, '0') || substr(md5(i::text), 1, 8), case when i % 10 = 0 then 'ws_other_' || (i / 10) % 50 else $5 end,
    case when i % 10 = 0 then 'key_other' else ($6::text[])[key + 1] end, at, 'route ' || route, 'auto', 'chat.completions', i % 4 <> 0, 'first_content', 900 + i % 5000,
    case when i % 11 = 0 then 'tag ' || (h / 7) % 200 end, at + interval '2 seconds', state, case when state = 'lost' then null when i % 6 = 0 then 'HIT' else 'MISS' end, 200, null,
    tier, case when tier is null then null else 'conn ' || (route + tier) % 4 end, case when tier is null then null else 'openai' end, case when tier is null then null else 'model ' || (route * 3 + tier) % 12 end,
    case when tier is null then null else 'model-2026-01-01' end, 5312, 0, case when state = 'finished' then 'stop' end,
    case when failed then class || case when state = 'truncated' then '.after_content' else '.before_content' end end,
    case when failed and tier = 2 then jsonb_build_array(
        ATTEMPT || jsonb_build_object('tier', 1, 'state', 'failed', 'class', class, 'bytes', 0), ATTEMPT || jsonb_build_object('tier', 2, 'state', 'finished'))
      when failed then jsonb_build_array(ATTEMPT || jsonb_build_object('tier', 1, 'state', case when state = 'truncated' then 'truncated' else 'failed' end, 'class', class))
      when state = 'lost' then '[]'::jsonb else jsonb_build_array(ATTEMPT || jsonb_build_object('tier', tier)) end,
    case when tier is null then null else jsonb_build_object('prompt_tokens', 200 + h % 4000, 'completion_tokens', 50 + h % 900, 'total_tokens', 250, 'cached_tokens', case when i % 3 = 0 then h % 200 end,
      'cache_write_tokens', null, 'reasoning_tokens', case when i % 5 = 0 then h % 50 end) end,
    case when tier is null then null when i % 40 = 0 then 'estimate' else 'provider' end, '[]', case when tier is null or i % 70 = 0 then null else 30000 + h % 900000 end, 'bench',
    case when tier is null then null else 150 + h % 2500 end, 2000
  from (
    select i, h, at, key, (key + (h / 1000) % 2) % 8 as route,
      case when h % 1000 < 3 then 'lost' when h % 1000 < 13 then 'truncated' when h % 1000 < 28 then 'rejected' when h % 1000 < 36 then 'aborted' else 'finished' end as state,
      h % 1000 between 3 and 27 or h % 1000 >= 960 as failed,
      case when h % 1000 < 3 or h % 1000 between 13 and 27 then null when h % 1000 >= 960 then 2 else 1 end as tier,
      case when h % 200000 = 7 then 'quota' when h % 3 = 0 then 'stalled' when h % 3 = 1 then 'overloaded' else 'rate_limited' end as class
    from (
      select i, h, to_timestamp($3::float8 + i * $4::float8) as at, least(39, floor(40 * power((h / 3 % 10000) / 10000.0, 2.5)))::int as key
      from (select i, ('x' || substr(md5('row ' || i), 1, 7))::bit(28)::int as h from generate_series($1::bigint, $1::bigint + $2::bigint - 1) as i) numbered
    ) placed
  ) made`.replaceAll(
  'ATTEMPT',
  `'{"tier":1,"connection":"main","provider":"openai","model":"gpt-4o-mini","state":"finished","skip_reason":null,"class":null,"upstream_status":200,"message":null,"bytes":5312,"started_ms":0.4,"headers_ms":80.1,"first_content_ms":91.2,"duration_ms":803.7,"usage":null}'::jsonb`,
);
