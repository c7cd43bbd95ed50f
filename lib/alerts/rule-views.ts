import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Tx } from '../db';
import { alertChannels, alertDeliveries, alertEpisodes, alertRules } from '../db/schema';
import type { AlertEventView, AlertView } from '../management/schemas';
import { Refusal } from '../std';
import { scopeName, type EventRow, type RuleRow } from './events';
import { kindOf } from './kinds';

/** Refuses `not_found`. */
export async function ruleRow(tx: Tx, workspaceId: string, id: string, lock: boolean): Promise<RuleRow> {
  const query = tx.select().from(alertRules).where(and(eq(alertRules.workspaceId, workspaceId), eq(alertRules.id, id)));
  const [row] = await (lock ? query.for('update') : query);
  if (row === undefined) throw new Refusal('not_found', 'There is no such alert in this workspace.');
  return row;
}

export async function ruleViews(tx: Tx, workspaceId: string, rows: RuleRow[]): Promise<AlertView[]> {
  if (rows.length === 0) return [];
  const channels = await tx.select().from(alertChannels).where(eq(alertChannels.workspaceId, workspaceId));
  const episodes = await tx.select().from(alertEpisodes).where(and(eq(alertEpisodes.workspaceId, workspaceId), inArray(alertEpisodes.ruleId, rows.map(({ id }) => id)))).orderBy(asc(alertEpisodes.beganAt), asc(alertEpisodes.subject));
  const views: AlertView[] = [];
  for (const row of rows) {
    const firing = episodes.filter(({ ruleId }) => ruleId === row.id);
    views.push({
      id: row.id,
      name: row.name,
      kind: row.kind,
      threshold: row.threshold,
      unit: kindOf(row.kind).unit,
      window_s: row.windowS,
      min_calls: row.minCalls,
      scope: { type: row.scopeType, id: row.scopeId, name: await scopeName(tx, row) },
      channels: channels.filter(({ id }) => row.channelIds.includes(id)).map(({ id, name, type, disabledAt }) => ({ id, name, type, enabled: disabledAt === null })),
      enabled: row.disabledAt === null,
      state: row.disabledAt !== null ? 'disabled' : firing.length > 0 ? 'firing' : row.evaluatedAt === null ? 'not_evaluated' : 'ok',
      firing: firing.map((episode) => ({
        episode_id: episode.id,
        subject: episode.subject,
        began_at: episode.beganAt.toISOString(),
        value: episode.value,
        level: episode.level,
        clear_since: episode.clearSince?.toISOString() ?? null,
      })),
      muted_until: row.mutedUntil?.toISOString() ?? null,
      evaluated_at: row.evaluatedAt?.toISOString() ?? null,
      revision: row.revision,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    });
  }
  return views;
}

/** Events with their messages, in the order of the rows. */
export async function eventViews(tx: Tx, workspaceId: string, rows: EventRow[]): Promise<AlertEventView[]> {
  if (rows.length === 0) return [];
  const deliveries = await tx
    .select({ id: alertDeliveries.id, eventId: alertDeliveries.eventId, type: alertDeliveries.type, state: alertDeliveries.state, channel: alertChannels.name })
    .from(alertDeliveries)
    .leftJoin(alertChannels, and(eq(alertChannels.workspaceId, alertDeliveries.workspaceId), eq(alertChannels.id, alertDeliveries.channelId)))
    .where(and(eq(alertDeliveries.workspaceId, workspaceId), inArray(alertDeliveries.eventId, rows.map(({ id }) => id))))
    .orderBy(asc(alertDeliveries.id));
  return rows.map((row) => ({
    id: row.id,
    alert_id: row.ruleId,
    episode_id: row.episodeId,
    type: row.type,
    subject: row.subject,
    value: row.value,
    threshold: row.threshold,
    summary: row.summary,
    ...row.facts,
    muted: row.muted,
    at: row.at.toISOString(),
    deliveries: deliveries.filter(({ eventId }) => eventId === row.id).map(({ id, channel, type, state }) => ({ id, channel, type, state })),
  }));
}
