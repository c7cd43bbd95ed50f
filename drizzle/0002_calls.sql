CREATE TABLE "calls" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"route" text NOT NULL,
	"requested_model" text NOT NULL,
	"surface" text NOT NULL,
	"stream" boolean NOT NULL,
	"commit" text NOT NULL,
	"request_bytes" bigint NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"replay" text,
	"status" integer,
	"error_code" text,
	"tier" integer,
	"connection_id" text,
	"provider" text,
	"model" text,
	"model_reported" text,
	"flushed_bytes" bigint,
	"malformed_events" integer,
	"finish_reason" text,
	"alert_class" text,
	"attempts" jsonb NOT NULL,
	"usage" jsonb,
	"usage_source" text,
	"usage_estimated" jsonb NOT NULL,
	"cost_nano_usd" bigint,
	"price_version" text,
	"first_content_ms" double precision,
	"duration_ms" double precision
);
--> statement-breakpoint
CREATE TABLE "ledger_instances" (
	"id" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "open_calls" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"instance_id" text NOT NULL,
	"admitted" jsonb NOT NULL,
	"admitted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "calls_workspace_id_created_at_id_idx" ON "calls" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "calls_workspace_id_key_id_created_at_id_idx" ON "calls" USING btree ("workspace_id","key_id","created_at","id");--> statement-breakpoint
CREATE INDEX "calls_workspace_id_route_created_at_id_idx" ON "calls" USING btree ("workspace_id","route","created_at","id");--> statement-breakpoint
CREATE INDEX "calls_unfinished_idx" ON "calls" USING btree ("workspace_id","state","created_at","id") WHERE "calls"."state" <> 'finished';--> statement-breakpoint
CREATE INDEX "calls_alert_class_idx" ON "calls" USING btree ("workspace_id","alert_class","created_at","id") WHERE "calls"."alert_class" is not null;--> statement-breakpoint
CREATE INDEX "calls_created_at_idx" ON "calls" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "open_calls_instance_id_idx" ON "open_calls" USING btree ("instance_id");