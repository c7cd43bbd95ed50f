ALTER TABLE "keys" DROP CONSTRAINT "keys_workspace_id_name_key";--> statement-breakpoint
ALTER TABLE "management_keys" DROP CONSTRAINT "management_keys_workspace_id_name_key";--> statement-breakpoint
CREATE UNIQUE INDEX "keys_workspace_id_name_key" ON "keys" USING btree ("workspace_id","name") WHERE "keys"."revoked_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "management_keys_workspace_id_name_key" ON "management_keys" USING btree ("workspace_id","name") WHERE "management_keys"."revoked_at" is null;