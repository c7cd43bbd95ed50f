import { sql } from 'drizzle-orm';
import { boolean, check, doublePrecision, index, integer, pgTable, primaryKey, text, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import type { AlertKind } from '../../alerts/kinds';
import type { AlertFacts, AlertMessage } from '../../alerts/message';
import { createdAt, json, moment, revision, updatedAt, workspaceId } from './columns';
import { workspaces } from './workspaces';

/** Where alerts are told: an e-mail address or a webhook. */
export const alertChannels = pgTable(
  'alert_channels',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    type: text('type', { enum: ['email', 'webhook'] }).notNull(),
    /** The address or the URL. */
    target: text('target').notNull(),
    /** `whsec_…`, sealed for this record and version; null for e-mail. */
    secretSealed: text('secret_sealed'),
    secretVersion: integer('secret_version').notNull().default(1),
    /** The secret before the last rotation: messages carry its signature as well until then. Its version is one less. */
    previousSecretSealed: text('previous_secret_sealed'),
    previousValidUntil: moment('previous_valid_until'),
    disabledAt: moment('disabled_at'),
    /** `person`; `gone`: the receiver answered 410; `failing`: nothing arrived through a whole schedule of tries. */
    disabledWhy: text('disabled_why', { enum: ['person', 'gone', 'failing'] }),
    /** `<actor kind>:<actor id>`. */
    createdBy: text('created_by').notNull(),
    revision: revision(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('alert_channels_workspace_id_name_key').on(t.workspaceId, t.name),
    check('alert_channels_type_check', sql`${t.type} in ('email', 'webhook')`),
  ],
);

/** What is watched. */
export const alertRules = pgTable(
  'alert_rules',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    kind: text('kind').$type<AlertKind>().notNull(),
    /** In the kind's own unit: calls, or percent. */
    threshold: doublePrecision('threshold').notNull(),
    windowS: integer('window_s').notNull(),
    /** A share of fewer calls says nothing. */
    minCalls: integer('min_calls').notNull().default(1),
    scopeType: text('scope_type', { enum: ['all', 'key', 'route'] }).notNull().default('all'),
    /** Id of the key or route; null with `all`. */
    scopeId: text('scope_id'),
    channelIds: json<string[]>('channel_ids').notNull(),
    disabledAt: moment('disabled_at'),
    mutedUntil: moment('muted_until'),
    /** Watched since then: a rule cannot tell of a silence that began before it listened. */
    watchedSince: moment('watched_since').notNull().defaultNow(),
    evaluatedAt: moment('evaluated_at'),
    createdBy: text('created_by').notNull(),
    revision: revision(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [unique('alert_rules_workspace_id_name_key').on(t.workspaceId, t.name), unique('alert_rules_workspace_id_id_key').on(t.workspaceId, t.id)],
);

/** When a workspace's rules are looked at next: one row, locked by whoever does it. */
export const alertClocks = pgTable(
  'alert_clocks',
  {
    workspaceId: text('workspace_id').primaryKey().references(() => workspaces.id, { onDelete: 'cascade' }),
    everyS: integer('every_s').notNull(),
    dueAt: moment('due_at').notNull().defaultNow(),
  },
  (t) => [index('alert_clocks_due_at_idx').on(t.dueAt)],
);

/** What is firing now. An episode begins once and ends once; its row goes with its end, the history keeps both. */
export const alertEpisodes = pgTable(
  'alert_episodes',
  {
    workspaceId: workspaceId(),
    ruleId: text('rule_id').notNull().references(() => alertRules.id, { onDelete: 'cascade' }),
    /** What of several it is about: a connection, a model, a budget; empty where the rule is about one thing. */
    subject: text('subject').notNull(),
    id: text('id').notNull(),
    beganAt: moment('began_at').notNull(),
    /** The last step that was told; 1 where a kind has one. */
    level: doublePrecision('level').notNull(),
    value: doublePrecision('value').notNull(),
    /** Since when it has been clear without a break; null while it is not. */
    clearSince: moment('clear_since'),
    /** The event that tells of it, and whether anybody was told: a muted one is not. */
    eventId: text('event_id').notNull(),
    told: boolean('told').notNull(),
  },
  (t) => [primaryKey({ name: 'alert_episodes_pkey', columns: [t.ruleId, t.subject] })],
);

/** The history. Rows are never edited. */
export const alertEvents = pgTable(
  'alert_events',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    ruleId: text('rule_id').notNull().references(() => alertRules.id, { onDelete: 'cascade' }),
    episodeId: text('episode_id').notNull(),
    type: text('type', { enum: ['fired', 'recovered', 'test'] }).notNull(),
    subject: text('subject').notNull(),
    value: doublePrecision('value'),
    threshold: doublePrecision('threshold').notNull(),
    /** What happened, in a sentence. */
    summary: text('summary').notNull(),
    facts: json<AlertFacts>('facts').notNull(),
    /** Nobody was told when it happened. */
    muted: boolean('muted').notNull(),
    at: moment('at').notNull(),
  },
  (t) => [index('alert_events_rule_id_at_idx').on(t.workspaceId, t.ruleId, t.at, t.id), index('alert_events_at_idx').on(t.at)],
);

/** Messages on their way, and the log of what became of them. They outlive rule and channel. */
export const alertDeliveries = pgTable(
  'alert_deliveries',
  {
    /** Also the `webhook-id`: the same on every try and when it is sent again by hand. */
    id: text('id').primaryKey(),
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    eventId: text('event_id').notNull(),
    channelId: text('channel_id').notNull(),
    type: text('type', { enum: ['email', 'webhook'] }).notNull(),
    target: text('target').notNull(),
    message: json<AlertMessage>('message').notNull(),
    /** `queued` until the last try; `not_configured`: no mail server, kept to be read here; `dropped`: its channel was disabled or is gone. */
    state: text('state', { enum: ['queued', 'delivered', 'failed', 'not_configured', 'dropped'] }).notNull().default('queued'),
    /** Tries of the present schedule; sending again begins a new one. */
    tries: integer('tries').notNull().default(0),
    nextTryAt: moment('next_try_at'),
    /** A process is at it; another may take it up from then on. */
    leasedUntil: moment('leased_until'),
    lastTryAt: moment('last_try_at'),
    /** HTTP status, or the SMTP server's. */
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    /** At most 1 KiB of what the receiver said. */
    lastResponse: text('last_response'),
    deliveredAt: moment('delivered_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('alert_deliveries_workspace_id_created_at_idx').on(t.workspaceId, t.createdAt, t.id),
    index('alert_deliveries_due_idx').on(t.nextTryAt).where(sql`${t.state} = 'queued'`),
    index('alert_deliveries_channel_id_idx').on(t.channelId).where(sql`${t.state} = 'queued'`),
    index('alert_deliveries_created_at_idx').on(t.createdAt),
    uniqueIndex('alert_deliveries_event_id_channel_id_key').on(t.eventId, t.channelId),
  ],
);
