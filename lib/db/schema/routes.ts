import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, revision, updatedAt, workspaceId } from './columns';
import { workspaces } from './workspaces';

/** A named, ordered list of tiers; the tiers are in `route_tiers`. */
export const routes = pgTable(
  'routes',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    commit: text('commit', { enum: ['first_content', 'complete'] })
      .notNull()
      .default('first_content'),
    /** Bound on everything up to the commit. */
    deadlineMs: integer('deadline_ms').notNull().default(900_000),
    /** Part of the name of every answer kept of this route: the next one puts them all out of reach. */
    replayGeneration: integer('replay_generation').notNull().default(0),
    revision: revision(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('routes_workspace_id_name_key').on(t.workspaceId, t.name),
    unique('routes_workspace_id_id_key').on(t.workspaceId, t.id),
    check('routes_commit_check', sql`${t.commit} in ('first_content', 'complete')`),
  ],
);
