import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { json, moment } from './columns';

/** What the product's probes of itself found. Belongs to no workspace; rows are never edited, only swept by age. */
export const probeResults = pgTable(
  'probe_results',
  {
    id: text('id').primaryKey(),
    /** Which probe, e.g. `failover_before_content`. */
    probe: text('probe').notNull(),
    /** Which process ran it: random per boot. */
    processId: text('process_id').notNull(),
    ranAt: moment('ran_at').notNull(),
    passed: boolean('passed').notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** One sentence: what was seen. */
    detail: text('detail').notNull(),
    figures: json<Record<string, unknown>>('figures'),
  },
  (t) => [index('probe_results_probe_ran_at_idx').on(t.probe, t.ranAt)],
);
