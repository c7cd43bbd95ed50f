-- Who may see and do what. Hand-written; the tables come from the generated migrations.
--
-- Three roles, made before this runs (lib/db/roles.ts):
--   the owner     runs migrations and nothing else
--   ohm_app       LOGIN; the application. Not an owner, no BYPASSRLS: it sees the workspace that its
--                 transaction names (app.workspace) and, when none is named, no tenant row at all
--   ohm_definer   NOLOGIN; owns the SECURITY DEFINER functions at the end of this file, for the few questions
--                 that have no workspace yet. Its own policies and grants are as narrow as those functions
--
-- A migration that adds a tenant table adds for it: ENABLE and FORCE row level security, a policy `tenant`,
-- grants to ohm_app. One that adds a definer function hands it to ohm_definer as below. Tests list both.

GRANT USAGE ON SCHEMA public TO ohm_app, ohm_definer;

-- The workspace that the product probes itself in. Inserted before the policies are there.
INSERT INTO workspaces (id, slug, name, is_system) VALUES ('ws_system', '-system', 'System', true);

---------------------------------------------------------------------------------------------- tables of no tenant

GRANT SELECT, INSERT, UPDATE ON users TO ohm_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions, login_attempts TO ohm_app;
GRANT SELECT, INSERT, DELETE ON probe_results TO ohm_app;

------------------------------------------------------------------------------------------------------ tenant tables

ALTER TABLE workspaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE workspaces FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON workspaces TO ohm_app
  USING (id = current_setting('app.workspace', true))
  WITH CHECK (id = current_setting('app.workspace', true) AND is_system = (id = 'ws_system'));
GRANT SELECT, INSERT, UPDATE ON workspaces TO ohm_app;

ALTER TABLE members ENABLE ROW LEVEL SECURITY;
ALTER TABLE members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON members TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON members TO ohm_app;

ALTER TABLE connections ENABLE ROW LEVEL SECURITY;
ALTER TABLE connections FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON connections TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON connections TO ohm_app;

ALTER TABLE routes ENABLE ROW LEVEL SECURITY;
ALTER TABLE routes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON routes TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON routes TO ohm_app;

ALTER TABLE route_tiers ENABLE ROW LEVEL SECURITY;
ALTER TABLE route_tiers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON route_tiers TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON route_tiers TO ohm_app;

ALTER TABLE route_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE route_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON route_versions TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT ON route_versions TO ohm_app;

ALTER TABLE keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON keys TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON keys TO ohm_app;

ALTER TABLE key_tiers ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_tiers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON key_tiers TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON key_tiers TO ohm_app;

ALTER TABLE management_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE management_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON management_keys TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON management_keys TO ohm_app;

-- No UPDATE, no DELETE: what is in the log stays as it was written.
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_log FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_log TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
GRANT SELECT, INSERT ON audit_log TO ohm_app;

--------------------------------------------------------------------------------- what the definer functions may touch

CREATE POLICY definer_read ON workspaces FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_read ON members FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_read ON connections FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_read ON routes FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_read ON route_tiers FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_read ON keys FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_touch ON keys FOR UPDATE TO ohm_definer USING (true);
CREATE POLICY definer_read ON key_tiers FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_read ON management_keys FOR SELECT TO ohm_definer USING (true);
CREATE POLICY definer_touch ON management_keys FOR UPDATE TO ohm_definer USING (true);

GRANT SELECT ON workspaces, members, connections, routes, route_tiers, keys, key_tiers, management_keys TO ohm_definer;
GRANT UPDATE (last_used_at) ON keys, management_keys TO ohm_definer;

----------------------------------------------------------------------------------------- the definer functions

-- The key behind a token's hash and everything its calls may need, or no row when the key cannot be used now.
-- `workspace` is text: equal text means that nothing changed, and the reader keeps what it has parsed.
CREATE FUNCTION ohm_key_config(p_token_hash text)
RETURNS TABLE (key jsonb, workspace text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT
    jsonb_build_object(
      'id', k.id,
      'workspace_id', k.workspace_id,
      'name', k.name,
      'default_route', (SELECT r.name FROM public.routes r WHERE r.id = k.default_route_id),
      'direct_models', k.direct_models,
      'strict_route', k.strict_route,
      'expires_at_ms', floor(extract(epoch FROM
        CASE WHEN k.token_hash = p_token_hash THEN k.expires_at ELSE least(k.expires_at, k.previous_valid_until) END) * 1000),
      'tiers', (
        SELECT jsonb_agg(jsonb_build_object(
          'connection', t.connection_id, 'model', t.model,
          'first_content_timeout_ms', t.first_content_timeout_ms,
          'idle_timeout_ms', t.idle_timeout_ms,
          'response_timeout_ms', t.response_timeout_ms) ORDER BY t.position)
        FROM public.key_tiers t WHERE t.key_id = k.id)),
    jsonb_build_object(
      'id', w.id,
      'fallback_model', w.fallback_model,
      'connections', (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'id', c.id, 'name', c.name, 'kind', c.kind, 'provider', c.provider, 'wire', c.wire, 'base_url', c.base_url,
          'api_key_sealed', c.api_key_sealed, 'key_version', c.key_version, 'revision', c.revision) ORDER BY c.id), '[]')
        FROM public.connections c WHERE c.workspace_id = w.id),
      'routes', (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'id', r.id, 'name', r.name, 'revision', r.revision, 'commit', r.commit, 'deadline_ms', r.deadline_ms,
          'tiers', (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
              'connection', t.connection_id, 'model', t.model,
              'first_content_timeout_ms', t.first_content_timeout_ms,
              'idle_timeout_ms', t.idle_timeout_ms,
              'response_timeout_ms', t.response_timeout_ms) ORDER BY t.position), '[]')
            FROM public.route_tiers t WHERE t.route_id = r.id)) ORDER BY r.name), '[]')
        FROM public.routes r WHERE r.workspace_id = w.id))::text
  FROM public.keys k
  JOIN public.workspaces w ON w.id = k.workspace_id
  WHERE (k.token_hash = p_token_hash OR (k.previous_token_hash = p_token_hash AND k.previous_valid_until > now()))
    AND k.disabled_at IS NULL
    AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now())
$$;

-- Records use, in batches: [{"id": "key_…", "at_ms": 1700000000000}, …]. Never moves a moment back.
CREATE FUNCTION ohm_touch_keys(p_uses jsonb)
RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.keys k
  SET last_used_at = to_timestamp(u.at_ms / 1000.0)
  FROM jsonb_to_recordset(p_uses) AS u(id text, at_ms double precision)
  WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < to_timestamp(u.at_ms / 1000.0))
$$;

-- The management key behind a token's hash, or no row when it cannot be used now. Records its use to the minute.
CREATE FUNCTION ohm_management_key(p_token_hash text)
RETURNS TABLE (id text, workspace_id text, name text, role text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.management_keys m
  SET last_used_at = now()
  WHERE m.token_hash = p_token_hash AND (m.last_used_at IS NULL OR m.last_used_at < now() - interval '1 minute');
  SELECT m.id, m.workspace_id, m.name, m.role
  FROM public.management_keys m
  WHERE m.token_hash = p_token_hash
    AND m.revoked_at IS NULL
    AND (m.expires_at IS NULL OR m.expires_at > now())
$$;

-- The workspaces of a person, oldest membership first.
CREATE FUNCTION ohm_memberships(p_user_id text)
RETURNS TABLE (workspace_id text, slug text, name text, role text, joined_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT w.id, w.slug, w.name, m.role, m.created_at
  FROM public.members m
  JOIN public.workspaces w ON w.id = m.workspace_id
  WHERE m.user_id = p_user_id
  ORDER BY m.created_at, w.id
$$;

REVOKE EXECUTE ON FUNCTION ohm_key_config(text), ohm_touch_keys(jsonb), ohm_management_key(text), ohm_memberships(text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ohm_key_config(text), ohm_touch_keys(jsonb), ohm_management_key(text), ohm_memberships(text)
  TO ohm_app;

-- A function's new owner must be able to create in its schema: for the moment of the change only.
GRANT CREATE ON SCHEMA public TO ohm_definer;
ALTER FUNCTION ohm_key_config(text) OWNER TO ohm_definer;
ALTER FUNCTION ohm_touch_keys(jsonb) OWNER TO ohm_definer;
ALTER FUNCTION ohm_management_key(text) OWNER TO ohm_definer;
ALTER FUNCTION ohm_memberships(text) OWNER TO ohm_definer;
REVOKE CREATE ON SCHEMA public FROM ohm_definer;
