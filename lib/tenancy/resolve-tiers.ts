import { eq } from 'drizzle-orm';
import type { Tx } from '../db';
import { connections, type routeTiers } from '../db/schema';
import type { TierCandidate, TierInput } from '../management/schemas';
import { parseScript } from '../providers/sandbox';
import { Refusal, type Issue } from '../std';

type TierColumns = Omit<typeof routeTiers.$inferInsert, 'routeId'>;

/**
 * Tiers as rows: every connection exists here (by id or name), no connection and model stand twice, and the sandbox
 * can read its scripts.
 * Throws Refusal('invalid') that names each tier that is wrong.
 */
export async function resolveTiers(tx: Tx, workspaceId: string, tiers: TierInput[]): Promise<TierColumns[]> {
  const known = await tx
    .select({ id: connections.id, name: connections.name, kind: connections.kind })
    .from(connections)
    .where(eq(connections.workspaceId, workspaceId))
    .for('key share'); // stays until the tier that points to it is there
  const byName = new Map(known.map(({ id, name }) => [name, id]));
  const kinds = new Map(known.map(({ id, kind }) => [id, kind]));
  const issues: Issue[] = [];
  const first = new Map<string, number>();

  const row = (tier: TierInput, index: number, candidate: number, { connection, model }: TierCandidate): TierColumns => {
    const path = candidate === 0 ? `tiers.${index}` : `tiers.${index}.eco.${candidate - 1}`;
    const connectionId = kinds.has(connection) ? connection : byName.get(connection);
    if (connectionId === undefined) issues.push({ field: `${path}.connection`, message: `there is no connection "${connection}" in this workspace` });
    if (connectionId !== undefined && kinds.get(connectionId) === 'sandbox') {
      const script = parseScript(model);
      if (!script.ok) issues.push({ field: `${path}.model`, message: `the sandbox cannot read “${script.step}”: ${script.message}` });
    }
    const pair = JSON.stringify([connectionId, model]);
    const earlier = first.get(pair);
    if (earlier === undefined) first.set(pair, index);
    else issues.push({ field: path, message: earlier === index ? 'stands in this tier already' : `is the same connection and model as tier ${earlier + 1}` });
    return {
      workspaceId,
      position: index + 1,
      candidate,
      connectionId: connectionId ?? '',
      model,
      firstContentTimeoutMs: tier.first_content_timeout_ms,
      idleTimeoutMs: tier.idle_timeout_ms,
      responseTimeoutMs: tier.response_timeout_ms,
    };
  };

  const rows = tiers.flatMap((tier, index) => (tier.eco === undefined ? [row(tier, index, 0, tier)] : tier.eco.map((candidate, at) => row(tier, index, at + 1, candidate))));
  const issue = issues[0];
  if (issue !== undefined) throw new Refusal('invalid', `${issue.field}: ${issue.message}.`, issues);
  return rows;
}
