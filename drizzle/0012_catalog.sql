CREATE TABLE "connection_prices" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"connection_id" text NOT NULL,
	"model" text NOT NULL,
	"effective_from" timestamp (3) with time zone NOT NULL,
	"input" bigint NOT NULL,
	"output" bigint NOT NULL,
	"cached_input" bigint,
	"cache_write" bigint,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connection_prices_from_key" UNIQUE("connection_id","model","effective_from")
);
--> statement-breakpoint
ALTER TABLE "connections" DROP CONSTRAINT "connections_wire_check";--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "eco" jsonb;--> statement-breakpoint
ALTER TABLE "key_tiers" ADD COLUMN "candidate" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "route_tiers" ADD COLUMN "candidate" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "connection_prices" ADD CONSTRAINT "connection_prices_connection_fkey" FOREIGN KEY ("workspace_id","connection_id") REFERENCES "public"."connections"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_tiers" DROP CONSTRAINT "key_tiers_pkey";
--> statement-breakpoint
ALTER TABLE "key_tiers" ADD CONSTRAINT "key_tiers_pkey" PRIMARY KEY("key_id","position","candidate");--> statement-breakpoint
ALTER TABLE "route_tiers" DROP CONSTRAINT "route_tiers_pkey";
--> statement-breakpoint
ALTER TABLE "route_tiers" ADD CONSTRAINT "route_tiers_pkey" PRIMARY KEY("route_id","position","candidate");--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_wire_check" CHECK ("connections"."wire" in ('openai', 'anthropic', 'gemini', 'openai-responses'));--> statement-breakpoint
-- Who may see and write prices. Hand-written, in the manner of 0001_tenancy.sql.
ALTER TABLE connection_prices ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_prices FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON connection_prices TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_read ON connection_prices FOR SELECT TO ohm_definer USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON connection_prices TO ohm_app;
GRANT SELECT ON connection_prices TO ohm_definer;

CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON connection_prices
  FOR EACH ROW EXECUTE FUNCTION ohm_announce_config_change();

-- As in 0009_limits.sql, and besides: the prices that a workspace states for a connection, and where each tier stands
-- in its list, since an eco tier is as many rows as it has candidates.
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
        SELECT jsonb_agg((to_jsonb(t) - '{key_id,workspace_id,connection_id}'::text[]) || jsonb_build_object('connection', t.connection_id)
          ORDER BY t.position, t.candidate)
        FROM public.key_tiers t WHERE t.key_id = k.id)),
    ((to_jsonb(w) - '{revision,created_at}'::text[]) || jsonb_build_object(
      'connections', (
        SELECT coalesce(jsonb_agg((to_jsonb(c) - '{workspace_id,created_at,updated_at}'::text[]) || jsonb_build_object(
          'prices', (
            SELECT coalesce(jsonb_agg(to_jsonb(p) - '{workspace_id,connection_id,created_by,created_at,effective_from}'::text[]
              || jsonb_build_object('from_ms', floor(extract(epoch FROM p.effective_from) * 1000)) ORDER BY p.model, p.effective_from DESC), '[]')
            FROM public.connection_prices p WHERE p.connection_id = c.id)) ORDER BY c.id), '[]')
        FROM public.connections c WHERE c.workspace_id = w.id),
      'routes', (
        SELECT coalesce(jsonb_agg((to_jsonb(r) - '{workspace_id,created_at,updated_at}'::text[]) || jsonb_build_object(
          'tiers', (
            SELECT coalesce(jsonb_agg((to_jsonb(t) - '{route_id,workspace_id,connection_id}'::text[]) || jsonb_build_object('connection', t.connection_id)
              ORDER BY t.position, t.candidate), '[]')
            FROM public.route_tiers t WHERE t.route_id = r.id)) ORDER BY r.name), '[]')
        FROM public.routes r WHERE r.workspace_id = w.id)))::text
  FROM public.keys k
  JOIN public.workspaces w ON w.id = k.workspace_id
  WHERE (k.token_hash = p_token_hash OR (k.previous_token_hash = p_token_hash AND k.previous_valid_until > now()))
    AND k.disabled_at IS NULL
    AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now())
$$;
