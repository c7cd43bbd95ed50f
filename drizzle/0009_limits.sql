CREATE TABLE "budget_balances" (
	"workspace_id" text NOT NULL,
	"scope_id" text NOT NULL,
	"period" text NOT NULL,
	"spent_nano_usd" bigint NOT NULL,
	CONSTRAINT "budget_balances_pkey" PRIMARY KEY("workspace_id","scope_id","period")
);
--> statement-breakpoint
CREATE TABLE "budget_holds" (
	"call_id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"key_id" text NOT NULL,
	"nano_usd" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "limits" jsonb;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "limits" jsonb;--> statement-breakpoint
CREATE INDEX "budget_holds_workspace_id_key_id_idx" ON "budget_holds" USING btree ("workspace_id","key_id");--> statement-breakpoint
-- Who may see and write budgets. Hand-written, in the manner of 0001_tenancy.sql: the application reads what one
-- workspace has left; only the functions below write.
ALTER TABLE budget_balances ENABLE ROW LEVEL SECURITY;
ALTER TABLE budget_balances FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON budget_balances TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_all ON budget_balances TO ohm_definer USING (true) WITH CHECK (true);
GRANT SELECT ON budget_balances TO ohm_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON budget_balances TO ohm_definer;

ALTER TABLE budget_holds ENABLE ROW LEVEL SECURITY;
ALTER TABLE budget_holds FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON budget_holds TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_all ON budget_holds TO ohm_definer USING (true) WITH CHECK (true);
GRANT SELECT ON budget_holds TO ohm_app;
GRANT SELECT, INSERT, DELETE ON budget_holds TO ohm_definer;

-- The configuration behind a token, as whole rows: a setting that is added to a table is in it from then on.
CREATE OR REPLACE FUNCTION ohm_key_config(p_token_hash text)
RETURNS TABLE (key jsonb, workspace text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT
    (to_jsonb(k) - '{token_hash,previous_token_hash,previous_valid_until,last4,last_used_at,created_by,created_at,updated_at,expires_at}'::text[])
    || jsonb_build_object(
      'default_route', (SELECT r.name FROM public.routes r WHERE r.id = k.default_route_id),
      'expires_at_ms', floor(extract(epoch FROM
        CASE WHEN k.token_hash = p_token_hash THEN k.expires_at ELSE least(k.expires_at, k.previous_valid_until) END) * 1000),
      'tiers', (
        SELECT jsonb_agg((to_jsonb(t) - '{key_id,workspace_id,position,connection_id}'::text[]) || jsonb_build_object('connection', t.connection_id) ORDER BY t.position)
        FROM public.key_tiers t WHERE t.key_id = k.id)),
    ((to_jsonb(w) - '{revision,created_at}'::text[]) || jsonb_build_object(
      'connections', (
        SELECT coalesce(jsonb_agg(to_jsonb(c) - '{workspace_id,created_at,updated_at}'::text[] ORDER BY c.id), '[]')
        FROM public.connections c WHERE c.workspace_id = w.id),
      'routes', (
        SELECT coalesce(jsonb_agg((to_jsonb(r) - '{workspace_id,created_at,updated_at}'::text[]) || jsonb_build_object(
          'tiers', (
            SELECT coalesce(jsonb_agg((to_jsonb(t) - '{route_id,workspace_id,position,connection_id}'::text[]) || jsonb_build_object('connection', t.connection_id) ORDER BY t.position), '[]')
            FROM public.route_tiers t WHERE t.route_id = r.id)) ORDER BY r.name), '[]')
        FROM public.routes r WHERE r.workspace_id = w.id)))::text
  FROM public.keys k
  JOIN public.workspaces w ON w.id = k.workspace_id
  WHERE (k.token_hash = p_token_hash OR (k.previous_token_hash = p_token_hash AND k.previous_valid_until > now()))
    AND k.disabled_at IS NULL
    AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now())
$$;

-- Sets money aside for one call. p_scopes: the budgets that it must fit into, [{"scope_id", "kind", "period", "starts",
-- "ends", "limit_nano_usd"}]; p_costs: what each tier may cost, null where nobody knows. The largest cost that every
-- budget covers is held, so that dearer tiers are skipped. A balance that is missing is begun from the ledger: under a
-- lock that the ledger's own statement shares, so that no row is counted twice or missed.
CREATE FUNCTION ohm_budget_hold(p_call text, p_workspace text, p_key text, p_at timestamptz, p_scopes jsonb, p_costs bigint[])
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
      WHERE h.workspace_id = p_workspace AND (s.kind = 'workspace' OR h.key_id = s.scope_id) AND h.created_at > now() - interval '1 day'), 0),
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

-- Charges what calls really cost and frees what was held for them, with the statement that writes their ledger rows.
CREATE FUNCTION ohm_budget_charge()
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
    WHERE n.cost_nano_usd > 0)
  ORDER BY b.workspace_id, b.scope_id, b.period FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  UPDATE public.budget_balances b SET spent_nano_usd = b.spent_nano_usd + s.cost
  FROM (
    SELECT n.workspace_id, x.scope_id, x.period, sum(n.cost_nano_usd)::bigint AS cost FROM added n,
      LATERAL (VALUES (n.key_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')), (n.key_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM')),
        (n.workspace_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')), (n.workspace_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM'))) AS x(scope_id, period)
    WHERE n.cost_nano_usd > 0 GROUP BY 1, 2, 3
  ) AS s
  WHERE b.workspace_id = s.workspace_id AND b.scope_id = s.scope_id AND b.period = s.period;
  RETURN NULL;
END
$$;

-- A row that was closed as `lost` and turns out to have ended: it cost nothing until now. An update of any other kind
-- leaves the cost as it was.
CREATE FUNCTION ohm_budget_recharge()
RETURNS trigger
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE public.budget_balances b SET spent_nano_usd = b.spent_nano_usd + s.cost
  FROM (
    SELECT n.workspace_id, x.scope_id, x.period, sum(coalesce(n.cost_nano_usd, 0) - coalesce(o.cost_nano_usd, 0))::bigint AS cost
    FROM changed n JOIN before_change o ON o.id = n.id,
      LATERAL (VALUES (n.key_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')), (n.key_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM')),
        (n.workspace_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')), (n.workspace_id, to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM'))) AS x(scope_id, period)
    WHERE n.cost_nano_usd IS DISTINCT FROM o.cost_nano_usd GROUP BY 1, 2, 3
  ) AS s
  WHERE b.workspace_id = s.workspace_id AND b.scope_id = s.scope_id AND b.period = s.period;
  RETURN NULL;
END
$$;

CREATE TRIGGER budget_charge AFTER INSERT ON calls REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ohm_budget_charge();
CREATE TRIGGER budget_recharge AFTER UPDATE ON calls REFERENCING OLD TABLE AS before_change NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ohm_budget_recharge();

REVOKE EXECUTE ON FUNCTION ohm_budget_hold(text, text, text, timestamptz, jsonb, bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ohm_budget_hold(text, text, text, timestamptz, jsonb, bigint[]) TO ohm_app;
GRANT CREATE ON SCHEMA public TO ohm_definer;
ALTER FUNCTION ohm_budget_hold(text, text, text, timestamptz, jsonb, bigint[]) OWNER TO ohm_definer;
REVOKE CREATE ON SCHEMA public FROM ohm_definer;
