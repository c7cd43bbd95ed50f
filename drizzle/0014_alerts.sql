CREATE TABLE "alert_channels" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"target" text NOT NULL,
	"secret_sealed" text,
	"secret_version" integer DEFAULT 1 NOT NULL,
	"previous_secret_sealed" text,
	"previous_valid_until" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone,
	"disabled_why" text,
	"created_by" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_channels_workspace_id_name_key" UNIQUE("workspace_id","name"),
	CONSTRAINT "alert_channels_type_check" CHECK ("alert_channels"."type" in ('email', 'webhook'))
);
--> statement-breakpoint
CREATE TABLE "alert_clocks" (
	"workspace_id" text PRIMARY KEY NOT NULL,
	"every_s" integer NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"event_id" text NOT NULL,
	"channel_id" text NOT NULL,
	"type" text NOT NULL,
	"target" text NOT NULL,
	"message" jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp (3) with time zone,
	"leased_until" timestamp (3) with time zone,
	"last_try_at" timestamp (3) with time zone,
	"last_status" integer,
	"last_error" text,
	"last_response" text,
	"delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_episodes" (
	"workspace_id" text NOT NULL,
	"rule_id" text NOT NULL,
	"subject" text NOT NULL,
	"id" text NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"level" double precision NOT NULL,
	"value" double precision NOT NULL,
	"clear_since" timestamp (3) with time zone,
	"event_id" text NOT NULL,
	"told" boolean NOT NULL,
	CONSTRAINT "alert_episodes_pkey" PRIMARY KEY("rule_id","subject")
);
--> statement-breakpoint
CREATE TABLE "alert_events" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"rule_id" text NOT NULL,
	"episode_id" text NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"value" double precision,
	"threshold" double precision NOT NULL,
	"summary" text NOT NULL,
	"facts" jsonb NOT NULL,
	"muted" boolean NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_rules" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"threshold" double precision NOT NULL,
	"window_s" integer NOT NULL,
	"min_calls" integer DEFAULT 1 NOT NULL,
	"scope_type" text DEFAULT 'all' NOT NULL,
	"scope_id" text,
	"channel_ids" jsonb NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"muted_until" timestamp (3) with time zone,
	"watched_since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"evaluated_at" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_rules_workspace_id_name_key" UNIQUE("workspace_id","name"),
	CONSTRAINT "alert_rules_workspace_id_id_key" UNIQUE("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_clocks" ADD CONSTRAINT "alert_clocks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_deliveries" ADD CONSTRAINT "alert_deliveries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_episodes" ADD CONSTRAINT "alert_episodes_rule_id_alert_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alert_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_events" ADD CONSTRAINT "alert_events_rule_id_alert_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alert_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_clocks_due_at_idx" ON "alert_clocks" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "alert_deliveries_workspace_id_created_at_idx" ON "alert_deliveries" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "alert_deliveries_due_idx" ON "alert_deliveries" USING btree ("next_try_at") WHERE "alert_deliveries"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "alert_deliveries_channel_id_idx" ON "alert_deliveries" USING btree ("channel_id") WHERE "alert_deliveries"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "alert_deliveries_created_at_idx" ON "alert_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "alert_deliveries_event_id_channel_id_key" ON "alert_deliveries" USING btree ("event_id","channel_id");--> statement-breakpoint
CREATE INDEX "alert_events_rule_id_at_idx" ON "alert_events" USING btree ("workspace_id","rule_id","at","id");--> statement-breakpoint
CREATE INDEX "alert_events_at_idx" ON "alert_events" USING btree ("at");--> statement-breakpoint
-- Alerts. Hand-written, in the manner of 0001_tenancy.sql: the application works inside one workspace; only finding the
-- next workspace to look at and the next message to send, and sweeping old ones, goes across them.

ALTER TABLE alert_channels ENABLE ROW LEVEL SECURITY;
ALTER TABLE alert_channels FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON alert_channels TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON alert_channels TO ohm_app;

ALTER TABLE alert_rules ENABLE ROW LEVEL SECURITY;
ALTER TABLE alert_rules FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON alert_rules TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON alert_rules TO ohm_app;

ALTER TABLE alert_episodes ENABLE ROW LEVEL SECURITY;
ALTER TABLE alert_episodes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON alert_episodes TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON alert_episodes TO ohm_app;

-- The history is added to and never edited; old rows are swept by the claim below.
ALTER TABLE alert_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE alert_events FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON alert_events TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_sweep ON alert_events FOR DELETE TO ohm_definer USING (true);
CREATE POLICY definer_read ON alert_events FOR SELECT TO ohm_definer USING (true);
GRANT SELECT, INSERT ON alert_events TO ohm_app;
GRANT SELECT, DELETE ON alert_events TO ohm_definer;

ALTER TABLE alert_clocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE alert_clocks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON alert_clocks TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_read ON alert_clocks FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_claim ON alert_clocks FOR UPDATE TO ohm_definer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON alert_clocks TO ohm_app;
GRANT SELECT, UPDATE ON alert_clocks TO ohm_definer;

ALTER TABLE alert_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE alert_deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON alert_deliveries TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_read ON alert_deliveries FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_claim ON alert_deliveries FOR UPDATE TO ohm_definer USING (true) WITH CHECK (true);
CREATE POLICY definer_sweep ON alert_deliveries FOR DELETE TO ohm_definer USING (true);
GRANT SELECT, INSERT, UPDATE ON alert_deliveries TO ohm_app;
GRANT SELECT, UPDATE, DELETE ON alert_deliveries TO ohm_definer;

-- Takes the workspace whose look at its alerts has been due longest and sets its clock on: of many processes, one gets
-- it. One that another process is looking at this moment (its row is locked) is passed over.
CREATE FUNCTION ohm_alerts_due()
RETURNS TABLE (workspace_id text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.alert_clocks c SET due_at = now() + make_interval(secs => c.every_s)
  WHERE c.workspace_id = (
    SELECT d.workspace_id FROM public.alert_clocks d WHERE d.due_at <= now()
    ORDER BY d.due_at, d.workspace_id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING c.workspace_id
$$;

-- Takes the message whose next try has been due longest, unless another for the same channel is being tried: a receiver
-- that hangs holds up nobody but itself, and messages to one channel go out in their order. Removes what has been kept
-- long enough; of the history three times as long.
CREATE FUNCTION ohm_alert_delivery_claim(p_lease interval, p_keep interval)
RETURNS TABLE (id text, workspace_id text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM public.alert_deliveries d WHERE d.created_at < now() - p_keep;
  DELETE FROM public.alert_events e WHERE e.at < now() - 3 * p_keep;
  RETURN QUERY
  UPDATE public.alert_deliveries d SET leased_until = now() + p_lease
  WHERE d.id = (
    SELECT q.id FROM public.alert_deliveries q
    WHERE q.state = 'queued' AND q.next_try_at <= now() AND (q.leased_until IS NULL OR q.leased_until < now())
      AND NOT EXISTS (
        SELECT FROM public.alert_deliveries o
        WHERE o.channel_id = q.channel_id AND o.state = 'queued' AND o.leased_until >= now())
    ORDER BY q.next_try_at, q.id LIMIT 1 FOR UPDATE OF q SKIP LOCKED)
  RETURNING d.id, d.workspace_id;
END
$$;

REVOKE EXECUTE ON FUNCTION ohm_alerts_due(), ohm_alert_delivery_claim(interval, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ohm_alerts_due(), ohm_alert_delivery_claim(interval, interval) TO ohm_app;
GRANT CREATE ON SCHEMA public TO ohm_definer;
ALTER FUNCTION ohm_alerts_due() OWNER TO ohm_definer;
ALTER FUNCTION ohm_alert_delivery_claim(interval, interval) OWNER TO ohm_definer;
REVOKE CREATE ON SCHEMA public FROM ohm_definer;
