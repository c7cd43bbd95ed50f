CREATE TABLE "kept_texts" (
	"call_id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"key_id" text NOT NULL,
	"kept_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"sealed" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "keep_texts_days" integer;--> statement-breakpoint
ALTER TABLE "kept_texts" ADD CONSTRAINT "kept_texts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kept_texts_key_id_idx" ON "kept_texts" USING btree ("workspace_id","key_id");--> statement-breakpoint
CREATE INDEX "kept_texts_expires_at_idx" ON "kept_texts" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_keep_texts_days_check" CHECK ("keys"."keep_texts_days" between 1 and 30);--> statement-breakpoint
-- Texts that savers rewrote, of keys that keep them. Hand-written, in the manner of 0001_tenancy.sql: the application
-- works inside one workspace; only the sweep goes across them, and it sees when a row ends and nothing of its text.
ALTER TABLE kept_texts ENABLE ROW LEVEL SECURITY;
ALTER TABLE kept_texts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON kept_texts TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_read ON kept_texts FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_sweep ON kept_texts FOR DELETE TO ohm_definer USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON kept_texts TO ohm_app;
GRANT SELECT (call_id, expires_at), DELETE ON kept_texts TO ohm_definer;

-- At most 1,000 rows a time, so that it never holds anything up; returns how many went.
CREATE FUNCTION ohm_sweep_kept_texts()
RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  swept integer;
BEGIN
  DELETE FROM public.kept_texts WHERE call_id IN (
    SELECT call_id FROM public.kept_texts WHERE expires_at <= now() ORDER BY expires_at LIMIT 1000);
  GET DIAGNOSTICS swept = ROW_COUNT;
  RETURN swept;
END
$$;

REVOKE EXECUTE ON FUNCTION ohm_sweep_kept_texts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ohm_sweep_kept_texts() TO ohm_app;

GRANT CREATE ON SCHEMA public TO ohm_definer;
ALTER FUNCTION ohm_sweep_kept_texts() OWNER TO ohm_definer;
REVOKE CREATE ON SCHEMA public FROM ohm_definer;
