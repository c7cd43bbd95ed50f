-- The product's probes make calls all day, and nobody is owed their rows for ever. Calls of customers stay.
-- A function, because the application may write no ledger row itself and is to delete none: this takes rows of the
-- system workspace only, and so does the policy behind it.

CREATE POLICY definer_sweep ON calls FOR DELETE TO ohm_definer USING (workspace_id = 'ws_system');
GRANT DELETE ON calls TO ohm_definer;

-- At most 5,000 rows a time, so that it never holds anything up; returns how many went.
CREATE FUNCTION ohm_sweep_probe_calls(p_keep interval)
RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  swept integer;
BEGIN
  DELETE FROM public.calls WHERE id IN (
    SELECT id FROM public.calls WHERE workspace_id = 'ws_system' AND created_at < now() - greatest(p_keep, interval '7 days')
    ORDER BY created_at LIMIT 5000);
  GET DIAGNOSTICS swept = ROW_COUNT;
  RETURN swept;
END
$$;

REVOKE EXECUTE ON FUNCTION ohm_sweep_probe_calls(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ohm_sweep_probe_calls(interval) TO ohm_app;

GRANT CREATE ON SCHEMA public TO ohm_definer;
ALTER FUNCTION ohm_sweep_probe_calls(interval) OWNER TO ohm_definer;
REVOKE CREATE ON SCHEMA public FROM ohm_definer;
