import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { withWorkspace, type Database, type Tx } from '../db';
import { alertClocks, alertEpisodes, alertEvents, alertRules } from '../db/schema';
import { newId } from '../std';
import { endEpisode, isMuted, record, tell, type EpisodeRow, type RuleRow } from './events';
import { evaluate, type Sample, type Transition } from './evaluate';
import type { Scope } from './kinds';
import { measure } from './measure';
import { firedSummary, type AlertFacts } from './message';

export interface LookOptions {
  db: Database;
  publicUrl: string;
  /** A rule whose figures could not be read is reported and leaves the others alone. */
  report(error: unknown, ruleId: string): void;
}

/** A figure that takes longer is given up: the ledger's writers come first. */
const LOOK_MS = 20_000;

/**
 * Looks at every rule of a workspace once: figures, what follows from them, history and messages, rule by rule in one
 * transaction each. Whoever looks holds the workspace's clock, so that no two do; what an interrupted look has not
 * written, the next one finds.
 */
export async function lookAtWorkspace({ db, publicUrl, report }: LookOptions, workspaceId: string, at: Date): Promise<void> {
  const rules = await withWorkspace(db, workspaceId, (tx) =>
    tx.select({ id: alertRules.id }).from(alertRules).where(and(eq(alertRules.workspaceId, workspaceId), isNull(alertRules.disabledAt))).orderBy(asc(alertRules.id)),
  );
  for (const { id } of rules) {
    await withWorkspace(db, workspaceId, (tx) => lookAtRule(tx, workspaceId, id, publicUrl, at), { timeoutMs: LOOK_MS }).catch((error: unknown) => report(error, id));
  }
}

async function lookAtRule(tx: Tx, workspaceId: string, id: string, publicUrl: string, at: Date): Promise<void> {
  await tx.select({ id: alertClocks.workspaceId }).from(alertClocks).where(eq(alertClocks.workspaceId, workspaceId)).for('update');
  const [rule] = await tx.select().from(alertRules).where(and(eq(alertRules.workspaceId, workspaceId), eq(alertRules.id, id), isNull(alertRules.disabledAt)));
  if (rule === undefined || (rule.evaluatedAt !== null && rule.evaluatedAt >= at)) return; // gone, switched off, or looked at meanwhile
  const samples = await measure(tx, { workspaceId, kind: rule.kind, threshold: rule.threshold, windowS: rule.windowS, scope: scopeOf(rule) }, at);
  const episodes = await tx.select().from(alertEpisodes).where(and(eq(alertEpisodes.workspaceId, workspaceId), eq(alertEpisodes.ruleId, id)));
  const open = new Map(episodes.map((episode) => [episode.subject, episode]));
  const states = episodes.map(({ subject, level, clearSince }) => ({ subject, level, clearSinceMs: clearSince?.getTime() ?? null }));
  const watched = { kind: rule.kind, threshold: rule.threshold, windowS: rule.windowS, minCalls: rule.minCalls, watchedSinceMs: rule.watchedSince.getTime() };
  for (const transition of evaluate(watched, samples, states, at.getTime())) {
    await perform(tx, { rule, transition, episode: transition.type === 'fire' ? undefined : open.get(subjectOf(transition))!, publicUrl, at });
  }
  await tx.update(alertRules).set({ evaluatedAt: at }).where(eq(alertRules.id, id));
}

export const scopeOf = (rule: Pick<RuleRow, 'scopeType' | 'scopeId'>): Scope => (rule.scopeType === 'all' || rule.scopeId === null ? { type: 'all' } : { type: rule.scopeType, id: rule.scopeId });

interface Performed {
  rule: RuleRow;
  transition: Transition<AlertFacts>;
  episode: EpisodeRow | undefined;
  publicUrl: string;
  at: Date;
}

const subjectOf = (transition: Transition<AlertFacts>): string => ('subject' in transition ? transition.subject : transition.sample.subject);

async function perform(tx: Tx, { rule, transition, episode, publicUrl, at }: Performed): Promise<void> {
  const muted = isMuted(rule, at);
  const ofEpisode = and(eq(alertEpisodes.workspaceId, rule.workspaceId), eq(alertEpisodes.ruleId, rule.id), eq(alertEpisodes.subject, subjectOf(transition)));
  switch (transition.type) {
    case 'fire': {
      const episodeId = newId('episode', at.getTime());
      const event = await recordFired(tx, rule, transition.sample, episodeId, muted, at);
      const { subject, value } = transition.sample;
      await tx.insert(alertEpisodes).values({ workspaceId: rule.workspaceId, ruleId: rule.id, subject, id: episodeId, beganAt: at, level: transition.level, value, eventId: event.id, told: !muted });
      if (!muted) await tell(tx, rule, event, publicUrl, at);
      return;
    }
    case 'rise': {
      const event = await recordFired(tx, rule, transition.sample, episode!.id, muted, at);
      await tx.update(alertEpisodes).set({ level: transition.level, value: transition.sample.value, clearSince: null, eventId: event.id, told: episode!.told || !muted }).where(ofEpisode);
      if (!muted) await tell(tx, rule, event, publicUrl, at);
      return;
    }
    case 'stay': {
      const clearSince = transition.clearSinceMs === null ? null : new Date(transition.clearSinceMs);
      await tx.update(alertEpisodes).set({ level: transition.level, value: transition.sample?.value ?? 0, clearSince }).where(ofEpisode);
      if (clearSince === null && !muted && !episode!.told) await tellLate(tx, rule, episode!, publicUrl, at);
      return;
    }
    case 'recover':
      return await endEpisode(tx, { rule, episode: episode!, ended: 'clear', sample: transition.sample, publicUrl, at });
  }
}

function recordFired(tx: Tx, rule: RuleRow, sample: Sample<AlertFacts>, episodeId: string, muted: boolean, at: Date) {
  const { subject, value, facts } = sample;
  return record(tx, rule, { episodeId, type: 'fired', subject, value, threshold: rule.threshold, summary: firedSummary(rule.kind, rule.windowS, sample), facts, muted, at });
}

/** It began while the rule was muted and goes on now that it is not: then people are told after all. */
async function tellLate(tx: Tx, rule: RuleRow, episode: EpisodeRow, publicUrl: string, at: Date): Promise<void> {
  const [event] = await tx.select().from(alertEvents).where(and(eq(alertEvents.workspaceId, rule.workspaceId), eq(alertEvents.id, episode.eventId)));
  await tx.update(alertEpisodes).set({ told: true }).where(and(eq(alertEpisodes.workspaceId, rule.workspaceId), eq(alertEpisodes.ruleId, rule.id), eq(alertEpisodes.subject, episode.subject)));
  if (event !== undefined) await tell(tx, rule, event, publicUrl, at);
}

/** The next workspace whose time has come; null when there is none. Its clock is set on at once. */
export async function nextWorkspace(db: Database): Promise<string | null> {
  const [row] = await db.unscoped((queries) => queries.execute<{ workspace_id: string }>(sql`select workspace_id from ohm_alerts_due()`));
  return row?.workspace_id ?? null;
}
