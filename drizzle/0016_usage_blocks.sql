CREATE TABLE "usage_blocks" (
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
	CONSTRAINT "usage_blocks_pkey" PRIMARY KEY("workspace_id","hour","key_id","route","connection_id","provider","model","surface","tag")
);
--> statement-breakpoint
DROP INDEX "usage_rollups_tagged_idx";--> statement-breakpoint
CREATE INDEX "usage_blocks_untagged_idx" ON "usage_blocks" USING btree ("workspace_id","hour") WHERE "usage_blocks"."tag" = '';--> statement-breakpoint
CREATE INDEX "usage_blocks_tagged_idx" ON "usage_blocks" USING btree ("workspace_id","hour","tag") WHERE "usage_blocks"."tag" <> '';--> statement-breakpoint
CREATE INDEX "usage_rollups_tagged_idx" ON "usage_rollups" USING btree ("workspace_id","hour","tag") WHERE "usage_rollups"."tag" <> '';--> statement-breakpoint
-- The sums by blocks of four hours, beside those by hours. Hand-written, after 0010_usage.sql, whose functions the
-- ones below replace.
ALTER TABLE usage_blocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage_blocks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON usage_blocks TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_all ON usage_blocks TO ohm_definer USING (true) WITH CHECK (true);
GRANT SELECT ON usage_blocks TO ohm_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON usage_blocks TO ohm_definer;
ALTER TABLE usage_blocks SET (fillfactor = 60);

-- One statement makes both: the hours are summed once, and the blocks from them.
CREATE OR REPLACE FUNCTION ohm_usage_statement(p_source text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format($statement$
    WITH hourly AS (
      SELECT c.workspace_id, date_bin('1 hour', c.created_at, timestamptz 'epoch') AS hour,
        d.key_id, d.route, d.connection_id, d.provider, d.model, d.surface, d.tag, %2$s
      FROM (%3$s) AS c
      CROSS JOIN LATERAL public.ohm_call_measures(c.state, c.stream, c.tier, c.replay, c.attempts, c.usage, c.usage_source, c.cost_nano_usd) AS m
      CROSS JOIN LATERAL (
        SELECT c.key_id, coalesce(c.route, ''), coalesce(c.connection_id, ''), coalesce(c.provider, ''), coalesce(c.model, ''), c.surface, ''
        UNION ALL SELECT '', '', '', '', '', '', c.tag WHERE c.tag <> ''
      ) AS d (key_id, route, connection_id, provider, model, surface, tag)
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ), blocks AS (
      INSERT INTO public.usage_blocks AS u (workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag, %1$s)
      SELECT h.workspace_id, date_bin('4 hours', h.hour, timestamptz 'epoch') AS hour, h.key_id, h.route, h.connection_id, h.provider, h.model, h.surface, h.tag, %5$s
      FROM hourly AS h
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
      ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9
      ON CONFLICT (workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag) DO UPDATE SET %4$s
    )
    INSERT INTO public.usage_rollups AS u (workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag, %1$s)
    SELECT workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag, %1$s FROM hourly
    ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ON CONFLICT (workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag) DO UPDATE SET %4$s
  $statement$,
    string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
    string_agg(format('sum(c.sign * m.%1$I) AS %1$I', a.attname), ', ' ORDER BY a.attnum),
    p_source,
    string_agg(format('%1$I = u.%1$I + excluded.%1$I', a.attname), ', ' ORDER BY a.attnum),
    string_agg(format('sum(h.%1$I) AS %1$I', a.attname), ', ' ORDER BY a.attnum))
  FROM pg_attribute AS a
  WHERE a.attrelid = 'public.usage_rollups'::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid IN ('integer'::regtype, 'bigint'::regtype)
$$;

CREATE OR REPLACE FUNCTION ohm_usage_follow() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  source text;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM public.usage_rollups;
    DELETE FROM public.usage_blocks;
    DELETE FROM public.usage_latencies;
    RETURN NULL;
  ELSIF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT FROM new_rows) THEN RETURN NULL; END IF;
    source := 'SELECT 1 AS sign, * FROM new_rows';
  ELSIF TG_OP = 'UPDATE' THEN
    IF NOT EXISTS (SELECT FROM old_rows) THEN RETURN NULL; END IF;
    source := 'SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows';
  ELSE
    IF NOT EXISTS (SELECT FROM old_rows) THEN RETURN NULL; END IF;
    source := 'SELECT -1 AS sign, * FROM old_rows';
  END IF;
  PERFORM pg_advisory_xact_lock_shared(7241010);
  EXECUTE public.ohm_usage_statement(source);
  EXECUTE public.ohm_latency_statement(source);
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM public.usage_rollups u USING (SELECT DISTINCT workspace_id, date_bin('1 hour', created_at, timestamptz 'epoch') AS hour FROM old_rows) t
    WHERE u.workspace_id = t.workspace_id AND u.hour = t.hour AND u.calls = 0;
    DELETE FROM public.usage_blocks u USING (SELECT DISTINCT workspace_id, date_bin('4 hours', created_at, timestamptz 'epoch') AS hour FROM old_rows) t
    WHERE u.workspace_id = t.workspace_id AND u.hour = t.hour AND u.calls = 0;
    DELETE FROM public.usage_latencies u USING (SELECT DISTINCT workspace_id, date_bin('1 hour', created_at, timestamptz 'epoch') AS hour FROM old_rows) t
    WHERE u.workspace_id = t.workspace_id AND u.hour = t.hour AND u.calls = 0;
  END IF;
  RETURN NULL;
END
$$;

-- As before, in whole blocks.
CREATE OR REPLACE FUNCTION ohm_usage_rebuild(p_from timestamptz, p_to timestamptz) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  first CONSTANT timestamptz := coalesce(p_from, '-infinity');
  beyond CONSTANT timestamptz := coalesce(p_to, 'infinity');
  source CONSTANT text := format('SELECT 1 AS sign, * FROM public.calls WHERE created_at >= %L::timestamptz AND created_at < %L::timestamptz', first, beyond);
  counted bigint;
BEGIN
  IF p_from <> date_bin('4 hours', p_from, timestamptz 'epoch') OR p_to <> date_bin('4 hours', p_to, timestamptz 'epoch') THEN
    RAISE EXCEPTION 'only whole blocks of four hours can be rebuilt' USING ERRCODE = '22023';
  END IF;
  PERFORM pg_advisory_xact_lock(7241010);
  DELETE FROM public.usage_rollups WHERE hour >= first AND hour < beyond;
  DELETE FROM public.usage_blocks WHERE hour >= first AND hour < beyond;
  DELETE FROM public.usage_latencies WHERE hour >= first AND hour < beyond;
  EXECUTE public.ohm_usage_statement(source);
  EXECUTE public.ohm_latency_statement(source);
  SELECT coalesce(sum(calls), 0) INTO counted FROM public.usage_rollups WHERE hour >= first AND hour < beyond AND tag = '';
  RETURN counted;
END
$$;

SELECT ohm_usage_rebuild(NULL, NULL);
