-- A client that left before it got anything may have left a bill behind: what its provider had been sent by then is
-- charged. Such a row still gives way to the one of the plane that answered the call, and before one that nobody paid for.
-- Hand-written, as in 0015_edge.sql.

-- 0: a process died over the call. 1: it was refused for reasons of the gateway's own before any tier was asked, or its
-- client was gone before it got anything, and nobody paid. 2: its client was gone before it got anything. 3: it was answered.
CREATE OR REPLACE FUNCTION ohm_call_rank(p_state text, p_status integer, p_attempts jsonb, p_flushed bigint, p_cost bigint) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN p_state = 'lost' THEN 0
  WHEN p_state = 'rejected' AND p_status >= 500 AND p_attempts = '[]' THEN 1
  WHEN p_state = 'aborted' AND coalesce(p_flushed, 0) = 0 THEN CASE WHEN coalesce(p_cost, 0) = 0 THEN 1 ELSE 2 END
  ELSE 3
END;
