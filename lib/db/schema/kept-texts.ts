import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { moment, workspaceId } from './columns';
import { workspaces } from './workspaces';

/** Texts that savers rewrote, as they came and as they were sent: of keys that keep them, sealed, until a stated moment. */
export const keptTexts = pgTable(
  'kept_texts',
  {
    callId: text('call_id').primaryKey(),
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    keyId: text('key_id').notNull(),
    keptAt: moment('kept_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    sealed: text('sealed').notNull(),
  },
  (t) => [index('kept_texts_key_id_idx').on(t.workspaceId, t.keyId), index('kept_texts_expires_at_idx').on(t.expiresAt)],
);
