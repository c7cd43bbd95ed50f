DROP INDEX "calls_workspace_id_created_at_id_idx";--> statement-breakpoint
DROP INDEX "calls_workspace_id_key_id_created_at_id_idx";--> statement-breakpoint
DROP INDEX "calls_workspace_id_route_created_at_id_idx";--> statement-breakpoint
CREATE INDEX "calls_workspace_id_created_at_idx" ON "calls" USING btree ("workspace_id","created_at");--> statement-breakpoint
CREATE INDEX "calls_workspace_id_key_id_created_at_idx" ON "calls" USING btree ("workspace_id","key_id","created_at");--> statement-breakpoint
CREATE INDEX "calls_workspace_id_route_created_at_idx" ON "calls" USING btree ("workspace_id","route","created_at");--> statement-breakpoint
-- The classes of new rows, as in 0017_call_classes.sql, but asked of the few calls alone that have any.
CREATE OR REPLACE FUNCTION ohm_classes_follow() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_OP IN ('UPDATE', 'DELETE') THEN
    DELETE FROM public.call_classes f USING old_rows o, public.ohm_classes_met(o.alert_class, o.attempts) AS met (class)
    WHERE f.workspace_id = o.workspace_id AND f.class = met.class AND f.created_at = o.created_at AND f.call_id = o.id;
  END IF;
  IF TG_OP IN ('INSERT', 'UPDATE') THEN
    INSERT INTO public.call_classes (workspace_id, class, created_at, call_id)
    SELECT n.workspace_id, met.class, n.created_at, n.id FROM new_rows n, public.ohm_classes_met(n.alert_class, n.attempts) AS met (class)
    WHERE n.alert_class IS NOT NULL
    ON CONFLICT DO NOTHING;
  END IF;
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM public.call_classes;
  END IF;
  RETURN NULL;
END
$$;
