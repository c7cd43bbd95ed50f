CREATE TABLE "invites" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invites_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invites_workspace_id_email_key" UNIQUE("workspace_id","email"),
	CONSTRAINT "invites_role_check" CHECK ("invites"."role" in ('viewer', 'developer', 'admin', 'owner'))
);
--> statement-breakpoint
ALTER TABLE "invites" ADD CONSTRAINT "invites_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Invitations. Hand-written, in the manner of 0001_tenancy.sql: the application works inside one workspace. Whoever
-- follows a link is in none yet, hence the function: it says which workspace a token's hash leads into and nothing
-- else of the invitation. Whether that can still be used is asked there.
ALTER TABLE invites ENABLE ROW LEVEL SECURITY;
ALTER TABLE invites FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON invites TO ohm_app
  USING (workspace_id = current_setting('app.workspace', true))
  WITH CHECK (workspace_id = current_setting('app.workspace', true));
CREATE POLICY definer_read ON invites FOR SELECT TO ohm_definer USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON invites TO ohm_app;
GRANT SELECT (workspace_id, token_hash) ON invites TO ohm_definer;

CREATE FUNCTION ohm_invite(p_token_hash text)
RETURNS TABLE (workspace_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT i.workspace_id FROM public.invites i WHERE i.token_hash = p_token_hash
$$;

REVOKE EXECUTE ON FUNCTION ohm_invite(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ohm_invite(text) TO ohm_app;

GRANT CREATE ON SCHEMA public TO ohm_definer;
ALTER FUNCTION ohm_invite(text) OWNER TO ohm_definer;
REVOKE CREATE ON SCHEMA public FROM ohm_definer;
