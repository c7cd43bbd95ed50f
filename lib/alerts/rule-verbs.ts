import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { constraintViolated, withWorkspace, type Tx } from '../db';
import { alertChannels, alertClocks, alertEvents, alertRules, keys, routes } from '../db/schema';
import type { AlertCreate, AlertEventQuery, AlertEventView, AlertUpdate, AlertView } from '../management/schemas';
import { newId, Refusal } from '../std';
import { actorName, audit, pageOfIds, requireRevision, requireRole, type Actor, type PageOf, type Tenancy } from '../tenancy';
import { endEpisodes, record, tell, type RuleRow } from './events';
import { DEFAULT_MIN_CALLS, kindOf, pauseFor } from './kinds';
import { NO_FACTS } from './message';
import { eventViews, ruleRow, ruleViews } from './rule-views';
import { checkedRule } from './rule-check';

/** What the verbs may use of the process. */
export interface AlertServices {
  tenancy: Tenancy;
  env: { publicUrl: string };
}

const MAX_RULES = 100;
/** Messages sent to try a channel out, of one workspace in an hour: mail goes to addresses that nobody has confirmed. */
const MAX_TESTS_AN_HOUR = 30;

/** Every alert of the workspace, by name. */
export async function listAlerts({ tenancy }: AlertServices, actor: Actor): Promise<AlertView[]> {
  requireRole(actor, 'viewer');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) =>
    ruleViews(tx, actor.workspaceId, await tx.select().from(alertRules).where(eq(alertRules.workspaceId, actor.workspaceId)).orderBy(asc(alertRules.name))),
  );
}

export async function getAlert({ tenancy }: AlertServices, actor: Actor, id: string): Promise<AlertView> {
  requireRole(actor, 'viewer');
  return await withWorkspace(tenancy.db, actor.workspaceId, (tx) => viewById(tx, actor.workspaceId, id));
}

/** Begins to watch something. Refuses `invalid`, `conflict`. */
export async function createAlert({ tenancy }: AlertServices, actor: Actor, input: AlertCreate): Promise<AlertView> {
  requireRole(actor, 'developer');
  const { workspaceId } = actor;
  const { threshold, windowS } = kindOf(input.kind);
  const now = new Date(tenancy.clock.now());
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const [counted] = await tx.select({ n: sql<number>`count(*)::int` }).from(alertRules);
    if (counted!.n >= MAX_RULES) throw new Refusal('conflict', `A workspace may have ${MAX_RULES} alerts. Remove one first.`);
    const scope = await resolveScope(tx, workspaceId, input.scope);
    const row = {
      kind: input.kind, threshold: input.threshold ?? threshold, windowS: input.window_s ?? windowS, minCalls: input.min_calls ?? DEFAULT_MIN_CALLS, ...scope,
    };
    checkedRule(row);
    const id = newId('alert', now.getTime());
    await tx.insert(alertRules).values({
      id, workspaceId, name: input.name, ...row, channelIds: await resolveChannels(tx, workspaceId, input.channels),
      disabledAt: input.enabled ? null : now, watchedSince: now, createdBy: actorName(actor), createdAt: now, updatedAt: now,
    });
    await setClock(tx, workspaceId);
    const view = await viewById(tx, workspaceId, id);
    await audit(tx, actor, 'alert.created', id, null, settings(view));
    return view;
  }).catch(nameTaken);
}

/** Edits, mutes, switches off. Another kind or scope, or switching off, ends what fires. Refuses `not_found`, `stale`, `invalid`, `conflict`. */
export async function updateAlert({ tenancy, env }: AlertServices, actor: Actor, input: { id: string; revision: number; change: AlertUpdate }): Promise<AlertView> {
  requireRole(actor, 'developer');
  const { workspaceId } = actor;
  const { change } = input;
  const now = new Date(tenancy.clock.now());
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    await lockClock(tx, workspaceId);
    const old = await ruleRow(tx, workspaceId, input.id, true);
    requireRevision(old.revision, input.revision);
    const before = await viewById(tx, workspaceId, old.id);
    const next = await changed(tx, old, change);
    checkedRule(next);
    const another = next.kind !== old.kind || next.scopeType !== old.scopeType || next.scopeId !== old.scopeId;
    const off = change.enabled === false;
    if (another) await endEpisodes(tx, old, 'rule_edited', env.publicUrl, now);
    else if (off) await endEpisodes(tx, old, 'rule_disabled', env.publicUrl, now);
    const anew = another || next.windowS !== old.windowS || (change.enabled === true && old.disabledAt !== null);
    await tx
      .update(alertRules)
      .set({
        ...next,
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.channels === undefined ? {} : { channelIds: await resolveChannels(tx, workspaceId, change.channels) }),
        ...(change.enabled === undefined ? {} : { disabledAt: change.enabled ? null : (old.disabledAt ?? now) }),
        ...(change.muted_until === undefined ? {} : { mutedUntil: change.muted_until === null ? null : new Date(change.muted_until) }),
        ...(anew ? { watchedSince: now, evaluatedAt: null } : {}),
        revision: old.revision + 1,
        updatedAt: now,
      })
      .where(eq(alertRules.id, old.id));
    await setClock(tx, workspaceId);
    const view = await viewById(tx, workspaceId, old.id);
    await audit(tx, actor, 'alert.updated', old.id, settings(before), settings(view));
    return view;
  }).catch(nameTaken);
}

/** Ends what fires, then forgets the alert and its history. Messages stay in the delivery log. Refuses `not_found`, `stale`. */
export async function deleteAlert({ tenancy, env }: AlertServices, actor: Actor, input: { id: string; revision: number | null }): Promise<void> {
  requireRole(actor, 'developer');
  await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    await lockClock(tx, actor.workspaceId);
    const old = await ruleRow(tx, actor.workspaceId, input.id, true);
    requireRevision(old.revision, input.revision);
    const before = await viewById(tx, actor.workspaceId, old.id);
    await endEpisodes(tx, old, 'rule_deleted', env.publicUrl, new Date(tenancy.clock.now()));
    await tx.delete(alertRules).where(eq(alertRules.id, old.id));
    await setClock(tx, actor.workspaceId);
    await audit(tx, actor, 'alert.deleted', old.id, settings(before), null);
  });
}

/** A page of an alert's history, newest first. Refuses `not_found`. */
export async function listAlertEvents({ tenancy }: AlertServices, actor: Actor, id: string, query: AlertEventQuery): Promise<PageOf<AlertEventView>> {
  requireRole(actor, 'viewer');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    await ruleRow(tx, actor.workspaceId, id, false);
    const { ids, ...page } = await pageOfIds(tx, {
      table: alertEvents,
      id: sql`${alertEvents.id}`,
      order: { name: 'created', by: sql`${alertEvents.at}`, type: 'timestamptz', descending: true },
      where: and(eq(alertEvents.workspaceId, actor.workspaceId), eq(alertEvents.ruleId, id)),
      limit: query.limit,
      cursor: query.cursor,
    });
    const rows = ids.length === 0 ? [] : await tx.select().from(alertEvents).where(and(eq(alertEvents.workspaceId, actor.workspaceId), inArray(alertEvents.id, ids)));
    const byId = new Map((await eventViews(tx, actor.workspaceId, rows)).map((view) => [view.id, view]));
    return { ...page, data: ids.flatMap((each) => byId.get(each) ?? []) };
  });
}

/** Sends a message that says that it is a test to every channel of the alert. Refuses `not_found`, `conflict` without channels, `rate_limited`. */
export async function testAlert({ tenancy, env }: AlertServices, actor: Actor, id: string): Promise<AlertEventView> {
  requireRole(actor, 'developer');
  const now = new Date(tenancy.clock.now());
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const rule = await ruleRow(tx, actor.workspaceId, id, true);
    if (rule.channelIds.length === 0) throw new Refusal('conflict', 'This alert tells no channel yet: give it one first.');
    const hourAgo = new Date(now.getTime() - 3_600_000).toISOString();
    const [sent] = await tx.select({ n: sql<number>`count(*)::int` }).from(alertEvents).where(and(eq(alertEvents.workspaceId, actor.workspaceId), eq(alertEvents.type, 'test'), sql`${alertEvents.at} > ${hourAgo}::timestamptz`));
    if (sent!.n >= MAX_TESTS_AN_HOUR) throw new Refusal('rate_limited', `A workspace may send ${MAX_TESTS_AN_HOUR} test messages an hour.`, [], 600);
    const summary = `This is a test of the alert “${rule.name}”: nothing has happened.`;
    const event = await record(tx, rule, { episodeId: newId('episode', now.getTime()), type: 'test', subject: '', value: null, threshold: rule.threshold, summary, facts: NO_FACTS, muted: false, at: now });
    await tell(tx, rule, event, env.publicUrl, now);
    await audit(tx, actor, 'alert.tested', rule.id, null, { event_id: event.id });
    const [view] = await eventViews(tx, actor.workspaceId, [event]);
    return view!;
  });
}

/** The rule's own columns after a change. */
async function changed(tx: Tx, old: RuleRow, change: AlertUpdate): Promise<Pick<RuleRow, 'kind' | 'threshold' | 'windowS' | 'minCalls' | 'scopeType' | 'scopeId'>> {
  const kind = change.kind ?? old.kind;
  const moved = kind !== old.kind; // what is not said begins from the new kind's defaults
  const { threshold, windowS } = kindOf(kind);
  const scope = change.scope === undefined ? { scopeType: old.scopeType, scopeId: old.scopeId } : await resolveScope(tx, old.workspaceId, change.scope);
  return { kind, threshold: change.threshold ?? (moved ? threshold : old.threshold), windowS: change.window_s ?? (moved ? windowS : old.windowS), minCalls: change.min_calls ?? old.minCalls, ...scope };
}

async function resolveScope(tx: Tx, workspaceId: string, { type, id, name }: AlertCreate['scope']): Promise<Pick<RuleRow, 'scopeType' | 'scopeId'>> {
  if (type === 'all') return { scopeType: 'all', scopeId: null };
  const reference = (id ?? name)!;
  const found =
    type === 'key'
      ? await tx.select({ id: keys.id }).from(keys).where(and(eq(keys.workspaceId, workspaceId), isNull(keys.revokedAt), or(eq(keys.id, reference), eq(keys.name, reference)))).orderBy(sql`${keys.id} = ${reference} desc`).limit(1)
      : await tx.select({ id: routes.id }).from(routes).where(and(eq(routes.workspaceId, workspaceId), or(eq(routes.id, reference), eq(routes.name, reference)))).orderBy(sql`${routes.id} = ${reference} desc`).limit(1);
  if (found[0] !== undefined) return { scopeType: type, scopeId: found[0].id };
  throw invalid('scope', `there is no ${type} "${reference}" in this workspace`);
}

async function resolveChannels(tx: Tx, workspaceId: string, references: string[]): Promise<string[]> {
  if (references.length === 0) return [];
  const rows = await tx
    .select({ id: alertChannels.id, name: alertChannels.name })
    .from(alertChannels)
    .where(and(eq(alertChannels.workspaceId, workspaceId), or(inArray(alertChannels.id, references), inArray(alertChannels.name, references))))
    .for('key share'); // stay until the rule that names them is there
  return [
    ...new Set(
      references.map((reference, at) => {
        const row = rows.find(({ id }) => id === reference) ?? rows.find(({ name }) => name === reference);
        if (row === undefined) throw invalid(`channels.${at}`, `there is no channel "${reference}" in this workspace`);
        return row.id;
      }),
    ),
  ];
}

/** Before the rule, as whoever looks at it does: two that wait for each other crosswise would both lose. */
async function lockClock(tx: Tx, workspaceId: string): Promise<void> {
  await tx.select({ id: alertClocks.workspaceId }).from(alertClocks).where(eq(alertClocks.workspaceId, workspaceId)).for('update');
}

/** How often the workspace is looked at follows from its shortest window; and it is looked at now. */
async function setClock(tx: Tx, workspaceId: string): Promise<void> {
  const rows = await tx.select({ windowS: alertRules.windowS }).from(alertRules).where(and(eq(alertRules.workspaceId, workspaceId), isNull(alertRules.disabledAt)));
  if (rows.length === 0) {
    await tx.delete(alertClocks).where(eq(alertClocks.workspaceId, workspaceId));
    return;
  }
  const everyS = pauseFor(rows.map(({ windowS }) => windowS));
  await tx.insert(alertClocks).values({ workspaceId, everyS }).onConflictDoUpdate({ target: alertClocks.workspaceId, set: { everyS, dueAt: sql`now()` } });
}

async function viewById(tx: Tx, workspaceId: string, id: string): Promise<AlertView> {
  const [view] = await ruleViews(tx, workspaceId, [await ruleRow(tx, workspaceId, id, false)]);
  return view!;
}

/** What the audit log keeps: how it was set, not how things stood. */
function settings({ state: _, firing: __, evaluated_at: ___, ...rest }: AlertView): Partial<AlertView> {
  return rest;
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('invalid', `${field}: ${message}.`, [{ field, message }]);
}

function nameTaken(error: unknown): never {
  if (!constraintViolated(error, 'alert_rules_workspace_id_name_key')) throw error;
  throw new Refusal('conflict', 'An alert of this name exists already.', [{ field: 'name', message: 'is taken' }]);
}
