import * as z from 'zod';
import { ALERT_KINDS, KINDS, MIN_WINDOW_S } from '../../alerts/kinds';
import { id, label, moment, nullableTimestamp, NOT_PLAIN, PLAIN_TEXT, reference, revision, timestamp } from './field';
import { cursor, limit } from './page';

const MAX_CHANNELS = 20;

const members = {
  kind: z.enum(ALERT_KINDS, { error: `must be one of ${ALERT_KINDS.join(', ')}` }).meta({ description: ALERT_KINDS.map((kind) => `\`${kind}\`: ${KINDS[kind].meaning}`).join(' ') }),
  threshold: z.number('must be a number').positive('must be more than 0').max(1_000_000, 'must be at most 1,000,000').meta({
    description: 'At which figure it fires, in the kind’s own unit: calls in the window, or percent. `budget` takes 50, 80 or 100 and tells each of these steps from there on. `no_traffic` fires below it.',
  }),
  window_s: z.int('must be a whole number of seconds').min(MIN_WINDOW_S, `must be at least ${MIN_WINDOW_S} s`).max(604_800, 'must be at most 604,800 s (7 days)').meta({ description: 'How far back calls are counted, s; up to an hour, for `no_traffic` up to seven days. Of no meaning for `budget`.' }),
  min_calls: z.int('must be a whole number').min(1, 'must be at least 1').max(1_000_000, 'must be at most 1,000,000').meta({ description: 'A share of fewer calls says nothing. For the rates only.' }),
  scope: z
    .strictObject({
      type: z.enum(['all', 'key', 'route'], { error: 'must be "all", "key" or "route"' }),
      id: reference('key or route').nullish(),
      name: reference('key or route').nullish(),
    })
    .refine(({ type, id: one, name }) => type === 'all' || one != null || name != null, { path: ['id'], message: 'is required: which key or route' })
    .meta({ description: 'Which calls: all of the workspace, or those of one key or one route, by `id` or by `name`.', examples: [{ type: 'route', name: 'chat' }] }),
  channels: z.array(reference('channel'), 'must be a list of channels').max(MAX_CHANNELS, `must be at most ${MAX_CHANNELS}`).meta({ description: 'Names or ids of channels. With none it only keeps a history.' }),
  enabled: z.boolean('must be true or false'),
};

export const alertCreate = z
  .strictObject({
    name: label,
    kind: members.kind,
    threshold: members.threshold.optional().meta({ description: `${members.threshold.meta()?.description} Left out: the kind’s default.` }),
    window_s: members.window_s.optional(),
    min_calls: members.min_calls.optional(),
    scope: members.scope.default({ type: 'all' }),
    channels: members.channels.default([]),
    enabled: members.enabled.default(true),
  })
  .meta({ description: 'Something to watch.', examples: [{ name: 'cut by a rate limit', kind: 'rate_limited.after_content', threshold: 1, window_s: 300, scope: { type: 'route', name: 'chat' }, channels: ['ops'] }] });

export const alertUpdate = z
  .strictObject({
    name: label.optional(),
    kind: members.kind.optional(),
    threshold: members.threshold.optional(),
    window_s: members.window_s.optional(),
    min_calls: members.min_calls.optional(),
    scope: members.scope.optional(),
    channels: members.channels.optional(),
    enabled: members.enabled.optional(),
    muted_until: moment.nullable().optional().meta({ description: 'Nobody is told until then; the history goes on. What still fires then is told after all. Null: not muted.' }),
  })
  .refine((body) => Object.keys(body).length > 0, 'must change something')
  .meta({ description: 'Members that are left out stay. Another kind or scope ends what fires.', examples: [{ muted_until: '2030-01-31T12:00:00Z' }] });

const firing = z.strictObject({
  episode_id: id,
  subject: z.string().meta({ description: 'The connection, model or budget that it is about; empty where the alert is about one thing.' }),
  began_at: timestamp,
  value: z.number(),
  level: z.number().meta({ description: 'The step of a budget that was reached; 1 for the other kinds.' }),
  clear_since: nullableTimestamp.meta({ description: 'Since when it has been clear; it is over after a window of that, at most 15 minutes.' }),
});

export const alertRule = z
  .strictObject({
    id,
    name: z.string(),
    kind: z.enum(ALERT_KINDS),
    threshold: z.number(),
    unit: z.enum(['calls', 'percent']),
    window_s: z.int(),
    min_calls: z.int(),
    scope: z.strictObject({ type: z.enum(['all', 'key', 'route']), id: z.string().nullable(), name: z.string().nullable().meta({ description: 'Null for all calls, and when the key or route is gone.' }) }),
    channels: z.array(z.strictObject({ id, name: z.string(), type: z.enum(['email', 'webhook']), enabled: z.boolean() })),
    enabled: z.boolean(),
    state: z.enum(['ok', 'firing', 'disabled', 'not_evaluated']),
    firing: z.array(firing),
    muted_until: nullableTimestamp,
    evaluated_at: nullableTimestamp,
    revision,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ description: 'An alert: what it watches and how that stands.' });

export const alertList = z.strictObject({ data: z.array(alertRule), next_cursor: z.null() }).meta({ description: 'Every alert of the workspace, by name.' });

const latestCall = z.strictObject({
  id,
  at: timestamp,
  provider: z.string().nullable(),
  model: z.string().nullable(),
  upstream_status: z.int().nullable(),
  flushed_bytes: z.int().meta({ description: 'Of that attempt, that had reached the client: 0 before content.' }),
});

const budgetFacts = z.strictObject({
  scope: z.enum(['key', 'workspace']),
  key_id: z.string().nullable(),
  name: z.string(),
  period: z.enum(['day', 'month']),
  limit_nano_usd: z.int(),
  spent_nano_usd: z.int(),
  resets_at: timestamp,
});

export const alertEvent = z
  .strictObject({
    id,
    alert_id: z.string(),
    episode_id: id.meta({ description: 'The same in the event that began it and in the one that ended it.' }),
    type: z.enum(['fired', 'recovered', 'test']),
    subject: z.string(),
    value: z.number().nullable(),
    threshold: z.number(),
    summary: z.string(),
    of: z.int().nullable().meta({ description: 'Calls that a share is of.' }),
    latest_call: latestCall.nullable(),
    budget: budgetFacts.nullable(),
    ended: z.enum(['clear', 'rule_edited', 'rule_disabled', 'rule_deleted']).nullable(),
    muted: z.boolean().meta({ description: 'Nobody was told when it happened.' }),
    at: timestamp,
    deliveries: z.array(z.strictObject({ id, channel: z.string().nullable(), type: z.enum(['email', 'webhook']), state: z.enum(['queued', 'delivered', 'failed', 'not_configured', 'dropped']) })),
  })
  .meta({ description: 'What happened to an alert.' });

export const alertEventQuery = z.strictObject({ limit, cursor });

export const DELIVERY_STATES = ['queued', 'delivered', 'failed', 'not_configured', 'dropped'] as const;

export const delivery = z
  .strictObject({
    id: id.meta({ description: 'Also the `webhook-id`: the same on every try.' }),
    event_id: z.string(),
    alert_id: z.string(),
    alert_name: z.string(),
    message: z.enum(['alert.fired', 'alert.recovered', 'alert.test']),
    channel: z.strictObject({ id, name: z.string().nullable().meta({ description: 'Null when it is gone.' }), type: z.enum(['email', 'webhook']) }),
    target: z.string(),
    subject: z.string(),
    text: z.string().meta({ description: 'As it is read: what an e-mail holds.' }),
    state: z.enum(DELIVERY_STATES).meta({ description: '`not_configured`: there is no mail server, so the message is kept here. `dropped`: its channel was disabled or deleted.' }),
    tries: z.int(),
    next_try_at: nullableTimestamp,
    last_try_at: nullableTimestamp,
    last_status: z.int().nullable().meta({ description: 'HTTP status of the receiver, or the mail server’s.' }),
    last_error: z.string().nullable(),
    last_response: z.string().nullable().meta({ description: 'The beginning of what the receiver said, at most 1 KiB.' }),
    delivered_at: nullableTimestamp,
    created_at: timestamp,
  })
  .meta({ description: 'One message to one channel, and what became of it. Kept for 30 days.' });

export const deliveryQuery = z.strictObject({
  limit,
  cursor,
  state: z.enum(DELIVERY_STATES, { error: `must be one of ${DELIVERY_STATES.join(', ')}` }).optional(),
  alert: z.string().max(100).regex(PLAIN_TEXT, NOT_PLAIN).optional().meta({ description: 'Id of an alert.' }),
});

export type AlertCreate = z.output<typeof alertCreate>;
export type AlertUpdate = z.output<typeof alertUpdate>;
export type AlertView = z.output<typeof alertRule>;
export type AlertEventView = z.output<typeof alertEvent>;
export type AlertEventQuery = z.output<typeof alertEventQuery>;
export type DeliveryView = z.output<typeof delivery>;
export type DeliveryQuery = z.output<typeof deliveryQuery>;
