import { eq } from 'drizzle-orm';
import type { Tx } from '../db';
import { connections, type routeTiers } from '../db/schema';
import type { TierInput } from '../management/schemas';
import { Refusal, type Issue } from '../std';

type TierColumns = Omit<typeof routeTiers.$inferInsert, 'routeId'>;

/**
 * Tiers as rows: every connection exists here (by id or name), no connection and model stand twice.
 * Throws Refusal('invalid') that names each tier that is wrong.
 */
export async function resolveTiers(tx: Tx, workspaceId: string, tiers: TierInput[]): Promise<TierColumns[]> {
  const known = await tx
    .select({ id: connections.id, name: connections.name })
    .from(connections)
    .where(eq(connections.workspaceId, workspaceId))
    .for('key share'); // stays until the tier that points to it is there
  const byName = new Map(known.map(({ id, name }) => [name, id]));
  const ids = new Set(known.map(({ id }) => id));
  const issues: Issue[] = [];
  const first = new Map<string, number>();
  const rows = tiers.map((tier, index): TierColumns => {
    const connectionId = ids.has(tier.connection) ? tier.connection : byName.get(tier.connection);
    if (connectionId === undefined) {
      issues.push({ field: `tiers.${index}.connection`, message: `there is no connection "${tier.connection}" in this workspace` });
    }
    const pair = JSON.stringify([connectionId, tier.model]);
    const earlier = first.get(pair);
    if (earlier === undefined) first.set(pair, index);
    else issues.push({ field: `tiers.${index}`, message: `is the same connection and model as tier ${earlier + 1}` });
    return {
      workspaceId,
      position: index + 1,
      connectionId: connectionId ?? '',
      model: tier.model,
      firstContentTimeoutMs: tier.first_content_timeout_ms,
      idleTimeoutMs: tier.idle_timeout_ms,
      responseTimeoutMs: tier.response_timeout_ms,
    };
  });
  const issue = issues[0];
  if (issue !== undefined) throw new Refusal('invalid', `${issue.field}: ${issue.message}.`, issues);
  return rows;
}
