ALTER TABLE "calls" ALTER COLUMN "route" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ALTER COLUMN "requested_model" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ALTER COLUMN "stream" DROP NOT NULL;