-- Who may see and write the ledger. Hand-written, in the manner of 0001_tenancy.sql.
--
-- The application reads the calls of one workspace and writes none itself: rows come in through
-- ohm_ledger_drain, which takes those of every workspace at once.

ALTER TABLE calls ENABLE ROW LEVEL SECURITY;
ALTER TABLE calls FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON calls TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT ON calls TO ohm_app;

ALTER TABLE open_calls ENABLE ROW LEVEL SECURITY;
ALTER TABLE open_calls FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON open_calls TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT ON open_calls TO ohm_app;

CREATE POLICY definer_read ON calls FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_drain ON calls FOR INSERT TO ohm_definer WITH CHECK (true);
CREATE POLICY definer_correct ON calls FOR UPDATE TO ohm_definer USING (true) WITH CHECK (true);
CREATE POLICY definer_all ON open_calls TO ohm_definer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON calls TO ohm_definer;
GRANT SELECT, INSERT, DELETE ON open_calls TO ohm_definer;
GRANT SELECT, INSERT, UPDATE, DELETE ON ledger_instances TO ohm_definer;

-- Ended calls, as the journal holds them, and corrections [{"id", "state", "flushed_bytes"}]. Idempotent: the
-- same rows may come any number of times, from several processes. A call's own end replaces a `lost` that
-- another process concluded too early, never the reverse. Sorted by id, so that two drains cannot deadlock.
CREATE FUNCTION ohm_ledger_drain(p_rows jsonb, p_corrections jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO public.calls (
    id, workspace_id, key_id, created_at, route, requested_model, surface, stream, "commit", request_bytes,
    finished_at, state, replay, status, error_code, tier, connection_id, provider, model, model_reported,
    flushed_bytes, malformed_events, finish_reason, alert_class, attempts, usage, usage_source, usage_estimated,
    cost_nano_usd, price_version, first_content_ms, duration_ms)
  SELECT DISTINCT ON (r.id)
    r.id, r.workspace_id, r.key_id, r.created_at, r.route, r.requested_model, r.surface, r.stream, r."commit",
    r.request_bytes, r.finished_at, r.state, r.replay, r.status, r.error_code, r.tier, r.connection_id, r.provider,
    r.model, r.model_reported, r.flushed_bytes, r.malformed_events, r.finish_reason, r.alert_class, r.attempts,
    r.usage, r.usage_source, r.usage_estimated, r.cost_nano_usd, r.price_version, r.first_content_ms, r.duration_ms
  FROM jsonb_to_recordset(p_rows) AS r(
    id text, workspace_id text, key_id text, created_at timestamptz, route text, requested_model text,
    surface text, stream boolean, "commit" text, request_bytes bigint, finished_at timestamptz, state text,
    replay text, status integer, error_code text, tier integer, connection_id text, provider text, model text,
    model_reported text, flushed_bytes bigint, malformed_events integer, finish_reason text, alert_class text,
    attempts jsonb, usage jsonb, usage_source text, usage_estimated jsonb, cost_nano_usd bigint,
    price_version text, first_content_ms double precision, duration_ms double precision)
  ORDER BY r.id, (r.state = 'lost')
  ON CONFLICT (id) DO UPDATE SET
    key_id = excluded.key_id, created_at = excluded.created_at, route = excluded.route,
    requested_model = excluded.requested_model, surface = excluded.surface, stream = excluded.stream,
    "commit" = excluded."commit", request_bytes = excluded.request_bytes, finished_at = excluded.finished_at,
    state = excluded.state, replay = excluded.replay, status = excluded.status, error_code = excluded.error_code,
    tier = excluded.tier, connection_id = excluded.connection_id, provider = excluded.provider,
    model = excluded.model, model_reported = excluded.model_reported, flushed_bytes = excluded.flushed_bytes,
    malformed_events = excluded.malformed_events, finish_reason = excluded.finish_reason,
    alert_class = excluded.alert_class, attempts = excluded.attempts, usage = excluded.usage,
    usage_source = excluded.usage_source, usage_estimated = excluded.usage_estimated,
    cost_nano_usd = excluded.cost_nano_usd, price_version = excluded.price_version,
    first_content_ms = excluded.first_content_ms, duration_ms = excluded.duration_ms
  WHERE calls.state = 'lost' AND excluded.state <> 'lost' AND calls.workspace_id = excluded.workspace_id;

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

-- Calls that are about to contact an upstream, of a process without a journal folder, and its sign of life.
-- With an empty array: the sign of life alone.
CREATE FUNCTION ohm_ledger_admit(p_instance text, p_rows jsonb)
RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO public.ledger_instances (id) VALUES (p_instance) ON CONFLICT (id) DO UPDATE SET seen_at = now();
  INSERT INTO public.open_calls (id, workspace_id, instance_id, admitted)
  SELECT r ->> 'id', r ->> 'workspace_id', p_instance, r FROM jsonb_array_elements(p_rows) AS r
  ON CONFLICT (id) DO NOTHING;
$$;

-- Closes the open calls of processes that have been silent for p_silence as `lost`; tells how many.
CREATE FUNCTION ohm_ledger_close_lost(p_silence interval)
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
  INSERT INTO public.calls (
    id, workspace_id, key_id, created_at, route, requested_model, surface, stream, "commit", request_bytes,
    finished_at, state, attempts, usage_estimated)
  SELECT r.id, r.workspace_id, r.key_id, r.created_at, r.route, r.requested_model, r.surface, r.stream, r."commit",
    r.request_bytes, now(), 'lost', '[]', '[]'
  FROM gone, jsonb_to_record(gone.admitted) AS r(id text, workspace_id text, key_id text, created_at timestamptz, route text,
    requested_model text, surface text, stream boolean, "commit" text, request_bytes bigint)
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS closed = ROW_COUNT;

  DELETE FROM public.ledger_instances i
  WHERE i.seen_at < now() - p_silence - interval '1 day'
    AND NOT EXISTS (SELECT FROM public.open_calls o WHERE o.instance_id = i.id);
  RETURN closed;
END
$$;

-- What the public figures are made of, over a window: counts and percentiles, no row and no name. From the calls
-- of customers once at least 20 workspaces have made one in the window, else from the product's own probes.
CREATE FUNCTION ohm_public_figures(p_from timestamptz, p_to timestamptz)
RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  contributors integer;
  from_probes boolean;
  figures jsonb;
BEGIN
  SELECT count(DISTINCT c.workspace_id) INTO contributors
  FROM public.calls c JOIN public.workspaces w ON w.id = c.workspace_id AND NOT w.is_system
  WHERE c.created_at >= p_from AND c.created_at < p_to;
  from_probes := contributors < 20;

  SELECT jsonb_build_object(
    'source', CASE WHEN from_probes THEN 'probes' ELSE 'workspaces' END,
    'calls', count(*),
    'finished', count(*) FILTER (WHERE c.state = 'finished'),
    'truncated', count(*) FILTER (WHERE c.state = 'truncated'),
    'rejected', count(*) FILTER (WHERE c.state = 'rejected'),
    'aborted', count(*) FILTER (WHERE c.state = 'aborted'),
    'lost', count(*) FILTER (WHERE c.state = 'lost'),
    'streams_committed', count(*) FILTER (WHERE c.stream AND c.tier IS NOT NULL),
    'streams_truncated', count(*) FILTER (WHERE c.stream AND c.state = 'truncated'),
    'first_tier_failed', count(*) FILTER (WHERE f.failed),
    'rescued', count(*) FILTER (WHERE f.failed AND c.tier IS NOT NULL),
    'usage_provider', count(*) FILTER (WHERE c.usage_source = 'provider'),
    'usage_estimate', count(*) FILTER (WHERE c.usage_source = 'estimate'),
    'metered', count(*) FILTER (WHERE c.usage IS NOT NULL),
    'unpriced', count(*) FILTER (WHERE c.usage IS NOT NULL AND c.cost_nano_usd IS NULL),
    'first_content_n', count(c.first_content_ms),
    'first_content_p50_ms', percentile_cont(0.5) WITHIN GROUP (ORDER BY c.first_content_ms),
    'first_content_p95_ms', percentile_cont(0.95) WITHIN GROUP (ORDER BY c.first_content_ms))
  INTO figures
  FROM public.calls c
  JOIN public.workspaces w ON w.id = c.workspace_id AND w.is_system = from_probes
  CROSS JOIN LATERAL (
    SELECT coalesce(bool_or((a ->> 'tier')::integer IS DISTINCT FROM c.tier), false) AS failed
    FROM jsonb_array_elements(c.attempts) AS a WHERE a ->> 'state' = 'failed'
  ) AS f
  WHERE c.created_at >= p_from AND c.created_at < p_to;
  RETURN figures;
END
$$;

REVOKE EXECUTE ON FUNCTION ohm_ledger_drain(jsonb, jsonb), ohm_ledger_admit(text, jsonb), ohm_ledger_close_lost(interval),
  ohm_public_figures(timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ohm_ledger_drain(jsonb, jsonb), ohm_ledger_admit(text, jsonb), ohm_ledger_close_lost(interval),
  ohm_public_figures(timestamptz, timestamptz) TO ohm_app;

GRANT CREATE ON SCHEMA public TO ohm_definer;
ALTER FUNCTION ohm_ledger_drain(jsonb, jsonb) OWNER TO ohm_definer;
ALTER FUNCTION ohm_ledger_admit(text, jsonb) OWNER TO ohm_definer;
ALTER FUNCTION ohm_ledger_close_lost(interval) OWNER TO ohm_definer;
ALTER FUNCTION ohm_public_figures(timestamptz, timestamptz) OWNER TO ohm_definer;
REVOKE CREATE ON SCHEMA public FROM ohm_definer;
