import { sql } from 'drizzle-orm';
import { bigint, boolean, customType, doublePrecision, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { AdmittedRow, AttemptRow, CallRow, EcoRow, UsageRow } from '../../metering/call-row';
import type { SaverRecord } from '../../savers';
import { json, moment, workspaceId } from './columns';

/** A moment as it stands in the journal and in the API: ISO 8601, UTC, ms. */
const isoMoment = (name: string) =>
  customType<{ data: string; driverData: string }>({
    dataType: () => 'timestamp (3) with time zone',
    toDriver: (value) => value,
    fromDriver: (value) => new Date(value).toISOString(),
  })(name);

/**
 * The ledger: one row a call, whatever became of it. The properties are `CallRow`'s members and so are the
 * columns: the journalled JSON goes into this table without a mapping, and a selected row is a `CallRow`.
 *
 * It names workspaces, keys and connections without foreign keys: a row that was promised to a client is
 * kept when the key has been deleted since, and one odd row must never hold up the drain of a whole batch.
 */
export const calls = pgTable(
  'calls',
  {
    id: text('id').primaryKey(),
    workspace_id: workspaceId(),
    key_id: text('key_id').notNull(),
    created_at: isoMoment('created_at').notNull(),
    route: text('route'),
    requested_model: text('requested_model'),
    surface: text('surface').$type<CallRow['surface']>().notNull(),
    stream: boolean('stream'),
    commit: text('commit').$type<CallRow['commit']>().notNull(),
    request_bytes: bigint('request_bytes', { mode: 'number' }).notNull(),
    tag: text('tag'),
    finished_at: isoMoment('finished_at').notNull(),
    state: text('state').$type<CallRow['state']>().notNull(),
    replay: text('replay').$type<CallRow['replay']>(),
    status: integer('status'),
    error_code: text('error_code'),
    tier: integer('tier'),
    connection_id: text('connection_id'),
    provider: text('provider'),
    model: text('model'),
    model_reported: text('model_reported'),
    flushed_bytes: bigint('flushed_bytes', { mode: 'number' }),
    malformed_events: integer('malformed_events'),
    finish_reason: text('finish_reason'),
    alert_class: text('alert_class'),
    attempts: json<AttemptRow[]>('attempts').notNull(),
    eco: json<EcoRow[] | null>('eco'),
    usage: json<UsageRow | null>('usage'),
    usage_source: text('usage_source').$type<CallRow['usage_source']>(),
    usage_estimated: json<(keyof UsageRow)[]>('usage_estimated').notNull(),
    cost_nano_usd: bigint('cost_nano_usd', { mode: 'number' }),
    price_version: text('price_version'),
    first_content_ms: doublePrecision('first_content_ms'),
    duration_ms: doublePrecision('duration_ms'),
    savers: json<SaverRecord[] | null>('savers'),
    tokens_before: integer('tokens_before'),
    tokens_after: integer('tokens_after'),
    tokenizer: text('tokenizer'),
    arm: text('arm').$type<CallRow['arm']>(),
    conversation: text('conversation'),
    prompt_cost_nano_usd: bigint('prompt_cost_nano_usd', { mode: 'number' }),
    avoided_nano_usd: bigint('avoided_nano_usd', { mode: 'number' }),
    budget_nano_usd: bigint('budget_nano_usd', { mode: 'number' }),
  },
  (t) => [
    // Lists read them backwards: newest first, cursor (created_at, id).
    // Every row is entered in these three: without the id, which few rows of one millisecond need to be sorted by. Each
    // begins with the workspace, although a key is of one alone: PostgreSQL would intersect the key's calls with those
    // in a rare state, all of them, before it sorts out the newest.
    index('calls_workspace_id_created_at_idx').on(t.workspace_id, t.created_at),
    index('calls_workspace_id_key_id_created_at_idx').on(t.workspace_id, t.key_id, t.created_at),
    index('calls_workspace_id_route_created_at_idx').on(t.workspace_id, t.route, t.created_at),
    // What people look for is rare: the indexes hold only that.
    index('calls_unfinished_idx').on(t.workspace_id, t.state, t.created_at, t.id).where(sql`${t.state} <> 'finished'`),
    index('calls_alert_class_idx').on(t.workspace_id, t.alert_class, t.created_at, t.id).where(sql`${t.alert_class} is not null`),
    index('calls_tag_idx').on(t.workspace_id, t.tag, t.created_at, t.id).where(sql`${t.tag} is not null`),
    // What savings are measured by, and the calls that a stored answer made unnecessary.
    index('calls_arm_idx').on(t.workspace_id, t.created_at).where(sql`${t.arm} is not null`),
    index('calls_hit_idx').on(t.workspace_id, t.created_at).where(sql`${t.replay} = 'HIT'`),
    // The sums are rebuilt for a window over all workspaces.
    index('calls_created_at_idx').using('brin', t.created_at),
  ],
);

/**
 * Which failure classes a call met, in any attempt: what the list of calls is filtered by. Kept by triggers on
 * `calls`, for the few that met one.
 */
export const callClasses = pgTable(
  'call_classes',
  {
    workspace_id: workspaceId(),
    class: text('class').notNull(),
    created_at: isoMoment('created_at').notNull(),
    call_id: text('call_id').notNull(),
  },
  (t) => [primaryKey({ name: 'call_classes_pkey', columns: [t.workspace_id, t.class, t.created_at, t.call_id] })],
);

/**
 * Calls in flight of processes that have no journal folder, so that whoever comes next can close them as `lost`.
 * Empty where every process has one.
 */
export const openCalls = pgTable(
  'open_calls',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    /** Of `ledger_instances`. */
    instanceId: text('instance_id').notNull(),
    admitted: json<AdmittedRow>('admitted').notNull(),
    admittedAt: moment('admitted_at').notNull().defaultNow(),
  },
  (t) => [index('open_calls_instance_id_idx').on(t.instanceId)],
);

/** Processes that have written `open_calls`, and when they last said that they are alive. */
export const ledgerInstances = pgTable('ledger_instances', {
  id: text('id').primaryKey(),
  seenAt: moment('seen_at').notNull().defaultNow(),
});
