import { bigint, boolean, customType, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, json, moment, workspaceId } from './columns';
import { workspaces } from './workspaces';

const bytes = (name: string) => customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })(name);

/** Which calls: the filters of `GET /calls`, resolved (key ids, moments) when the export was asked for. */
export interface ExportFilter {
  key?: string;
  route?: string;
  state?: string;
  class?: string;
  model?: string;
  connection?: string;
  tag?: string;
  from?: string;
  /** Always set: calls that come later are not in it. */
  to: string;
}

/** Files of calls, written by a background job. Each is kept for some days. */
export const exports = pgTable(
  'exports',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    format: text('format').$type<'csv' | 'jsonl'>().notNull(),
    filter: json<ExportFilter>('filter').notNull(),
    state: text('state').$type<'queued' | 'running' | 'finished' | 'failed'>().notNull().default('queued'),
    /** Calls written until now. */
    rows: integer('rows').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** There were more calls than an export may have. */
    capped: boolean('capped').notNull().default(false),
    /** Where the next chunk begins: the cursor of the calls list; null at the first. */
    cursor: text('cursor'),
    /** One public sentence when it failed. */
    error: text('error'),
    /** How many times a process has begun or taken it up. */
    tries: integer('tries').notNull().default(0),
    /** The process that works on it last said so. */
    seenAt: moment('seen_at'),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    finishedAt: moment('finished_at'),
  },
  (t) => [
    index('exports_workspace_id_created_at_idx').on(t.workspaceId, t.createdAt),
    index('exports_state_idx').on(t.state, t.seenAt),
  ],
);

/**
 * What has been written of an export. A chunk and the cursor behind it are committed together, so that whoever
 * takes an interrupted export up goes on behind the last chunk, in whichever process and on whichever machine.
 */
export const exportChunks = pgTable(
  'export_chunks',
  {
    workspaceId: workspaceId(),
    exportId: text('export_id').notNull().references(() => exports.id, { onDelete: 'cascade' }),
    seq: integer('seq').notNull(),
    data: bytes('data').notNull(),
  },
  (t) => [primaryKey({ name: 'export_chunks_pkey', columns: [t.exportId, t.seq] })],
);
