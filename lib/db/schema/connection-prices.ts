import { bigint, foreignKey, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, moment, workspaceId } from './columns';
import { connections } from './connections';

/** Integer nano-USD for a million tokens: a million of them is a dollar for a thousand tokens. */
const rate = (name: string) => bigint(name, { mode: 'number' });

/** What a workspace says that a model costs it at one connection, from a moment on: in place of the list price. */
export const connectionPrices = pgTable(
  'connection_prices',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    connectionId: text('connection_id').notNull(),
    model: text('model').notNull(),
    effectiveFrom: moment('effective_from').notNull(),
    input: rate('input').notNull(),
    output: rate('output').notNull(),
    /** Null: cached tokens cost what others of the prompt do; tokens written into a cache likewise. */
    cachedInput: rate('cached_input'),
    cacheWrite: rate('cache_write'),
    /** `<actor kind>:<actor id>`. */
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('connection_prices_from_key').on(t.connectionId, t.model, t.effectiveFrom),
    foreignKey({
      name: 'connection_prices_connection_fkey',
      columns: [t.workspaceId, t.connectionId],
      foreignColumns: [connections.workspaceId, connections.id],
    }).onDelete('cascade'),
  ],
);
