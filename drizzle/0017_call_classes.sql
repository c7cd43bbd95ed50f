CREATE TABLE "call_classes" (
	"workspace_id" text NOT NULL,
	"class" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"call_id" text NOT NULL,
	CONSTRAINT "call_classes_pkey" PRIMARY KEY("workspace_id","class","created_at","call_id")
);
--> statement-breakpoint
DROP INDEX "calls_failed_idx";--> statement-breakpoint
-- Which failure classes calls met. Hand-written, in the manner of 0010_usage.sql. A table and not an index into the
-- attempts, since row-level security lets no such index be used before it has looked at the rows.
ALTER TABLE call_classes ENABLE ROW LEVEL SECURITY;
ALTER TABLE call_classes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON call_classes TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_all ON call_classes TO ohm_definer USING (true) WITH CHECK (true);
GRANT SELECT ON call_classes TO ohm_app;
GRANT SELECT, INSERT, DELETE ON call_classes TO ohm_definer;

-- Of most calls: none.
CREATE FUNCTION ohm_classes_met(p_alert_class text, p_attempts jsonb) RETURNS TABLE (class text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT split_part(p_alert_class, '.', 1) WHERE p_alert_class IS NOT NULL
  UNION
  SELECT a ->> 'class' FROM jsonb_array_elements(p_attempts) AS a WHERE p_alert_class IS NOT NULL AND a ->> 'class' IS NOT NULL;
END;

CREATE FUNCTION ohm_classes_follow() RETURNS trigger
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
    ON CONFLICT DO NOTHING;
  END IF;
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM public.call_classes;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER classes_of_new AFTER INSERT ON calls REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION ohm_classes_follow();
CREATE TRIGGER classes_of_changed AFTER UPDATE ON calls REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION ohm_classes_follow();
CREATE TRIGGER classes_of_removed AFTER DELETE ON calls REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION ohm_classes_follow();
CREATE TRIGGER classes_of_none AFTER TRUNCATE ON calls
  FOR EACH STATEMENT EXECUTE FUNCTION ohm_classes_follow();

-- What there is already, by the function's owner: the owner of the tables may be bound by their policies.
GRANT CREATE ON SCHEMA public TO ohm_definer;
CREATE FUNCTION ohm_classes_fill() RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO public.call_classes (workspace_id, class, created_at, call_id)
  SELECT c.workspace_id, met.class, c.created_at, c.id FROM public.calls c, public.ohm_classes_met(c.alert_class, c.attempts) AS met (class)
  ON CONFLICT DO NOTHING;
$$;
ALTER FUNCTION ohm_classes_fill() OWNER TO ohm_definer;
SELECT ohm_classes_fill();
DROP FUNCTION ohm_classes_fill();
REVOKE CREATE ON SCHEMA public FROM ohm_definer;
