import { foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { workspaceId } from './columns';
import { connections } from './connections';
import { routes } from './routes';

/** What a tier is, wherever it hangs: on a route or on a key. */
export const tierColumns = () => ({
  workspaceId: workspaceId(),
  /** 1-based. */
  position: integer('position').notNull(),
  /** 0: the row is a tier. From 1: one candidate of an eco tier, which is as many rows; its time-outs stand in each. */
  candidate: integer('candidate').notNull().default(0),
  connectionId: text('connection_id').notNull(),
  model: text('model').notNull(),
  /** Null: the contract's default for the tier's place and model. */
  firstContentTimeoutMs: integer('first_content_timeout_ms'),
  idleTimeoutMs: integer('idle_timeout_ms'),
  responseTimeoutMs: integer('response_timeout_ms'),
});

/** The tiers of routes. Both foreign keys carry the workspace: a tier cannot point into another one. */
export const routeTiers = pgTable(
  'route_tiers',
  { routeId: text('route_id').notNull(), ...tierColumns() },
  (t) => [
    primaryKey({ name: 'route_tiers_pkey', columns: [t.routeId, t.position, t.candidate] }),
    index('route_tiers_connection_id_idx').on(t.connectionId),
    foreignKey({
      name: 'route_tiers_route_fkey',
      columns: [t.workspaceId, t.routeId],
      foreignColumns: [routes.workspaceId, routes.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'route_tiers_connection_fkey',
      columns: [t.workspaceId, t.connectionId],
      foreignColumns: [connections.workspaceId, connections.id],
    }),
  ],
);
