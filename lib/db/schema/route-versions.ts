import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, json, workspaceId } from './columns';
import { workspaces } from './workspaces';

/** What a route was at each revision. Insert-only for the app, and kept when the route is deleted. */
export const routeVersions = pgTable(
  'route_versions',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    routeId: text('route_id').notNull(),
    revision: integer('revision').notNull(),
    /** The route as the management API shows it. */
    snapshot: json<Record<string, unknown>>('snapshot').notNull(),
    /** `<actor kind>:<actor id>`. */
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: 'route_versions_pkey', columns: [t.routeId, t.revision] })],
);
