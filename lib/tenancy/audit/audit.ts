import { desc, eq } from 'drizzle-orm';
import { markEdit, type Tx } from '../../db';
import { auditLog, workspaces } from '../../db/schema';
import type { Actor } from '../actor';
import { auditHash } from './chain';

/**
 * Writes an entry in the transaction of the change itself: no change without its entry, no entry without its
 * change. `before` and `after` are the thing as the API shows it (never a secret); null: it did not exist.
 *
 * The workspace's row is locked until the transaction ends, so that entries are numbered without a gap. Call it
 * last in the transaction: then others wait for the commit only.
 */
export async function audit(tx: Tx, actor: Actor, action: string, target: string, before: unknown, after: unknown): Promise<void> {
  const { workspaceId } = actor;
  markEdit(tx);
  await tx.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId)).for('no key update');
  const [last] = await tx
    .select({ seq: auditLog.seq, hash: auditLog.hash })
    .from(auditLog)
    .where(eq(auditLog.workspaceId, workspaceId))
    .orderBy(desc(auditLog.seq))
    .limit(1);
  const entry = {
    workspaceId,
    seq: (last?.seq ?? 0) + 1,
    at: new Date(),
    actorKind: actor.kind,
    actorId: actor.id,
    action,
    target,
    before: asJson(before),
    after: asJson(after),
    previousHash: last?.hash ?? '',
  };
  await tx.insert(auditLog).values({ ...entry, hash: auditHash(entry) });
}

/** What jsonb will hold of it: no undefined, dates as text. */
function asJson(value: unknown): unknown {
  return value === undefined || value === null ? null : JSON.parse(JSON.stringify(value));
}
