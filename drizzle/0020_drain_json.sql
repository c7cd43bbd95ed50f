-- The same rows as in 0015_edge.sql come in with less work: read as the text that they are, in one pass, and by rank only
-- where a call has a row already, which is hardly ever. `p_count`: how many rows there are in p_rows. Sorted by id, so that
-- two drains cannot deadlock. Hand-written.
CREATE FUNCTION ohm_ledger_take(p_rows json, p_count integer, p_corrections jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken integer;
BEGIN
  IF p_count > 0 THEN
    INSERT INTO public.calls
    SELECT r.* FROM json_populate_recordset(NULL::public.calls, p_rows) AS r ORDER BY r.id
    ON CONFLICT (id) DO NOTHING;
    GET DIAGNOSTICS taken = ROW_COUNT;

    IF taken < p_count THEN
      DELETE FROM public.calls c
      USING json_to_recordset(p_rows) AS r(id text, workspace_id text, state text, status integer, attempts jsonb, flushed_bytes bigint, cost_nano_usd bigint)
      WHERE c.id = r.id AND c.workspace_id = r.workspace_id AND c.state IN ('lost', 'rejected', 'aborted')
        AND public.ohm_call_rank(c.state, c.status, c.attempts, c.flushed_bytes, c.cost_nano_usd)
          < public.ohm_call_rank(r.state, r.status, r.attempts, r.flushed_bytes, r.cost_nano_usd);

      INSERT INTO public.calls
      SELECT DISTINCT ON (r.id) r.* FROM json_populate_recordset(NULL::public.calls, p_rows) AS r
      ORDER BY r.id, public.ohm_call_rank(r.state, r.status, r.attempts, r.flushed_bytes, r.cost_nano_usd) DESC
      ON CONFLICT (id) DO NOTHING;
    END IF;

    IF EXISTS (SELECT FROM public.open_calls) THEN
      DELETE FROM public.open_calls o USING json_to_recordset(p_rows) AS r(id text) WHERE o.id = r.id;
    END IF;
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

-- What processes of the version before call.
CREATE OR REPLACE FUNCTION ohm_ledger_drain(p_rows jsonb, p_corrections jsonb)
RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT public.ohm_ledger_take(p_rows::text::json, jsonb_array_length(p_rows), p_corrections)
$$;

REVOKE EXECUTE ON FUNCTION ohm_ledger_take(json, integer, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ohm_ledger_take(json, integer, jsonb) TO ohm_app;
GRANT CREATE ON SCHEMA public TO ohm_definer;
ALTER FUNCTION ohm_ledger_take(json, integer, jsonb) OWNER TO ohm_definer;
REVOKE CREATE ON SCHEMA public FROM ohm_definer;
