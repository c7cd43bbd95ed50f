import { and, asc, eq, sql } from 'drizzle-orm';
import { constraintViolated, withWorkspace, type Tx } from '../db';
import { alertChannels, alertRules } from '../db/schema';
import type { ChannelCreate, ChannelUpdate, ChannelView, IssuedChannel } from '../management/schemas';
import { newId, Refusal } from '../std';
import { actorName, audit, requireRevision, requireRole, type Actor, type Tenancy } from '../tenancy';
import { checkWebhookUrl } from './send-webhook';
import { newWebhookSecret } from './sign';

type ChannelRow = typeof alertChannels.$inferSelect;

const MAX_CHANNELS = 50;

/** Every channel of the workspace, by name. */
export async function listChannels(tenancy: Tenancy, actor: Actor): Promise<ChannelView[]> {
  requireRole(actor, 'viewer');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const rows = await tx.select().from(alertChannels).where(eq(alertChannels.workspaceId, actor.workspaceId)).orderBy(asc(alertChannels.name));
    return await Promise.all(rows.map((row) => channelView(tx, row)));
  });
}

/** Adds a channel; contacts nobody. The answer holds a webhook's secret, which is shown nowhere else. Refuses `invalid`, `conflict`. */
export async function createChannel(tenancy: Tenancy, actor: Actor, input: ChannelCreate): Promise<IssuedChannel> {
  requireRole(actor, 'admin');
  const { workspaceId } = actor;
  const id = newId('channel');
  const secret = input.type === 'webhook' ? newWebhookSecret() : null;
  const target = input.type === 'webhook' ? checkedUrl(tenancy, input.url) : input.email;
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const [counted] = await tx.select({ n: sql<number>`count(*)::int` }).from(alertChannels);
    if (counted!.n >= MAX_CHANNELS) throw new Refusal('conflict', `A workspace may have ${MAX_CHANNELS} channels. Remove one first.`);
    const sealed = secret === null ? null : tenancy.keyring.seal(secret, { workspaceId, recordId: id, version: 1 });
    const [row] = await tx.insert(alertChannels).values({ id, workspaceId, name: input.name, type: input.type, target, secretSealed: sealed, createdBy: actorName(actor) }).returning();
    const view = await channelView(tx, row!);
    await audit(tx, actor, 'channel.created', id, null, view);
    return { ...view, secret };
  }).catch(nameTaken);
}

/** Refuses `not_found`, `stale`, `invalid`, `conflict`. */
export async function updateChannel(tenancy: Tenancy, actor: Actor, input: { id: string; revision: number; change: ChannelUpdate }): Promise<ChannelView> {
  requireRole(actor, 'admin');
  const { name, enabled, email, url } = input.change;
  const now = new Date(tenancy.clock.now());
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const old = await channelRow(tx, actor, input.id);
    requireRevision(old.revision, input.revision);
    const wrong = old.type === 'email' ? (url === undefined ? null : 'url') : email === undefined ? null : 'email';
    if (wrong !== null) throw new Refusal('invalid', `${wrong}: this channel is of the type ${old.type}.`, [{ field: wrong, message: `this channel is of the type ${old.type}` }]);
    const before = await channelView(tx, old);
    const [row] = await tx
      .update(alertChannels)
      .set({
        revision: old.revision + 1,
        updatedAt: now,
        ...(name === undefined ? {} : { name }),
        ...(email === undefined ? {} : { target: email }),
        ...(url === undefined ? {} : { target: checkedUrl(tenancy, url) }),
        ...(enabled === undefined ? {} : enabled ? { disabledAt: null, disabledWhy: null } : { disabledAt: now, disabledWhy: 'person' as const }),
      })
      .where(eq(alertChannels.id, old.id))
      .returning();
    const view = await channelView(tx, row!);
    await audit(tx, actor, 'channel.updated', old.id, before, view);
    return view;
  }).catch(nameTaken);
}

/** A new secret; for `overlap_s` messages carry the old one's signature as well. Refuses `not_found`, `conflict` (e-mail has none). */
export async function rotateChannel(tenancy: Tenancy, actor: Actor, input: { id: string; overlap_s: number }): Promise<IssuedChannel> {
  requireRole(actor, 'admin');
  const { workspaceId } = actor;
  const nowMs = tenancy.clock.now();
  const secret = newWebhookSecret();
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const old = await channelRow(tx, actor, input.id);
    if (old.type !== 'webhook') throw new Refusal('conflict', 'An e-mail channel has no secret.');
    const version = old.secretVersion + 1;
    const overlaps = input.overlap_s > 0;
    const [row] = await tx
      .update(alertChannels)
      .set({
        secretSealed: tenancy.keyring.seal(secret, { workspaceId, recordId: old.id, version }),
        secretVersion: version,
        previousSecretSealed: overlaps ? old.secretSealed : null,
        previousValidUntil: overlaps ? new Date(nowMs + input.overlap_s * 1000) : null,
        revision: old.revision + 1,
        updatedAt: new Date(nowMs),
      })
      .where(eq(alertChannels.id, old.id))
      .returning();
    const view = await channelView(tx, row!);
    await audit(tx, actor, 'channel.rotated', old.id, await channelView(tx, old), view);
    return { ...view, secret };
  });
}

/** Refuses `not_found`, `stale`, and `conflict` while an alert tells it. */
export async function deleteChannel(tenancy: Tenancy, actor: Actor, input: { id: string; revision: number | null }): Promise<void> {
  requireRole(actor, 'admin');
  await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const old = await channelRow(tx, actor, input.id);
    requireRevision(old.revision, input.revision);
    const before = await channelView(tx, old);
    if (before.used_by.length > 0) throw new Refusal('conflict', `Alerts tell this channel: ${before.used_by.map((name) => `"${name}"`).join(', ')}. Take it out of them first.`);
    await tx.delete(alertChannels).where(eq(alertChannels.id, old.id));
    await audit(tx, actor, 'channel.deleted', old.id, before, null);
  });
}

async function channelRow(tx: Tx, actor: Actor, id: string): Promise<ChannelRow> {
  const [row] = await tx.select().from(alertChannels).where(and(eq(alertChannels.workspaceId, actor.workspaceId), eq(alertChannels.id, id))).for('update');
  if (row === undefined) throw new Refusal('not_found', 'There is no such channel in this workspace.');
  return row;
}

async function channelView(tx: Tx, row: ChannelRow): Promise<ChannelView> {
  const rules = await tx
    .select({ name: alertRules.name })
    .from(alertRules)
    .where(and(eq(alertRules.workspaceId, row.workspaceId), sql`${alertRules.channelIds} ? ${row.id}`))
    .orderBy(asc(alertRules.name));
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    email: row.type === 'email' ? row.target : null,
    url: row.type === 'webhook' ? row.target : null,
    enabled: row.disabledAt === null,
    disabled_why: row.disabledWhy,
    previous_secret_valid_until: row.previousValidUntil?.toISOString() ?? null,
    used_by: rules.map(({ name }) => name),
    revision: row.revision,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

function checkedUrl(tenancy: Tenancy, text: string): string {
  const verdict = checkWebhookUrl(text, tenancy.guardRules());
  if (verdict.ok) return verdict.url;
  throw new Refusal('invalid', `url: ${verdict.reason}.`, [{ field: 'url', message: verdict.reason }]);
}

function nameTaken(error: unknown): never {
  if (!constraintViolated(error, 'alert_channels_workspace_id_name_key')) throw error;
  throw new Refusal('conflict', 'A channel of this name exists already.', [{ field: 'name', message: 'is taken' }]);
}
