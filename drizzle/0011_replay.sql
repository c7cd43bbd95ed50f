-- Keys that are there already were issued when nothing was kept: for them it stays so, until somebody turns it on.
ALTER TABLE "keys" ADD COLUMN "replay_enabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "keys" ALTER COLUMN "replay_enabled" SET DEFAULT true;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "replay_ttl_s" integer DEFAULT 3600 NOT NULL;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "replay_scope" text DEFAULT 'key' NOT NULL;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "replay_generation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "routes" ADD COLUMN "replay_generation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "replay_generation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "replay_shared_generation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_replay_ttl_s_check" CHECK ("keys"."replay_ttl_s" between 1 and 2592000);--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_replay_scope_check" CHECK ("keys"."replay_scope" in ('key', 'workspace'));
