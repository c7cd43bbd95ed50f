CREATE TABLE "audit_log" (
	"workspace_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text NOT NULL,
	"action" text NOT NULL,
	"target" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_log_pkey" PRIMARY KEY("workspace_id","seq")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"provider" text NOT NULL,
	"wire" text DEFAULT 'openai' NOT NULL,
	"base_url" text NOT NULL,
	"api_key_sealed" text,
	"api_key_last4" text,
	"key_version" integer DEFAULT 1 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connections_workspace_id_name_key" UNIQUE("workspace_id","name"),
	CONSTRAINT "connections_workspace_id_id_key" UNIQUE("workspace_id","id"),
	CONSTRAINT "connections_kind_check" CHECK ("connections"."kind" in ('http', 'sandbox')),
	CONSTRAINT "connections_wire_check" CHECK ("connections"."wire" in ('openai'))
);
--> statement-breakpoint
CREATE TABLE "key_tiers" (
	"key_id" text NOT NULL,
	"workspace_id" text NOT NULL,
	"position" integer NOT NULL,
	"connection_id" text NOT NULL,
	"model" text NOT NULL,
	"first_content_timeout_ms" integer,
	"idle_timeout_ms" integer,
	"response_timeout_ms" integer,
	CONSTRAINT "key_tiers_pkey" PRIMARY KEY("key_id","position")
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"last4" text NOT NULL,
	"previous_token_hash" text,
	"previous_valid_until" timestamp (3) with time zone,
	"default_route_id" text,
	"direct_models" boolean DEFAULT false NOT NULL,
	"strict_route" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "keys_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "keys_previous_token_hash_unique" UNIQUE("previous_token_hash"),
	CONSTRAINT "keys_workspace_id_name_key" UNIQUE("workspace_id","name"),
	CONSTRAINT "keys_workspace_id_id_key" UNIQUE("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "login_attempts" (
	"bucket" text PRIMARY KEY NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"blocked_until" timestamp (3) with time zone,
	"last_failure_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "management_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"last4" text NOT NULL,
	"role" text DEFAULT 'admin' NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "management_keys_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "management_keys_workspace_id_name_key" UNIQUE("workspace_id","name"),
	CONSTRAINT "management_keys_role_check" CHECK ("management_keys"."role" in ('viewer', 'developer', 'admin', 'owner'))
);
--> statement-breakpoint
CREATE TABLE "members" (
	"workspace_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_pkey" PRIMARY KEY("workspace_id","user_id"),
	CONSTRAINT "members_role_check" CHECK ("members"."role" in ('viewer', 'developer', 'admin', 'owner'))
);
--> statement-breakpoint
CREATE TABLE "probe_results" (
	"id" text PRIMARY KEY NOT NULL,
	"probe" text NOT NULL,
	"process_id" text NOT NULL,
	"ran_at" timestamp (3) with time zone NOT NULL,
	"passed" boolean NOT NULL,
	"duration_ms" integer NOT NULL,
	"detail" text NOT NULL,
	"figures" jsonb
);
--> statement-breakpoint
CREATE TABLE "route_tiers" (
	"route_id" text NOT NULL,
	"workspace_id" text NOT NULL,
	"position" integer NOT NULL,
	"connection_id" text NOT NULL,
	"model" text NOT NULL,
	"first_content_timeout_ms" integer,
	"idle_timeout_ms" integer,
	"response_timeout_ms" integer,
	CONSTRAINT "route_tiers_pkey" PRIMARY KEY("route_id","position")
);
--> statement-breakpoint
CREATE TABLE "route_versions" (
	"workspace_id" text NOT NULL,
	"route_id" text NOT NULL,
	"revision" integer NOT NULL,
	"snapshot" jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "route_versions_pkey" PRIMARY KEY("route_id","revision")
);
--> statement-breakpoint
CREATE TABLE "routes" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"name" text NOT NULL,
	"commit" text DEFAULT 'first_content' NOT NULL,
	"deadline_ms" integer DEFAULT 900000 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "routes_workspace_id_name_key" UNIQUE("workspace_id","name"),
	CONSTRAINT "routes_workspace_id_id_key" UNIQUE("workspace_id","id"),
	CONSTRAINT "routes_commit_check" CHECK ("routes"."commit" in ('first_content', 'complete'))
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"address_prefix" text,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"password_changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"is_system" boolean DEFAULT false NOT NULL,
	"fallback_model" text,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workspaces_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_tiers" ADD CONSTRAINT "key_tiers_key_fkey" FOREIGN KEY ("workspace_id","key_id") REFERENCES "public"."keys"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_tiers" ADD CONSTRAINT "key_tiers_connection_fkey" FOREIGN KEY ("workspace_id","connection_id") REFERENCES "public"."connections"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_default_route_fkey" FOREIGN KEY ("workspace_id","default_route_id") REFERENCES "public"."routes"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "management_keys" ADD CONSTRAINT "management_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "route_tiers" ADD CONSTRAINT "route_tiers_route_fkey" FOREIGN KEY ("workspace_id","route_id") REFERENCES "public"."routes"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "route_tiers" ADD CONSTRAINT "route_tiers_connection_fkey" FOREIGN KEY ("workspace_id","connection_id") REFERENCES "public"."connections"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "route_versions" ADD CONSTRAINT "route_versions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routes" ADD CONSTRAINT "routes_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "key_tiers_connection_id_idx" ON "key_tiers" USING btree ("connection_id");--> statement-breakpoint
CREATE INDEX "keys_default_route_id_idx" ON "keys" USING btree ("default_route_id");--> statement-breakpoint
CREATE INDEX "login_attempts_last_failure_at_idx" ON "login_attempts" USING btree ("last_failure_at");--> statement-breakpoint
CREATE INDEX "members_user_id_idx" ON "members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "probe_results_probe_ran_at_idx" ON "probe_results" USING btree ("probe","ran_at");--> statement-breakpoint
CREATE INDEX "route_tiers_connection_id_idx" ON "route_tiers" USING btree ("connection_id");--> statement-breakpoint
CREATE INDEX "sessions_user_id_idx" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at_idx" ON "sessions" USING btree ("expires_at");