import { and, eq, inArray } from 'drizzle-orm';
import type { Tx } from '../db';
import { alertChannels, alertDeliveries, alertEpisodes, alertEvents, alertRules, keys, routes, workspaces } from '../db/schema';
import { newId } from '../std';
import { clearForS } from './kinds';
import { alertMessage, recoveredSummary, type AlertFacts } from './message';

export type RuleRow = typeof alertRules.$inferSelect;
export type EpisodeRow = typeof alertEpisodes.$inferSelect;
export type EventRow = typeof alertEvents.$inferSelect;

export const isMuted = (rule: Pick<RuleRow, 'mutedUntil'>, at: Date): boolean => rule.mutedUntil !== null && rule.mutedUntil > at;

/** Puts an event into the history. */
export async function record(tx: Tx, rule: RuleRow, event: Omit<EventRow, 'id' | 'workspaceId' | 'ruleId'>): Promise<EventRow> {
  const row = { id: newId('event', event.at.getTime()), workspaceId: rule.workspaceId, ruleId: rule.id, ...event };
  await tx.insert(alertEvents).values(row);
  return row;
}

/** Queues an event's message for every channel of its rule. A disabled channel's is put down as dropped, so that the log shows it. */
export async function tell(tx: Tx, rule: RuleRow, event: EventRow, publicUrl: string, at: Date): Promise<number> {
  if (rule.channelIds.length === 0) return 0;
  const [workspace] = await tx.select({ id: workspaces.id, slug: workspaces.slug, name: workspaces.name }).from(workspaces).where(eq(workspaces.id, rule.workspaceId));
  const channels = await tx.select().from(alertChannels).where(and(eq(alertChannels.workspaceId, rule.workspaceId), inArray(alertChannels.id, rule.channelIds)));
  if (channels.length === 0) return 0;
  const message = alertMessage({ event, rule, scopeName: await scopeName(tx, rule), workspace: workspace!, publicUrl });
  await tx.insert(alertDeliveries).values(
    channels.map((channel) => ({
      id: newId('msg', at.getTime()),
      workspaceId: rule.workspaceId,
      eventId: event.id,
      channelId: channel.id,
      type: channel.type,
      target: channel.target,
      message,
      createdAt: at,
      ...(channel.disabledAt === null ? { nextTryAt: at } : { state: 'dropped' as const, lastError: 'the channel was disabled' }),
    })),
  );
  return channels.length;
}

/** Name of the key or route that a rule watches; null for all calls, or when it is gone. */
export async function scopeName(tx: Tx, rule: Pick<RuleRow, 'workspaceId' | 'scopeType' | 'scopeId'>): Promise<string | null> {
  if (rule.scopeId === null) return null;
  const table = rule.scopeType === 'key' ? keys : routes;
  const [row] = await tx.select({ name: table.name }).from(table).where(and(eq(table.workspaceId, rule.workspaceId), eq(table.id, rule.scopeId)));
  return row?.name ?? null;
}

/** Ends an episode: the history has it, and whoever was told of its beginning is told of its end. */
export async function endEpisode(
  tx: Tx,
  { rule, episode, ended, sample, publicUrl, at }: { rule: RuleRow; episode: EpisodeRow; ended: Exclude<AlertFacts['ended'], null>; sample: { value: number; facts: AlertFacts } | null; publicUrl: string; at: Date },
): Promise<void> {
  const muted = isMuted(rule, at);
  const event = await record(tx, rule, {
    episodeId: episode.id,
    type: 'recovered',
    subject: episode.subject,
    value: sample?.value ?? null,
    threshold: rule.threshold,
    summary: recoveredSummary(rule.kind, episode.subject, ended, clearForS(rule.kind, rule.windowS)),
    facts: { of: sample?.facts.of ?? null, latest_call: null, budget: sample?.facts.budget ?? null, ended },
    muted,
    at,
  });
  await tx.delete(alertEpisodes).where(and(eq(alertEpisodes.workspaceId, rule.workspaceId), eq(alertEpisodes.ruleId, rule.id), eq(alertEpisodes.subject, episode.subject)));
  if (episode.told && !muted) await tell(tx, rule, event, publicUrl, at);
}

/** Ends whatever a rule has firing, since the rule itself changed. */
export async function endEpisodes(tx: Tx, rule: RuleRow, ended: Exclude<AlertFacts['ended'], null>, publicUrl: string, at: Date): Promise<void> {
  const episodes = await tx.select().from(alertEpisodes).where(and(eq(alertEpisodes.workspaceId, rule.workspaceId), eq(alertEpisodes.ruleId, rule.id)));
  for (const episode of episodes) await endEpisode(tx, { rule, episode, ended, sample: null, publicUrl, at });
}
