ALTER TABLE "calls" ADD COLUMN "savers" jsonb;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "tokens_before" integer;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "tokens_after" integer;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "tokenizer" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "arm" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "conversation" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "prompt_cost_nano_usd" bigint;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "avoided_nano_usd" bigint;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "savers" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "holdout_percent" integer;--> statement-breakpoint
CREATE INDEX "calls_arm_idx" ON "calls" USING btree ("workspace_id","created_at") WHERE "calls"."arm" is not null;--> statement-breakpoint
CREATE INDEX "calls_hit_idx" ON "calls" USING btree ("workspace_id","created_at") WHERE "calls"."replay" = 'HIT';--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_holdout_percent_check" CHECK ("keys"."holdout_percent" between 0 and 50);--> statement-breakpoint
-- As in 0010_usage.sql, and besides: tokens that were counted after the row had been written. Such a correction has no
-- state of its own, and one of a state has no tokens.
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
    WHERE c.id = r.id AND r.state IS NOT NULL;

    UPDATE public.calls c SET tokens_before = r.tokens_before, tokens_after = r.tokens_after, tokenizer = r.tokenizer, savers = coalesce(r.savers, c.savers)
    FROM jsonb_to_recordset(p_corrections) AS r(id text, tokens_before integer, tokens_after integer, tokenizer text, savers jsonb)
    WHERE c.id = r.id AND r.tokenizer IS NOT NULL;
  END IF;
END
$$;

-- What both arms of each key and model were billed for what they received, as lib/savers/estimate.ts wants it: sums
-- over calls, and over conversations the squared residuals of the arm's own ratio, each divided by the square of what
-- its conversation leaves to the others. Of the calls that a caller may see; p_workspace null: of all of them.
-- `spread` is null where a single conversation is all there is.
CREATE FUNCTION ohm_savings_strata(p_workspace text, p_from timestamptz, p_to timestamptz, p_key text, p_model text)
RETURNS TABLE (
  workspace_id text, key_id text, provider text, model text, arm text,
  calls bigint, conversations bigint, received double precision, sent double precision, billed double precision, cached double precision,
  squares double precision, spread double precision,
  priced_calls bigint, priced_conversations bigint, priced_received double precision, cost double precision,
  priced_squares double precision, cost_spread double precision)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  WITH conversation AS (
    SELECT c.workspace_id, c.key_id, c.provider, c.model, c.arm, c.conversation,
      count(*) AS n, sum(c.tokens_before)::double precision AS x, sum(c.tokens_after)::double precision AS sent,
      sum((c.usage->>'prompt_tokens')::bigint)::double precision AS y, sum((c.usage->>'cached_tokens')::bigint)::double precision AS cached,
      count(c.prompt_cost_nano_usd) AS priced,
      coalesce(sum(c.tokens_before) FILTER (WHERE c.prompt_cost_nano_usd IS NOT NULL), 0)::double precision AS px,
      coalesce(sum(c.prompt_cost_nano_usd), 0)::double precision AS m
    FROM public.calls c
    WHERE (p_workspace IS NULL OR c.workspace_id = p_workspace) AND c.arm IS NOT NULL
      AND c.created_at >= p_from AND c.created_at < p_to
      AND (p_key IS NULL OR c.key_id = p_key) AND (p_model IS NULL OR c.model = p_model)
      AND c.tokens_before > 0 AND c.usage->>'prompt_tokens' IS NOT NULL AND NOT c.usage_estimated ? 'prompt_tokens'
    GROUP BY 1, 2, 3, 4, 5, 6
  ),
  summed AS (
    SELECT v.*, sum(x) OVER w AS sx, sum(y) OVER w AS sy, sum(px) OVER w AS spx, sum(m) OVER w AS sm
    FROM conversation v
    WINDOW w AS (PARTITION BY v.workspace_id, v.key_id, v.provider, v.model, v.arm)
  )
  SELECT s.workspace_id, s.key_id, s.provider, s.model, s.arm,
    sum(n)::bigint, count(*), sum(x), sum(sent), sum(y), sum(cached), sum(x * x),
    CASE WHEN count(*) > 1 THEN sum(((y - sy / sx * x) / nullif(1 - x / sx, 0)) ^ 2) END,
    sum(priced)::bigint, count(*) FILTER (WHERE priced > 0), sum(px), sum(m), sum(px * px),
    CASE WHEN count(*) FILTER (WHERE priced > 0) > 1 THEN sum(((m - sm / nullif(spx, 0) * px) / nullif(1 - px / nullif(spx, 0), 0)) ^ 2) FILTER (WHERE priced > 0) END
  FROM summed s
  GROUP BY 1, 2, 3, 4, 5
$$;

-- The same over every workspace, without saying whose they are: what the public claim about savings follows from.
-- Probes' own calls are left out.
CREATE FUNCTION ohm_public_savings(p_from timestamptz, p_to timestamptz)
RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH strata AS (
    SELECT s.*, dense_rank() OVER (ORDER BY s.workspace_id, s.key_id, s.provider, s.model) AS stratum
    FROM public.ohm_savings_strata(NULL, p_from, p_to, NULL, NULL) s
    JOIN public.workspaces w ON w.id = s.workspace_id AND NOT w.is_system
  )
  SELECT jsonb_build_object(
    'workspaces', count(DISTINCT workspace_id),
    'strata', coalesce(jsonb_agg(to_jsonb(strata) - '{workspace_id,key_id,provider,model}'::text[]), '[]'))
  FROM strata
$$;

REVOKE EXECUTE ON FUNCTION ohm_public_savings(timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ohm_public_savings(timestamptz, timestamptz) TO ohm_app;
GRANT CREATE ON SCHEMA public TO ohm_definer;
ALTER FUNCTION ohm_public_savings(timestamptz, timestamptz) OWNER TO ohm_definer;
REVOKE CREATE ON SCHEMA public FROM ohm_definer;
