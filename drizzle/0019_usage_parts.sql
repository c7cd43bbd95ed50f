CREATE TABLE "usage_groups" (
	"workspace_id" text NOT NULL,
	"kind" text NOT NULL,
	"hours" smallint NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"value" text NOT NULL,
	"provider" text NOT NULL,
	"calls" integer NOT NULL,
	"finished" integer NOT NULL,
	"truncated" integer NOT NULL,
	"rejected" integer NOT NULL,
	"aborted" integer NOT NULL,
	"lost" integer NOT NULL,
	"streams" integer NOT NULL,
	"streams_committed" integer NOT NULL,
	"streams_truncated" integer NOT NULL,
	"tier_failed" integer NOT NULL,
	"failovers" integer NOT NULL,
	"replay_hit" integer NOT NULL,
	"replay_miss" integer NOT NULL,
	"replay_bypass" integer NOT NULL,
	"usage_provider" integer NOT NULL,
	"usage_estimate" integer NOT NULL,
	"priced" integer NOT NULL,
	"unpriced" integer NOT NULL,
	"told_cached" integer NOT NULL,
	"told_cache_write" integer NOT NULL,
	"told_reasoning" integer NOT NULL,
	"prompt_tokens" bigint NOT NULL,
	"cached_tokens" bigint NOT NULL,
	"cache_write_tokens" bigint NOT NULL,
	"completion_tokens" bigint NOT NULL,
	"reasoning_tokens" bigint NOT NULL,
	"estimate_prompt_tokens" bigint NOT NULL,
	"estimate_completion_tokens" bigint NOT NULL,
	"cost_nano_usd" bigint NOT NULL,
	"failed_attempts_metered" integer NOT NULL,
	"failed_prompt_tokens" bigint NOT NULL,
	"failed_completion_tokens" bigint NOT NULL,
	CONSTRAINT "usage_groups_pkey" PRIMARY KEY("workspace_id","kind","hours","hour","value","provider")
);
--> statement-breakpoint
CREATE TABLE "usage_parts" (
	"workspace_id" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"key_id" text DEFAULT '' NOT NULL,
	"route" text DEFAULT '' NOT NULL,
	"connection_id" text DEFAULT '' NOT NULL,
	"provider" text DEFAULT '' NOT NULL,
	"model" text DEFAULT '' NOT NULL,
	"surface" text DEFAULT '' NOT NULL,
	"tag" text DEFAULT '' NOT NULL,
	"calls" integer NOT NULL,
	"finished" integer NOT NULL,
	"truncated" integer NOT NULL,
	"rejected" integer NOT NULL,
	"aborted" integer NOT NULL,
	"lost" integer NOT NULL,
	"streams" integer NOT NULL,
	"streams_committed" integer NOT NULL,
	"streams_truncated" integer NOT NULL,
	"tier_failed" integer NOT NULL,
	"failovers" integer NOT NULL,
	"replay_hit" integer NOT NULL,
	"replay_miss" integer NOT NULL,
	"replay_bypass" integer NOT NULL,
	"usage_provider" integer NOT NULL,
	"usage_estimate" integer NOT NULL,
	"priced" integer NOT NULL,
	"unpriced" integer NOT NULL,
	"told_cached" integer NOT NULL,
	"told_cache_write" integer NOT NULL,
	"told_reasoning" integer NOT NULL,
	"prompt_tokens" bigint NOT NULL,
	"cached_tokens" bigint NOT NULL,
	"cache_write_tokens" bigint NOT NULL,
	"completion_tokens" bigint NOT NULL,
	"reasoning_tokens" bigint NOT NULL,
	"estimate_prompt_tokens" bigint NOT NULL,
	"estimate_completion_tokens" bigint NOT NULL,
	"cost_nano_usd" bigint NOT NULL,
	"failed_attempts_metered" integer NOT NULL,
	"failed_prompt_tokens" bigint NOT NULL,
	"failed_completion_tokens" bigint NOT NULL,
	CONSTRAINT "usage_parts_pkey" PRIMARY KEY("workspace_id","hour","key_id","route","connection_id","provider","model","surface","tag")
);
--> statement-breakpoint
DROP INDEX "usage_blocks_tagged_idx";--> statement-breakpoint
CREATE INDEX "usage_parts_untagged_idx" ON "usage_parts" USING btree ("workspace_id","hour") WHERE "usage_parts"."tag" = '';--> statement-breakpoint
CREATE INDEX "usage_parts_tagged_idx" ON "usage_parts" USING btree ("workspace_id","hour","tag") WHERE "usage_parts"."tag" <> '';--> statement-breakpoint
-- The sums by parts of hours, and those by one thing alone. Hand-written, after 0016_usage_blocks.sql, whose functions
-- the ones below replace.
ALTER TABLE usage_parts ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage_parts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON usage_parts TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_all ON usage_parts TO ohm_definer USING (true) WITH CHECK (true);
GRANT SELECT ON usage_parts TO ohm_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON usage_parts TO ohm_definer;
ALTER TABLE usage_parts SET (fillfactor = 60);

ALTER TABLE usage_groups ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage_groups FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON usage_groups TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_all ON usage_groups TO ohm_definer USING (true) WITH CHECK (true);
GRANT SELECT ON usage_groups TO ohm_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON usage_groups TO ohm_definer;
ALTER TABLE usage_groups SET (fillfactor = 60);

-- When the part of an hour began: on the hour, a quarter past, or half past, which lasts until the next hour. No zone's
-- midnight is at a quarter to.
CREATE FUNCTION ohm_part_of_hour(p_at timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN date_bin('30 minutes', p_at, timestamptz 'epoch') > date_bin('1 hour', p_at, timestamptz 'epoch')
  THEN date_bin('30 minutes', p_at, timestamptz 'epoch') ELSE date_bin('15 minutes', p_at, timestamptz 'epoch') END;

-- One statement makes them all: the calls are summed once by parts of hours, and everything longer from shorter ones.
CREATE OR REPLACE FUNCTION ohm_usage_statement(p_source text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format($statement$
    WITH parts AS MATERIALIZED (
      SELECT c.workspace_id, public.ohm_part_of_hour(c.created_at) AS hour,
        d.key_id, d.route, d.connection_id, d.provider, d.model, d.surface, d.tag, %2$s
      FROM (%3$s) AS c
      CROSS JOIN LATERAL public.ohm_call_measures(c.state, c.stream, c.tier, c.replay, c.attempts, c.usage, c.usage_source, c.cost_nano_usd) AS m
      CROSS JOIN LATERAL (
        SELECT c.key_id, coalesce(c.route, ''), coalesce(c.connection_id, ''), coalesce(c.provider, ''), coalesce(c.model, ''), c.surface, ''
        UNION ALL SELECT '', '', '', '', '', '', c.tag WHERE c.tag <> ''
      ) AS d (key_id, route, connection_id, provider, model, surface, tag)
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ), hourly AS MATERIALIZED (
      SELECT s.workspace_id, date_bin('1 hour', s.hour, timestamptz 'epoch') AS hour, s.key_id, s.route, s.connection_id, s.provider, s.model, s.surface, s.tag, %5$s
      FROM parts AS s
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ), blocks AS MATERIALIZED (
      SELECT s.workspace_id, date_bin('4 hours', s.hour, timestamptz 'epoch') AS hour, s.key_id, s.route, s.connection_id, s.provider, s.model, s.surface, s.tag, %5$s
      FROM hourly AS s
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ), groups AS MATERIALIZED (
      SELECT s.workspace_id, g.kind, 4::smallint AS hours, s.hour, g.value, g.provider, %5$s
      FROM blocks AS s CROSS JOIN LATERAL (
        SELECT k.* FROM (VALUES ('all', '', ''), ('key', s.key_id, ''), ('model', s.model, s.provider), ('route', s.route, ''), ('connection', s.connection_id, '')) AS k WHERE s.tag = ''
        UNION ALL SELECT k.* FROM (VALUES ('tagged', '', ''), ('tag', s.tag, '')) AS k WHERE s.tag <> ''
      ) AS g (kind, value, provider)
      GROUP BY 1, 2, 4, 5, 6
    ), in_parts AS (
      INSERT INTO public.usage_parts AS u (workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag, %1$s)
      SELECT workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag, %1$s FROM parts
      ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9
      ON CONFLICT (workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag) DO UPDATE SET %4$s
    ), in_blocks AS (
      INSERT INTO public.usage_blocks AS u (workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag, %1$s)
      SELECT workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag, %1$s FROM blocks WHERE tag = ''
      ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9
      ON CONFLICT (workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag) DO UPDATE SET %4$s
    ), in_groups AS (
      INSERT INTO public.usage_groups AS u (workspace_id, kind, hours, hour, value, provider, %1$s)
      SELECT workspace_id, kind, hours, hour, value, provider, %1$s FROM groups
      UNION ALL
      SELECT s.workspace_id, s.kind, 24, date_bin('1 day', s.hour, timestamptz 'epoch'), s.value, s.provider, %5$s FROM groups AS s GROUP BY 1, 2, 4, 5, 6
      UNION ALL
      SELECT s.workspace_id, CASE WHEN s.tag = '' THEN 'all' ELSE 'tagged' END, 1, s.hour, '', '', %5$s FROM hourly AS s GROUP BY 1, 2, 4
      UNION ALL
      SELECT s.workspace_id, CASE WHEN s.tag = '' THEN 'all' ELSE 'tagged' END, 0, s.hour, '', '', %5$s FROM parts AS s GROUP BY 1, 2, 4
      ORDER BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (workspace_id, kind, hours, hour, value, provider) DO UPDATE SET %4$s
    )
    INSERT INTO public.usage_rollups AS u (workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag, %1$s)
    SELECT workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag, %1$s FROM hourly
    ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ON CONFLICT (workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag) DO UPDATE SET %4$s
  $statement$,
    string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
    string_agg(format('sum(c.sign * m.%1$I)::bigint AS %1$I', a.attname), ', ' ORDER BY a.attnum),
    p_source,
    string_agg(format('%1$I = u.%1$I + excluded.%1$I', a.attname), ', ' ORDER BY a.attnum),
    string_agg(format('sum(s.%1$I)::bigint AS %1$I', a.attname), ', ' ORDER BY a.attnum))
  FROM pg_attribute AS a
  WHERE a.attrelid = 'public.usage_rollups'::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid IN ('integer'::regtype, 'bigint'::regtype)
$$;

-- The statements stand in the function as they are, so that a session plans them once and not for every batch. To be
-- made again by whoever changes the measures.
CREATE FUNCTION ohm_usage_write_follow() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $make$
BEGIN
  EXECUTE format($function$
    CREATE OR REPLACE FUNCTION public.ohm_usage_follow() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
    AS $follow$
    BEGIN
      IF TG_OP = 'TRUNCATE' THEN
        DELETE FROM public.usage_rollups;
        DELETE FROM public.usage_blocks;
        DELETE FROM public.usage_parts;
        DELETE FROM public.usage_groups;
        DELETE FROM public.usage_latencies;
        RETURN NULL;
      END IF;
      IF TG_OP = 'INSERT' THEN
        IF NOT EXISTS (SELECT FROM new_rows) THEN RETURN NULL; END IF;
        PERFORM pg_advisory_xact_lock_shared(7241010);
        %1$s;
        %2$s;
        RETURN NULL;
      END IF;
      IF NOT EXISTS (SELECT FROM old_rows) THEN RETURN NULL; END IF;
      PERFORM pg_advisory_xact_lock_shared(7241010);
      IF TG_OP = 'UPDATE' THEN
        %3$s;
        %4$s;
      ELSE
        %5$s;
        %6$s;
      END IF;
      DELETE FROM public.usage_rollups u USING (SELECT DISTINCT workspace_id, date_bin('1 hour', created_at, timestamptz 'epoch') AS hour FROM old_rows) t
      WHERE u.workspace_id = t.workspace_id AND u.hour = t.hour AND u.calls = 0;
      DELETE FROM public.usage_blocks u USING (SELECT DISTINCT workspace_id, date_bin('4 hours', created_at, timestamptz 'epoch') AS hour FROM old_rows) t
      WHERE u.workspace_id = t.workspace_id AND u.hour = t.hour AND u.calls = 0;
      DELETE FROM public.usage_parts u USING (SELECT DISTINCT workspace_id, public.ohm_part_of_hour(created_at) AS hour FROM old_rows) t
      WHERE u.workspace_id = t.workspace_id AND u.hour = t.hour AND u.calls = 0;
      DELETE FROM public.usage_groups u USING (
        SELECT DISTINCT o.workspace_id, k.kind, l.hours, l.hour FROM old_rows o
        CROSS JOIN LATERAL (VALUES (24, date_bin('1 day', o.created_at, timestamptz 'epoch')), (4, date_bin('4 hours', o.created_at, timestamptz 'epoch')),
          (1, date_bin('1 hour', o.created_at, timestamptz 'epoch')), (0, public.ohm_part_of_hour(o.created_at))) AS l (hours, hour)
        CROSS JOIN (VALUES ('all'), ('tagged'), ('key'), ('model'), ('route'), ('connection'), ('tag')) AS k (kind)) t
      WHERE u.workspace_id = t.workspace_id AND u.kind = t.kind AND u.hours = t.hours AND u.hour = t.hour AND u.calls = 0;
      DELETE FROM public.usage_latencies u USING (SELECT DISTINCT workspace_id, date_bin('1 hour', created_at, timestamptz 'epoch') AS hour FROM old_rows) t
      WHERE u.workspace_id = t.workspace_id AND u.hour = t.hour AND u.calls = 0;
      RETURN NULL;
    END
    $follow$
  $function$,
    public.ohm_usage_statement('SELECT 1 AS sign, * FROM new_rows'), public.ohm_latency_statement('SELECT 1 AS sign, * FROM new_rows'),
    public.ohm_usage_statement('SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows'), public.ohm_latency_statement('SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows'),
    public.ohm_usage_statement('SELECT -1 AS sign, * FROM old_rows'), public.ohm_latency_statement('SELECT -1 AS sign, * FROM old_rows'));
END
$make$;

SELECT ohm_usage_write_follow();

-- As before, in whole days.
CREATE OR REPLACE FUNCTION ohm_usage_rebuild(p_from timestamptz, p_to timestamptz) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  first CONSTANT timestamptz := coalesce(p_from, '-infinity');
  beyond CONSTANT timestamptz := coalesce(p_to, 'infinity');
  source CONSTANT text := format('SELECT 1 AS sign, * FROM public.calls WHERE created_at >= %L::timestamptz AND created_at < %L::timestamptz', first, beyond);
  counted bigint;
BEGIN
  IF p_from <> date_bin('1 day', p_from, timestamptz 'epoch') OR p_to <> date_bin('1 day', p_to, timestamptz 'epoch') THEN
    RAISE EXCEPTION 'only whole days of UTC can be rebuilt' USING ERRCODE = '22023';
  END IF;
  PERFORM pg_advisory_xact_lock(7241010);
  DELETE FROM public.usage_rollups WHERE hour >= first AND hour < beyond;
  DELETE FROM public.usage_blocks WHERE hour >= first AND hour < beyond;
  DELETE FROM public.usage_parts WHERE hour >= first AND hour < beyond;
  DELETE FROM public.usage_groups WHERE hour >= first AND hour < beyond;
  DELETE FROM public.usage_latencies WHERE hour >= first AND hour < beyond;
  EXECUTE public.ohm_usage_statement(source);
  EXECUTE public.ohm_latency_statement(source);
  SELECT coalesce(sum(calls), 0) INTO counted FROM public.usage_rollups WHERE hour >= first AND hour < beyond AND tag = '';
  RETURN counted;
END
$$;

SELECT ohm_usage_rebuild(NULL, NULL);
