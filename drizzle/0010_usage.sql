CREATE TABLE "export_chunks" (
	"workspace_id" text NOT NULL,
	"export_id" text NOT NULL,
	"seq" integer NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "export_chunks_pkey" PRIMARY KEY("export_id","seq")
);
--> statement-breakpoint
CREATE TABLE "exports" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"format" text NOT NULL,
	"filter" jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"rows" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"capped" boolean DEFAULT false NOT NULL,
	"cursor" text,
	"error" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"seen_at" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "usage_latencies" (
	"workspace_id" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"bucket" smallint NOT NULL,
	"calls" integer NOT NULL,
	CONSTRAINT "usage_latencies_pkey" PRIMARY KEY("workspace_id","hour","bucket")
);
--> statement-breakpoint
CREATE TABLE "usage_rollups" (
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
	CONSTRAINT "usage_rollups_pkey" PRIMARY KEY("workspace_id","hour","key_id","route","connection_id","provider","model","surface","tag")
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "tag" text;--> statement-breakpoint
ALTER TABLE "export_chunks" ADD CONSTRAINT "export_chunks_export_id_exports_id_fk" FOREIGN KEY ("export_id") REFERENCES "public"."exports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exports_workspace_id_created_at_idx" ON "exports" USING btree ("workspace_id","created_at");--> statement-breakpoint
CREATE INDEX "exports_state_idx" ON "exports" USING btree ("state","seen_at");--> statement-breakpoint
CREATE INDEX "usage_rollups_untagged_idx" ON "usage_rollups" USING btree ("workspace_id","hour") WHERE "usage_rollups"."tag" = '';--> statement-breakpoint
CREATE INDEX "usage_rollups_tagged_idx" ON "usage_rollups" USING btree ("workspace_id","tag","hour") WHERE "usage_rollups"."tag" <> '';--> statement-breakpoint
CREATE INDEX "calls_failed_idx" ON "calls" USING btree ("workspace_id","created_at","id") WHERE "calls"."alert_class" is not null;--> statement-breakpoint
CREATE INDEX "calls_tag_idx" ON "calls" USING btree ("workspace_id","tag","created_at","id") WHERE "calls"."tag" is not null;--> statement-breakpoint
-- The ledger's hourly sums. Hand-written, in the manner of 0003_ledger.sql.

ALTER TABLE usage_rollups ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage_rollups FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON usage_rollups TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_all ON usage_rollups TO ohm_definer USING (true) WITH CHECK (true);
GRANT SELECT ON usage_rollups TO ohm_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON usage_rollups TO ohm_definer;

ALTER TABLE usage_latencies ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage_latencies FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON usage_latencies TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_all ON usage_latencies TO ohm_definer USING (true) WITH CHECK (true);
GRANT SELECT ON usage_latencies TO ohm_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON usage_latencies TO ohm_definer;

-- The same rows are updated by every batch: room on their pages keeps each new version beside the old one.
ALTER TABLE usage_rollups SET (fillfactor = 60);
ALTER TABLE usage_latencies SET (fillfactor = 60);

-- What one call adds to each sum. The one place that says so: the triggers, the rebuilding and the reading of hours
-- that a time zone splits all go by it. Its columns are the integer columns of usage_rollups, by name.
CREATE FUNCTION ohm_call_measures(
  p_state text, p_stream boolean, p_tier integer, p_replay text, p_attempts jsonb, p_usage jsonb, p_usage_source text, p_cost bigint)
RETURNS TABLE (
  calls integer, finished integer, truncated integer, rejected integer, aborted integer, lost integer,
  streams integer, streams_committed integer, streams_truncated integer, tier_failed integer, failovers integer,
  replay_hit integer, replay_miss integer, replay_bypass integer,
  usage_provider integer, usage_estimate integer, priced integer, unpriced integer,
  told_cached integer, told_cache_write integer, told_reasoning integer,
  prompt_tokens bigint, cached_tokens bigint, cache_write_tokens bigint, completion_tokens bigint, reasoning_tokens bigint,
  estimate_prompt_tokens bigint, estimate_completion_tokens bigint, cost_nano_usd bigint,
  failed_attempts_metered integer, failed_prompt_tokens bigint, failed_completion_tokens bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT 1, (p_state = 'finished')::integer, (p_state = 'truncated')::integer, (p_state = 'rejected')::integer,
    (p_state = 'aborted')::integer, (p_state = 'lost')::integer,
    coalesce(p_stream, false)::integer, (coalesce(p_stream, false) AND p_tier IS NOT NULL)::integer,
    (coalesce(p_stream, false) AND p_state = 'truncated')::integer,
    failed.elsewhere::integer, (failed.elsewhere AND p_tier IS NOT NULL)::integer,
    (p_replay IS NOT DISTINCT FROM 'HIT')::integer, (p_replay IS NOT DISTINCT FROM 'MISS')::integer, (p_replay IS NOT DISTINCT FROM 'BYPASS')::integer,
    (p_usage_source IS NOT DISTINCT FROM 'provider')::integer, (p_usage_source IS NOT DISTINCT FROM 'estimate')::integer,
    (p_cost IS NOT NULL)::integer, (p_cost IS NULL AND used.told)::integer,
    (used.cached IS NOT NULL)::integer, (used.cache_write IS NOT NULL)::integer, (used.reasoning IS NOT NULL)::integer,
    coalesce(used.prompt, 0), coalesce(used.cached, 0), coalesce(used.cache_write, 0), coalesce(used.completion, 0), coalesce(used.reasoning, 0),
    CASE WHEN p_usage_source = 'estimate' THEN coalesce(used.prompt, 0) ELSE 0 END,
    CASE WHEN p_usage_source = 'estimate' THEN coalesce(used.completion, 0) ELSE 0 END,
    coalesce(p_cost, 0),
    failed.metered, failed.prompt, failed.completion
  FROM (
    SELECT jsonb_typeof(p_usage) = 'object' IS TRUE AS told, (p_usage ->> 'prompt_tokens')::bigint AS prompt, (p_usage ->> 'cached_tokens')::bigint AS cached,
      (p_usage ->> 'cache_write_tokens')::bigint AS cache_write, (p_usage ->> 'completion_tokens')::bigint AS completion,
      (p_usage ->> 'reasoning_tokens')::bigint AS reasoning
  ) AS used
  CROSS JOIN LATERAL (
    SELECT coalesce(bool_or((a ->> 'tier')::integer IS DISTINCT FROM p_tier), false) AS elsewhere,
      (count(*) FILTER (WHERE jsonb_typeof(a -> 'usage') = 'object'))::integer AS metered,
      coalesce(sum((a -> 'usage' ->> 'prompt_tokens')::bigint), 0)::bigint AS prompt,
      coalesce(sum((a -> 'usage' ->> 'completion_tokens')::bigint), 0)::bigint AS completion
    FROM jsonb_array_elements(p_attempts) AS a WHERE a ->> 'state' = 'failed'
  ) AS failed;
END;

-- Bucket of usage_latencies.
CREATE FUNCTION ohm_latency_bucket(p_ms double precision) RETURNS smallint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ceil(ln(greatest(p_ms, 0.001)) / ln(1.04::double precision))::smallint;

-- The statements that add calls to the sums, as text: `p_source` selects the calls, each with a `sign` (1 adds it,
-- -1 takes it away). Rows are touched in the order of their key, so that two transactions do not wait for each other
-- crosswise.
CREATE FUNCTION ohm_usage_statement(p_source text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format($statement$
    INSERT INTO public.usage_rollups AS u (workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag, %1$s)
    SELECT c.workspace_id, date_bin('1 hour', c.created_at, timestamptz 'epoch') AS hour,
      d.key_id, d.route, d.connection_id, d.provider, d.model, d.surface, d.tag, %2$s
    FROM (%3$s) AS c
    CROSS JOIN LATERAL public.ohm_call_measures(c.state, c.stream, c.tier, c.replay, c.attempts, c.usage, c.usage_source, c.cost_nano_usd) AS m
    CROSS JOIN LATERAL (
      SELECT c.key_id, coalesce(c.route, ''), coalesce(c.connection_id, ''), coalesce(c.provider, ''), coalesce(c.model, ''), c.surface, ''
      UNION ALL SELECT '', '', '', '', '', '', c.tag WHERE c.tag <> ''
    ) AS d (key_id, route, connection_id, provider, model, surface, tag)
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ON CONFLICT (workspace_id, hour, key_id, route, connection_id, provider, model, surface, tag) DO UPDATE SET %4$s
  $statement$,
    string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
    string_agg(format('sum(c.sign * m.%I)', a.attname), ', ' ORDER BY a.attnum),
    p_source,
    string_agg(format('%1$I = u.%1$I + excluded.%1$I', a.attname), ', ' ORDER BY a.attnum))
  FROM pg_attribute AS a
  WHERE a.attrelid = 'public.usage_rollups'::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid IN ('integer'::regtype, 'bigint'::regtype)
$$;

CREATE FUNCTION ohm_latency_statement(p_source text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format($statement$
    INSERT INTO public.usage_latencies AS u (workspace_id, hour, bucket, calls)
    SELECT c.workspace_id, date_bin('1 hour', c.created_at, timestamptz 'epoch'), public.ohm_latency_bucket(c.first_content_ms), sum(c.sign)
    FROM (%s) AS c WHERE c.first_content_ms IS NOT NULL
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (workspace_id, hour, bucket) DO UPDATE SET calls = u.calls + excluded.calls
  $statement$, p_source)
$$;

-- Every change of the ledger is a change of its sums, in the same transaction. The shared lock keeps a rebuilding
-- (which takes it alone) from seeing a row whose share is not in the sums yet, or the reverse.
CREATE FUNCTION ohm_usage_follow() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  source text;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM public.usage_rollups;
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
    DELETE FROM public.usage_latencies u USING (SELECT DISTINCT workspace_id, date_bin('1 hour', created_at, timestamptz 'epoch') AS hour FROM old_rows) t
    WHERE u.workspace_id = t.workspace_id AND u.hour = t.hour AND u.calls = 0;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER usage_of_new AFTER INSERT ON calls REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION ohm_usage_follow();
CREATE TRIGGER usage_of_changed AFTER UPDATE ON calls REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION ohm_usage_follow();
CREATE TRIGGER usage_of_removed AFTER DELETE ON calls REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION ohm_usage_follow();
CREATE TRIGGER usage_of_none AFTER TRUNCATE ON calls
  FOR EACH STATEMENT EXECUTE FUNCTION ohm_usage_follow();

-- Makes the sums of the hours in [p_from, p_to) anew from the rows, of all workspaces; null: without a bound. Whole
-- hours; the caller goes through a long time in pieces, since ledger rows wait meanwhile. Tells how many calls it counted.
CREATE FUNCTION ohm_usage_rebuild(p_from timestamptz, p_to timestamptz) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  first CONSTANT timestamptz := coalesce(p_from, '-infinity');
  beyond CONSTANT timestamptz := coalesce(p_to, 'infinity');
  source CONSTANT text := format('SELECT 1 AS sign, * FROM public.calls WHERE created_at >= %L::timestamptz AND created_at < %L::timestamptz', first, beyond);
  counted bigint;
BEGIN
  IF p_from <> date_bin('1 hour', p_from, timestamptz 'epoch') OR p_to <> date_bin('1 hour', p_to, timestamptz 'epoch') THEN
    RAISE EXCEPTION 'only whole hours can be rebuilt' USING ERRCODE = '22023';
  END IF;
  PERFORM pg_advisory_xact_lock(7241010);
  DELETE FROM public.usage_rollups WHERE hour >= first AND hour < beyond;
  DELETE FROM public.usage_latencies WHERE hour >= first AND hour < beyond;
  EXECUTE public.ohm_usage_statement(source);
  EXECUTE public.ohm_latency_statement(source);
  SELECT coalesce(sum(calls), 0) INTO counted FROM public.usage_rollups WHERE hour >= first AND hour < beyond AND tag = '';
  RETURN counted;
END
$$;

-- Rows come in by the columns that the table has: a journal that knows a member more or fewer than this database
-- drains all the same. A `lost` that another process concluded too early gives way to the call's own end, never the
-- reverse. Sorted by id, so that two drains cannot deadlock.
CREATE POLICY definer_replace ON calls FOR DELETE TO ohm_definer USING (state = 'lost');

CREATE OR REPLACE FUNCTION ohm_ledger_drain(p_rows jsonb, p_corrections jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM public.calls c USING jsonb_to_recordset(p_rows) AS r(id text, workspace_id text, state text)
  WHERE c.id = r.id AND c.workspace_id = r.workspace_id AND c.state = 'lost' AND r.state <> 'lost';

  INSERT INTO public.calls
  SELECT DISTINCT ON (r.id) r.* FROM jsonb_populate_recordset(NULL::public.calls, p_rows) AS r
  ORDER BY r.id, (r.state = 'lost')
  ON CONFLICT (id) DO NOTHING;

  IF EXISTS (SELECT FROM public.open_calls) THEN
    DELETE FROM public.open_calls o USING jsonb_to_recordset(p_rows) AS r(id text) WHERE o.id = r.id;
  END IF;

  IF jsonb_array_length(p_corrections) > 0 THEN
    UPDATE public.calls c SET state = r.state, flushed_bytes = r.flushed_bytes
    FROM jsonb_to_recordset(p_corrections) AS r(id text, state text, flushed_bytes bigint)
    WHERE c.id = r.id;
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION ohm_ledger_close_lost(p_silence interval)
RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  closed integer;
BEGIN
  WITH gone AS (
    DELETE FROM public.open_calls o
    WHERE o.admitted_at < now() - p_silence
      AND NOT EXISTS (SELECT FROM public.ledger_instances i WHERE i.id = o.instance_id AND i.seen_at >= now() - p_silence)
    RETURNING o.admitted
  )
  INSERT INTO public.calls
  SELECT r.* FROM gone, jsonb_populate_record(NULL::public.calls,
    gone.admitted || jsonb_build_object('finished_at', now(), 'state', 'lost', 'attempts', '[]'::jsonb, 'usage_estimated', '[]'::jsonb)) AS r
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS closed = ROW_COUNT;

  DELETE FROM public.ledger_instances i
  WHERE i.seen_at < now() - p_silence - interval '1 day'
    AND NOT EXISTS (SELECT FROM public.open_calls o WHERE o.instance_id = i.id);
  RETURN closed;
END
$$;

-- The public figures from the sums: the hours that began in [p_from, p_to). Percentiles are within 2 %.
CREATE OR REPLACE FUNCTION ohm_public_figures(p_from timestamptz, p_to timestamptz)
RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  contributors integer;
  from_probes boolean;
  figures jsonb;
BEGIN
  SELECT count(DISTINCT u.workspace_id) INTO contributors
  FROM public.usage_rollups u JOIN public.workspaces w ON w.id = u.workspace_id AND NOT w.is_system
  WHERE u.hour >= p_from AND u.hour < p_to AND u.tag = '';
  from_probes := contributors < 20;

  SELECT jsonb_build_object(
    'source', CASE WHEN from_probes THEN 'probes' ELSE 'workspaces' END,
    'calls', coalesce(sum(u.calls), 0),
    'finished', coalesce(sum(u.finished), 0),
    'truncated', coalesce(sum(u.truncated), 0),
    'rejected', coalesce(sum(u.rejected), 0),
    'aborted', coalesce(sum(u.aborted), 0),
    'lost', coalesce(sum(u.lost), 0),
    'streams_committed', coalesce(sum(u.streams_committed), 0),
    'streams_truncated', coalesce(sum(u.streams_truncated), 0),
    'first_tier_failed', coalesce(sum(u.tier_failed), 0),
    'rescued', coalesce(sum(u.failovers), 0),
    'usage_provider', coalesce(sum(u.usage_provider), 0),
    'usage_estimate', coalesce(sum(u.usage_estimate), 0),
    'metered', coalesce(sum(u.usage_provider + u.usage_estimate), 0),
    'unpriced', coalesce(sum(u.unpriced), 0))
  INTO figures
  FROM public.usage_rollups u
  JOIN public.workspaces w ON w.id = u.workspace_id AND w.is_system = from_probes
  WHERE u.hour >= p_from AND u.hour < p_to AND u.tag = '';

  RETURN figures || (
    SELECT jsonb_build_object('first_content_n', coalesce(max(b.upto), 0),
      'first_content_p50_ms', min(b.ms) FILTER (WHERE b.upto >= 0.5 * b.n), 'first_content_p95_ms', min(b.ms) FILTER (WHERE b.upto >= 0.95 * b.n))
    FROM (
      SELECT 2 * power(1.04, l.bucket) / 2.04 AS ms, sum(sum(l.calls)) OVER (ORDER BY l.bucket) AS upto, sum(sum(l.calls)) OVER () AS n
      FROM public.usage_latencies l JOIN public.workspaces w ON w.id = l.workspace_id AND w.is_system = from_probes
      WHERE l.hour >= p_from AND l.hour < p_to
      GROUP BY l.bucket
    ) AS b);
END
$$;

REVOKE EXECUTE ON FUNCTION ohm_usage_rebuild(timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ohm_usage_rebuild(timestamptz, timestamptz) TO ohm_app;

GRANT CREATE ON SCHEMA public TO ohm_definer;
ALTER FUNCTION ohm_usage_rebuild(timestamptz, timestamptz) OWNER TO ohm_definer;
REVOKE CREATE ON SCHEMA public FROM ohm_definer;

-- What there is already. Whoever drains meanwhile waits for the migration.
SELECT ohm_usage_rebuild(NULL, NULL);

-- Exports of calls. Hand-written, in the manner of 0001_tenancy.sql: the application works inside one workspace; only
-- finding the next one to work on, and sweeping old ones, goes across them.

ALTER TABLE exports ENABLE ROW LEVEL SECURITY;
ALTER TABLE exports FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON exports TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_read ON exports FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_claim ON exports FOR UPDATE TO ohm_definer USING (true) WITH CHECK (true);
CREATE POLICY definer_sweep ON exports FOR DELETE TO ohm_definer USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON exports TO ohm_app;
GRANT SELECT, UPDATE, DELETE ON exports TO ohm_definer;

ALTER TABLE export_chunks ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_chunks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON export_chunks TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT, DELETE ON export_chunks TO ohm_app;

-- The text of calls hardly compresses twice; what is stored of it does.
ALTER TABLE export_chunks ALTER COLUMN data SET STORAGE EXTENDED;

-- Takes the oldest export that nobody works on: a queued one, or one whose process has been silent for p_silence. The
-- third process that dies over the same export is the last. Removes those that have been kept long enough.
CREATE FUNCTION ohm_export_claim(p_silence interval, p_keep interval)
RETURNS TABLE (id text, workspace_id text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM public.exports e WHERE e.created_at < now() - p_keep;
  UPDATE public.exports e SET state = 'failed', finished_at = now(), error = 'The process that wrote it ended, three times over.'
  WHERE e.state = 'running' AND e.seen_at < now() - p_silence AND e.tries >= 3;
  RETURN QUERY
  UPDATE public.exports e SET state = 'running', seen_at = now(), tries = e.tries + 1
  WHERE e.id = (
    SELECT q.id FROM public.exports q
    WHERE q.state = 'queued' OR (q.state = 'running' AND q.seen_at < now() - p_silence)
    ORDER BY q.created_at, q.id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING e.id, e.workspace_id;
END
$$;

REVOKE EXECUTE ON FUNCTION ohm_export_claim(interval, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ohm_export_claim(interval, interval) TO ohm_app;
GRANT CREATE ON SCHEMA public TO ohm_definer;
ALTER FUNCTION ohm_export_claim(interval, interval) OWNER TO ohm_definer;
REVOKE CREATE ON SCHEMA public FROM ohm_definer;
