ALTER TABLE "calls" ADD COLUMN "budget_nano_usd" bigint;--> statement-breakpoint

-- Hand-written from here, as in 0009_limits.sql and 0015_edge.sql: a row whose cost nobody knows, although its provider
-- was paid, says in budget_nano_usd what budgets are charged for it. A balance stops at $8,000,000, beyond every budget:
-- such a sum may be beyond all counting, and it must not keep rows out of the ledger.
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
    SELECT p_workspace, s.scope_id, s.period, least(coalesce((
      SELECT sum(coalesce(c.cost_nano_usd, c.budget_nano_usd)) FROM public.calls c
      WHERE c.workspace_id = p_workspace AND (s.kind = 'workspace' OR c.key_id = s.scope_id) AND c.created_at >= s.starts AND c.created_at < s.ends), 0), 8000000000000000)::bigint
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
--> statement-breakpoint

CREATE OR REPLACE FUNCTION ohm_budget_charge()
RETURNS trigger
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('budget:' || w.workspace_id, 0))
  FROM (SELECT DISTINCT n.workspace_id FROM added n ORDER BY 1) AS w;

  DELETE FROM public.budget_holds h USING added n WHERE h.call_id = n.id;

  PERFORM FROM public.budget_balances b
  WHERE (b.workspace_id, b.scope_id, b.period) IN (
    SELECT n.workspace_id, x.scope_id, x.period FROM added n,
      LATERAL (VALUES (n.key_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')), (n.key_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM')),
        (n.workspace_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')), (n.workspace_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM'))) AS x(scope_id, period)
    WHERE coalesce(n.cost_nano_usd, n.budget_nano_usd) > 0)
  ORDER BY b.workspace_id, b.scope_id, b.period FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  UPDATE public.budget_balances b SET spent_nano_usd = least(b.spent_nano_usd + s.cost, 8000000000000000)
  FROM (
    SELECT n.workspace_id, x.scope_id, x.period, sum(coalesce(n.cost_nano_usd, n.budget_nano_usd)) AS cost FROM added n,
      LATERAL (VALUES (n.key_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')), (n.key_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM')),
        (n.workspace_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')), (n.workspace_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM'))) AS x(scope_id, period)
    WHERE coalesce(n.cost_nano_usd, n.budget_nano_usd) > 0 GROUP BY 1, 2, 3
  ) AS s
  WHERE b.workspace_id = s.workspace_id AND b.scope_id = s.scope_id AND b.period = s.period;
  RETURN NULL;
END
$$;
--> statement-breakpoint

CREATE OR REPLACE FUNCTION ohm_budget_recharge()
RETURNS trigger
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE public.budget_balances b SET spent_nano_usd = least(b.spent_nano_usd + s.cost, 8000000000000000)
  FROM (
    SELECT n.workspace_id, x.scope_id, x.period, sum(coalesce(n.cost_nano_usd, n.budget_nano_usd, 0) - coalesce(o.cost_nano_usd, o.budget_nano_usd, 0)) AS cost
    FROM changed n JOIN before_change o ON o.id = n.id,
      LATERAL (VALUES (n.key_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')), (n.key_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM')),
        (n.workspace_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')), (n.workspace_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM'))) AS x(scope_id, period)
    WHERE coalesce(n.cost_nano_usd, n.budget_nano_usd) IS DISTINCT FROM coalesce(o.cost_nano_usd, o.budget_nano_usd) GROUP BY 1, 2, 3
  ) AS s
  WHERE b.workspace_id = s.workspace_id AND b.scope_id = s.scope_id AND b.period = s.period;
  RETURN NULL;
END
$$;
