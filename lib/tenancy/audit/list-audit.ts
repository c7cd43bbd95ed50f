import { and, desc, eq, lt } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { auditLog } from '../../db/schema';
import type { AuditEntryView } from '../../management/schemas';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';

/** The workspace's changes, the latest first; `before` is the number to go on from. */
export async function listAudit(tenancy: Tenancy, actor: Actor, input: { limit: number; before?: number | undefined }): Promise<{ data: AuditEntryView[]; next: number | null }> {
  requireRole(actor, 'admin');
  const limit = Math.min(Math.max(input.limit, 1), 200);
  const rows = await withWorkspace(tenancy.db, actor.workspaceId, (tx) =>
    tx
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.workspaceId, actor.workspaceId), input.before === undefined ? undefined : lt(auditLog.seq, input.before)))
      .orderBy(desc(auditLog.seq))
      .limit(limit + 1),
  );
  const page = rows.slice(0, limit);
  return {
    data: page.map((row) => ({
      seq: row.seq,
      at: row.at.toISOString(),
      actor_kind: row.actorKind,
      actor_id: row.actorId,
      action: row.action,
      target: row.target,
      before: row.before,
      after: row.after,
      hash: row.hash,
      previous_hash: row.previousHash,
    })),
    next: rows.length > limit ? (page.at(-1)?.seq ?? null) : null,
  };
}
