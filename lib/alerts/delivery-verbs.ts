import { and, eq, inArray, sql } from 'drizzle-orm';
import { withWorkspace, type Tx } from '../db';
import { alertChannels, alertDeliveries } from '../db/schema';
import type { DeliveryQuery, DeliveryView } from '../management/schemas';
import { Refusal } from '../std';
import { audit, pageOfIds, requireRole, type Actor, type PageOf, type Tenancy } from '../tenancy';

type DeliveryRow = typeof alertDeliveries.$inferSelect;

/** Nobody is mailed faster than this by hand. */
const RESEND_PAUSE_S = 10;

/** A page of the delivery log, newest first. */
export async function listDeliveries(tenancy: Tenancy, actor: Actor, query: DeliveryQuery): Promise<PageOf<DeliveryView>> {
  requireRole(actor, 'viewer');
  const { workspaceId } = actor;
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const { ids, ...page } = await pageOfIds(tx, {
      table: alertDeliveries,
      id: sql`${alertDeliveries.id}`,
      order: { name: 'created', by: sql`${alertDeliveries.createdAt}`, type: 'timestamptz', descending: true },
      where: and(
        eq(alertDeliveries.workspaceId, workspaceId),
        query.state === undefined ? undefined : eq(alertDeliveries.state, query.state),
        query.alert === undefined ? undefined : sql`${alertDeliveries.message} #>> '{payload,data,alert_id}' = ${query.alert}`,
      ),
      limit: query.limit,
      cursor: query.cursor,
    });
    return { ...page, data: await deliveryViews(tx, workspaceId, ids) };
  });
}

/**
 * Sends a message again, or now if it waits for its next try: the same message with the same id, to where its
 * channel leads now, with a schedule of tries of its own. Refuses `not_found`, `conflict` without a channel to send
 * it to, `rate_limited`.
 */
export async function resendDelivery(tenancy: Tenancy, actor: Actor, id: string): Promise<DeliveryView> {
  requireRole(actor, 'developer');
  const { workspaceId } = actor;
  const now = new Date(tenancy.clock.now());
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const [row] = await tx.select().from(alertDeliveries).where(and(eq(alertDeliveries.workspaceId, workspaceId), eq(alertDeliveries.id, id))).for('update');
    if (row === undefined) throw new Refusal('not_found', 'There is no such delivery in this workspace; they are kept for 30 days.');
    const [channel] = await tx.select().from(alertChannels).where(and(eq(alertChannels.workspaceId, workspaceId), eq(alertChannels.id, row.channelId)));
    if (channel === undefined) throw new Refusal('conflict', 'Its channel is gone: there is nowhere to send it to.');
    if (channel.disabledAt !== null) throw new Refusal('conflict', `Its channel "${channel.name}" is disabled. Enable it first.`);
    const sinceMs = now.getTime() - (row.lastTryAt?.getTime() ?? 0);
    if (sinceMs >= 0 && sinceMs < RESEND_PAUSE_S * 1000) throw new Refusal('rate_limited', `It was sent less than ${RESEND_PAUSE_S} s ago.`, [], RESEND_PAUSE_S);
    await tx
      .update(alertDeliveries)
      .set({ state: 'queued', tries: 0, nextTryAt: now, target: channel.target, deliveredAt: null })
      .where(eq(alertDeliveries.id, id));
    await audit(tx, actor, 'delivery.resent', id, null, { channel: channel.name });
    const [view] = await deliveryViews(tx, workspaceId, [id]);
    return view!;
  });
}

async function deliveryViews(tx: Tx, workspaceId: string, ids: string[]): Promise<DeliveryView[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select({ row: alertDeliveries, channel: alertChannels.name })
    .from(alertDeliveries)
    .leftJoin(alertChannels, and(eq(alertChannels.workspaceId, alertDeliveries.workspaceId), eq(alertChannels.id, alertDeliveries.channelId)))
    .where(and(eq(alertDeliveries.workspaceId, workspaceId), inArray(alertDeliveries.id, ids)));
  const byId = new Map(rows.map(({ row, channel }) => [row.id, deliveryView(row, channel)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function deliveryView(row: DeliveryRow, channel: string | null): DeliveryView {
  const { payload, subject, text } = row.message;
  return {
    id: row.id,
    event_id: row.eventId,
    alert_id: payload.data.alert_id,
    alert_name: payload.data.alert_name,
    message: payload.type,
    channel: { id: row.channelId, name: channel, type: row.type },
    target: row.target,
    subject,
    text,
    state: row.state,
    tries: row.tries,
    next_try_at: row.nextTryAt?.toISOString() ?? null,
    last_try_at: row.lastTryAt?.toISOString() ?? null,
    last_status: row.lastStatus,
    last_error: row.lastError,
    last_response: row.lastResponse,
    delivered_at: row.deliveredAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
