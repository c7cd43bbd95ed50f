import { and, eq, gt, sql } from 'drizzle-orm';
import { withWorkspace, type Database, type Tx } from '../db';
import { alertChannels, alertDeliveries } from '../db/schema';
import type { OutboundClient } from '../outbound';
import type { Clock } from '../std';
import type { Keyring } from '../tenancy';
import { pauseAfter } from './schedule';
import type { Mailer } from './send-mail';
import { sendWebhook, type Outcome } from './send-webhook';

export interface DeliverOptions {
  db: Database;
  keyring: Keyring;
  outbound: OutboundClient;
  mailer: Mailer;
  clock: Clock;
  random(): number;
}

/** A process that took a message and has not been heard of for so long is taken for dead, s. */
const LEASE_S = 60;
const KEPT_DAYS = 30;

type DeliveryRow = typeof alertDeliveries.$inferSelect;
type ChannelRow = typeof alertChannels.$inferSelect;

/** Makes one try for the message that has waited longest; false when none is due. A message may arrive twice, with one id; it is never lost. */
export async function deliverNext(options: DeliverOptions): Promise<boolean> {
  const { db } = options;
  const [job] = await db.unscoped((queries) => queries.execute<{ id: string; workspace_id: string }>(sql`select id, workspace_id from ohm_alert_delivery_claim(make_interval(secs => ${LEASE_S}::double precision), make_interval(days => ${KEPT_DAYS}))`));
  if (job === undefined) return false;
  const read = await withWorkspace(db, job.workspace_id, async (tx) => {
    const [delivery] = await tx.select().from(alertDeliveries).where(and(eq(alertDeliveries.workspaceId, job.workspace_id), eq(alertDeliveries.id, job.id)));
    const [channel] = delivery === undefined ? [] : await tx.select().from(alertChannels).where(and(eq(alertChannels.workspaceId, job.workspace_id), eq(alertChannels.id, delivery.channelId)));
    return { delivery, channel };
  });
  if (read.delivery === undefined) return true;
  const { delivery, channel } = read;
  if (channel === undefined || channel.disabledAt !== null) {
    await write(options, delivery, { state: 'dropped', lastError: channel === undefined ? 'the channel was deleted' : 'the channel is disabled' });
    return true;
  }
  await conclude(options, delivery, await attempt(options, delivery, channel).catch(unsealed));
  return true;
}

/** Goes to where the channel leads now: a resend after an address was mended reaches the new one. */
async function attempt({ keyring, outbound, mailer, clock }: DeliverOptions, delivery: DeliveryRow, channel: ChannelRow): Promise<Outcome> {
  const { id, message } = delivery;
  if (channel.type === 'email') return await mailer.send({ to: channel.target, subject: message.subject, text: message.text, id });
  const nowMs = clock.now();
  const owner = { workspaceId: channel.workspaceId, recordId: channel.id };
  const secrets = [keyring.open(channel.secretSealed!, { ...owner, version: channel.secretVersion })];
  if (channel.previousSecretSealed !== null && (channel.previousValidUntil?.getTime() ?? 0) > nowMs) secrets.push(keyring.open(channel.previousSecretSealed, { ...owner, version: channel.secretVersion - 1 }));
  return await sendWebhook(outbound, { url: channel.target, id, body: JSON.stringify(message.payload), secrets, nowMs });
}

/** Signed with nothing it would be worth nothing: it is not sent until the secret is rotated. */
function unsealed(error: unknown): Outcome {
  if ((error as { code?: string }).code !== 'seal_broken') throw error;
  return { type: 'failed', status: null, error: 'the secret of its channel cannot be opened with this OHM_SECRET: rotate it', response: null, retryAfterMs: null, final: true, gone: false };
}

async function conclude(options: DeliverOptions, delivery: DeliveryRow, outcome: Outcome): Promise<void> {
  const now = new Date(options.clock.now());
  const tries = delivery.tries + 1;
  const said = { tries, lastTryAt: now, target: delivery.target };
  switch (outcome.type) {
    case 'delivered':
      return await write(options, delivery, { ...said, state: 'delivered', deliveredAt: now, lastStatus: outcome.status, lastError: null, lastResponse: outcome.response });
    case 'not_configured':
      return await write(options, delivery, { ...said, state: 'not_configured', lastStatus: null, lastError: outcome.error, lastResponse: null });
    case 'failed': {
      const pause = outcome.final ? null : pauseAfter(tries, options.random(), outcome.retryAfterMs);
      const failure = { ...said, lastStatus: outcome.status, lastError: outcome.error, lastResponse: outcome.response };
      if (pause !== null) return await write(options, delivery, { ...failure, nextTryAt: new Date(now.getTime() + pause) });
      return await write(options, delivery, { ...failure, state: 'failed' }, outcome.gone ? 'gone' : outcome.final ? null : 'failing');
    }
  }
}

/** What became of a try, and of its channel. A channel to which nothing got through for a whole schedule is disabled, and says why. */
async function write({ db, clock }: DeliverOptions, delivery: DeliveryRow, change: Partial<DeliveryRow>, disable: 'gone' | 'failing' | null = null): Promise<void> {
  const mine = and(eq(alertDeliveries.workspaceId, delivery.workspaceId), eq(alertDeliveries.id, delivery.id), eq(alertDeliveries.state, 'queued'));
  await withWorkspace(db, delivery.workspaceId, async (tx) => {
    await tx.update(alertDeliveries).set({ leasedUntil: null, ...(change.state === undefined ? {} : { nextTryAt: null }), ...change }).where(mine);
    if (disable === null || (disable === 'failing' && (await gotThrough(tx, delivery)))) return;
    const now = new Date(clock.now());
    await tx
      .update(alertChannels)
      .set({ disabledAt: now, disabledWhy: disable, updatedAt: now, revision: sql`${alertChannels.revision} + 1` })
      .where(and(eq(alertChannels.workspaceId, delivery.workspaceId), eq(alertChannels.id, delivery.channelId), sql`${alertChannels.disabledAt} is null`));
  });
}

async function gotThrough(tx: Tx, delivery: DeliveryRow): Promise<boolean> {
  const rows = await tx
    .select({ id: alertDeliveries.id })
    .from(alertDeliveries)
    .where(and(eq(alertDeliveries.workspaceId, delivery.workspaceId), eq(alertDeliveries.channelId, delivery.channelId), eq(alertDeliveries.state, 'delivered'), gt(alertDeliveries.deliveredAt, delivery.createdAt)))
    .limit(1);
  return rows.length > 0;
}
