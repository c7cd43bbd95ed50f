-- A call that came through an edge may have been taken by two control planes, one after the other, under one id. Its one
-- row is that of the plane that the client was answered from: whatever only tells that another plane might have done
-- better gives way, in whichever order the two come in. Hand-written, in the manner of 0010_usage.sql.

-- 0: a process died over the call. 1: it was refused for reasons of the gateway's own before any tier was asked, or its
-- client was gone before it got anything, and nobody paid. 2: it was answered.
CREATE FUNCTION ohm_call_rank(p_state text, p_status integer, p_attempts jsonb, p_flushed bigint, p_cost bigint) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN p_state = 'lost' THEN 0
  WHEN p_state = 'rejected' AND p_status >= 500 AND p_attempts = '[]' THEN 1
  WHEN p_state = 'aborted' AND coalesce(p_flushed, 0) = 0 AND coalesce(p_cost, 0) = 0 THEN 1
  ELSE 2
END;

DROP POLICY definer_replace ON calls;
CREATE POLICY definer_replace ON calls FOR DELETE TO ohm_definer USING (state IN ('lost', 'rejected', 'aborted'));

-- As in 0013_savings.sql, and by rank.
CREATE OR REPLACE FUNCTION ohm_ledger_drain(p_rows jsonb, p_corrections jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM public.calls c
  USING jsonb_to_recordset(p_rows) AS r(id text, workspace_id text, state text, status integer, attempts jsonb, flushed_bytes bigint, cost_nano_usd bigint)
  WHERE c.id = r.id AND c.workspace_id = r.workspace_id AND c.state IN ('lost', 'rejected', 'aborted')
    AND public.ohm_call_rank(c.state, c.status, c.attempts, c.flushed_bytes, c.cost_nano_usd)
      < public.ohm_call_rank(r.state, r.status, r.attempts, r.flushed_bytes, r.cost_nano_usd);

  INSERT INTO public.calls
  SELECT DISTINCT ON (r.id) r.* FROM jsonb_populate_recordset(NULL::public.calls, p_rows) AS r
  ORDER BY r.id, public.ohm_call_rank(r.state, r.status, r.attempts, r.flushed_bytes, r.cost_nano_usd) DESC
  ON CONFLICT (id) DO NOTHING;

  IF EXISTS (SELECT FROM public.open_calls) THEN
    DELETE FROM public.open_calls o USING jsonb_to_recordset(p_rows) AS r(id text) WHERE o.id = r.id;
  END IF;

  IF jsonb_array_length(p_corrections) > 0 THEN
    UPDATE public.calls c SET state = r.state, flushed_bytes = r.flushed_bytes
    FROM jsonb_to_recordset(p_corrections) AS r(id text, state text, flushed_bytes bigint)
    WHERE c.id = r.id AND r.state IS NOT NULL;

    UPDATE public.calls c SET tokens_before = r.tokens_before, tokens_after = r.tokens_after, tokenizer = r.tokenizer, savers = coalesce(r.savers, c.savers)
    FROM jsonb_to_recordset(p_corrections) AS r(id text, tokens_before integer, tokens_after integer, tokenizer text, savers jsonb)
    WHERE c.id = r.id AND r.tokenizer IS NOT NULL;
  END IF;
END
$$;

-- As in 0009_limits.sql, and what the same call holds already does not count against it: the plane that held it for the
-- call before may be gone.
CREATE OR REPLACE FUNCTION ohm_budget_hold(p_call text, p_workspace text, p_key text, p_at timestamptz, p_scopes jsonb, p_costs bigint[])
RETURNS TABLE (verdict text, held_nano_usd bigint, scope integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  room bigint;
  tightest integer;
  amount bigint;
BEGIN
  IF EXISTS (
    SELECT FROM jsonb_to_recordset(p_scopes) AS s(scope_id text, period text)
    WHERE NOT EXISTS (SELECT FROM public.budget_balances b WHERE b.workspace_id = p_workspace AND b.scope_id = s.scope_id AND b.period = s.period)
  ) THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('budget:' || p_workspace, 0));
    INSERT INTO public.budget_balances (workspace_id, scope_id, period, spent_nano_usd)
    SELECT p_workspace, s.scope_id, s.period, coalesce((
      SELECT sum(c.cost_nano_usd) FROM public.calls c
      WHERE c.workspace_id = p_workspace AND (s.kind = 'workspace' OR c.key_id = s.scope_id) AND c.created_at >= s.starts AND c.created_at < s.ends), 0)
    FROM jsonb_to_recordset(p_scopes) AS s(scope_id text, kind text, period text, starts timestamptz, ends timestamptz)
    ON CONFLICT DO NOTHING;
  END IF;

  PERFORM FROM public.budget_balances b
  JOIN jsonb_to_recordset(p_scopes) AS s(scope_id text, period text) ON b.scope_id = s.scope_id AND b.period = s.period
  WHERE b.workspace_id = p_workspace ORDER BY b.scope_id, b.period FOR UPDATE OF b;

  -- A hold of a day ago belongs to a call that nobody will ever tell the end of.
  SELECT s.limit_nano_usd - b.spent_nano_usd - coalesce((
      SELECT sum(h.nano_usd) FROM public.budget_holds h
      WHERE h.workspace_id = p_workspace AND (s.kind = 'workspace' OR h.key_id = s.scope_id) AND h.created_at > now() - interval '1 day'
        AND h.call_id <> p_call), 0),
    s.place
  INTO room, tightest
  FROM jsonb_array_elements(p_scopes) WITH ORDINALITY AS each(element, place),
    LATERAL (SELECT each.element ->> 'scope_id' AS scope_id, each.element ->> 'kind' AS kind, each.element ->> 'period' AS period,
      (each.element ->> 'limit_nano_usd')::bigint AS limit_nano_usd, each.place::integer AS place) AS s
  JOIN public.budget_balances b ON b.workspace_id = p_workspace AND b.scope_id = s.scope_id AND b.period = s.period
  ORDER BY 1, 2 LIMIT 1;

  SELECT max(cost) INTO amount FROM unnest(p_costs) AS cost WHERE cost <= room;
  IF amount IS NOT NULL AND room > 0 THEN
    INSERT INTO public.budget_holds (call_id, workspace_id, key_id, nano_usd, created_at) VALUES (p_call, p_workspace, p_key, amount, now()) ON CONFLICT DO NOTHING;
    RETURN QUERY SELECT 'held', amount, NULL::integer;
  ELSIF NOT EXISTS (SELECT FROM unnest(p_costs) AS cost WHERE cost IS NOT NULL) THEN
    RETURN QUERY SELECT 'unpriced', NULL::bigint, NULL::integer;
  ELSE
    RETURN QUERY SELECT 'exceeded', NULL::bigint, tightest;
  END IF;
END
$$;
