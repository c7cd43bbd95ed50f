import { and, eq, inArray, sql } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { auditLog } from '../../db/schema';
import type { AuditEntryView, AuditQuery } from '../../management/schemas';
import type { Actor } from '../actor';
import { pageOfIds, type PageOf } from '../paging';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';

/** A page of the workspace's log, newest first; of an action (or of all on one kind of thing) and of one thing, where asked. */
export async function listAuditEntries(tenancy: Tenancy, actor: Actor, query: AuditQuery): Promise<PageOf<AuditEntryView>> {
  requireRole(actor, 'admin');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const { action, target } = query;
    const mine = eq(auditLog.workspaceId, actor.workspaceId);
    const { ids, ...page } = await pageOfIds(tx, {
      table: auditLog,
      id: sql`${auditLog.seq}::text`,
      order: { name: 'seq', by: sql`${auditLog.seq}`, type: 'bigint', descending: true },
      where: and(
        mine,
        action === undefined ? undefined : sql`(${auditLog.action} = ${action} or starts_with(${auditLog.action}, ${`${action}.`}))`,
        target === undefined ? undefined : eq(auditLog.target, target),
      ),
      limit: query.limit,
      cursor: query.cursor,
    });
    const rows = ids.length === 0 ? [] : await tx.select().from(auditLog).where(and(mine, inArray(auditLog.seq, ids.map(Number))));
    rows.sort((a, b) => b.seq - a.seq);
    return { ...page, data: rows.map(view) };
  });
}

function view(row: typeof auditLog.$inferSelect): AuditEntryView {
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    actor_kind: row.actorKind,
    actor_id: row.actorId,
    action: row.action,
    target: row.target,
    before: row.before ?? null,
    after: row.after ?? null,
    hash: row.hash,
    previous_hash: row.previousHash,
  };
}
