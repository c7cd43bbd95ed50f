import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { moment, workspaceId } from './columns';

const dimension = (name: string) => text(name).notNull().default('');
const count = (name: string) => integer(name).notNull();
const sum = (name: string) => bigint(name, { mode: 'bigint' }).notNull();

/**
 * The ledger's sums by UTC hour: one row for every combination of key, route, connection, model and surface that
 * had a call in the hour, and beside them one row for every tag (whose other dimensions are then empty, so that
 * tags, of which there may be many, never multiply the rest). An empty text stands for the ledger's null.
 *
 * Triggers on `calls` keep it (drizzle/*_usage*.sql): whoever writes a ledger row, in whatever way, the sums are
 * those of the rows when the transaction commits. They may be dropped and rebuilt. Every integer column is a sum
 * over calls of what `ohm_call_measures` says of one, under the same name; a measure is added in both places.
 */
export const usageRollups = pgTable('usage_rollups', sums(), (t) => [
  primaryKey({
    name: 'usage_rollups_pkey',
    columns: [t.workspace_id, t.hour, t.key_id, t.route, t.connection_id, t.provider, t.model, t.surface, t.tag],
  }),
  index('usage_rollups_untagged_idx').on(t.workspace_id, t.hour).where(sql`${t.tag} = ''`),
  index('usage_rollups_tagged_idx').on(t.workspace_id, t.hour, t.tag).where(sql`${t.tag} <> ''`),
]);

/**
 * The same by blocks of four hours, which begin at 0, 4, 8, … o'clock UTC, without the tags: what long times are read
 * from that are filtered by one thing and grouped by another.
 */
export const usageBlocks = pgTable('usage_blocks', sums(), (t) => [
  primaryKey({
    name: 'usage_blocks_pkey',
    columns: [t.workspace_id, t.hour, t.key_id, t.route, t.connection_id, t.provider, t.model, t.surface, t.tag],
  }),
  index('usage_blocks_untagged_idx').on(t.workspace_id, t.hour).where(sql`${t.tag} = ''`),
]);

/**
 * The same by parts of hours, tags too: each hour's first quarter, its second one and its second half, which are all
 * that the midnights of any zone's clocks cut an hour into.
 */
export const usageParts = pgTable('usage_parts', sums(), (t) => [
  primaryKey({
    name: 'usage_parts_pkey',
    columns: [t.workspace_id, t.hour, t.key_id, t.route, t.connection_id, t.provider, t.model, t.surface, t.tag],
  }),
  index('usage_parts_untagged_idx').on(t.workspace_id, t.hour).where(sql`${t.tag} = ''`),
  index('usage_parts_tagged_idx').on(t.workspace_id, t.hour, t.tag).where(sql`${t.tag} <> ''`),
]);

/**
 * Sums by one thing alone, by days of UTC and blocks of four hours: a few dozen rows where the combinations are
 * hundreds. Those of all calls, and of all that have a tag, by hours and parts of hours besides.
 */
export const usageGroups = pgTable(
  'usage_groups',
  {
    workspace_id: workspaceId(),
    kind: text('kind').$type<'all' | 'tagged' | 'key' | 'model' | 'route' | 'connection' | 'tag'>().notNull(),
    /** How long: 24, 4 or 1; 0 stands for a part of an hour. */
    hours: smallint('hours').notNull(),
    /** When it begins. */
    hour: moment('hour').notNull(),
    /** Empty for the ledger's null, and of the kinds that are all in one. */
    value: text('value').notNull(),
    /** Of a model. */
    provider: text('provider').notNull(),
    ...measures(),
  },
  (t) => [primaryKey({ name: 'usage_groups_pkey', columns: [t.workspace_id, t.kind, t.hours, t.hour, t.value, t.provider] })],
);

/**
 * How long first content took, by UTC hour: calls by bucket, each 4 % wider than the one before. A percentile read
 * from it is within 2 % of the true one.
 */
export const usageLatencies = pgTable(
  'usage_latencies',
  {
    workspace_id: workspaceId(),
    hour: moment('hour').notNull(),
    /** n: above 1.04^(n-1) ms, up to 1.04^n ms. */
    bucket: smallint('bucket').notNull(),
    calls: integer('calls').notNull(),
  },
  (t) => [primaryKey({ name: 'usage_latencies_pkey', columns: [t.workspace_id, t.hour, t.bucket] })],
);

function sums() {
  return {
    workspace_id: workspaceId(),
    /** When it begins. */
    hour: moment('hour').notNull(),
    key_id: dimension('key_id'),
    route: dimension('route'),
    connection_id: dimension('connection_id'),
    provider: dimension('provider'),
    model: dimension('model'),
    surface: dimension('surface'),
    tag: dimension('tag'),
    ...measures(),
  };
}

function measures() {
  return {
    calls: count('calls'),
    finished: count('finished'),
    truncated: count('truncated'),
    rejected: count('rejected'),
    aborted: count('aborted'),
    lost: count('lost'),
    streams: count('streams'),
    streams_committed: count('streams_committed'),
    streams_truncated: count('streams_truncated'),
    /** Calls in which a tier failed other than the one that answered, and those of them that a tier answered. */
    tier_failed: count('tier_failed'),
    failovers: count('failovers'),
    replay_hit: count('replay_hit'),
    replay_miss: count('replay_miss'),
    replay_bypass: count('replay_bypass'),

    /** Calls by who counted their tokens; those with a price, and those that used tokens at an unknown one. */
    usage_provider: count('usage_provider'),
    usage_estimate: count('usage_estimate'),
    priced: count('priced'),
    unpriced: count('unpriced'),
    /** Calls whose usage tells the kind at all: a kind that nobody told is not 0. */
    told_cached: count('told_cached'),
    told_cache_write: count('told_cache_write'),
    told_reasoning: count('told_reasoning'),
    prompt_tokens: sum('prompt_tokens'),
    cached_tokens: sum('cached_tokens'),
    cache_write_tokens: sum('cache_write_tokens'),
    completion_tokens: sum('completion_tokens'),
    reasoning_tokens: sum('reasoning_tokens'),
    /** The part of prompt and completion tokens that calls with an estimate make up. */
    estimate_prompt_tokens: sum('estimate_prompt_tokens'),
    estimate_completion_tokens: sum('estimate_completion_tokens'),
    cost_nano_usd: sum('cost_nano_usd'),
    /** Attempts that failed and yet reported usage: in no sum above. */
    failed_attempts_metered: count('failed_attempts_metered'),
    failed_prompt_tokens: sum('failed_prompt_tokens'),
    failed_completion_tokens: sum('failed_completion_tokens'),
  };
}
