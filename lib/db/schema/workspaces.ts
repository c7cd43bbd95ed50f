import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { LimitsJson } from '../../limits';
import { createdAt, json, revision } from './columns';

/** A tenant. Row-level security lets a transaction see its own workspace only. */
export const workspaces = pgTable('workspaces', {
  id: text('id').primaryKey(),
  /** Its place in the dashboard's addresses; lower case letters, digits and hyphens. */
  slug: text('slug').notNull().unique(),
  name: text('name').notNull(),
  /** The workspace that probes run in: outside every total, without members. */
  isSystem: boolean('is_system').notNull().default(false),
  /** Resolve-time answer for model names that cannot be resolved; null: 404. */
  fallbackModel: text('fallback_model'),
  /** Rates and budgets of all its keys together, as the management API takes them; null: none. */
  limits: json<LimitsJson | null>('limits'),
  /** Part of the name of every answer kept of this workspace: the next one puts them all out of reach. */
  replayGeneration: integer('replay_generation').notNull().default(0),
  /** The same for answers that keys share: moves on when one of the keys is revoked, whose answers are among them. */
  replaySharedGeneration: integer('replay_shared_generation').notNull().default(0),
  revision: revision(),
  createdAt: createdAt(),
});
