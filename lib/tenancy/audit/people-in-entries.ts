import { and, eq, inArray } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import { withWorkspace } from '../../db';
import { auditLog, users } from '../../db/schema';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';

/**
 * The e-mail addresses of the people who are named in these entries, as who acted or as the thing, by their ids: also
 * of those who have left, as long as they have an account. Only what this workspace's own log names is told.
 */
export async function peopleInEntries(tenancy: Tenancy, actor: Actor, seqs: number[]): Promise<Map<string, string>> {
  requireRole(actor, 'admin');
  if (seqs.length === 0) return new Map();
  const rows = await withWorkspace(tenancy.db, actor.workspaceId, (tx) => {
    const these = and(eq(auditLog.workspaceId, actor.workspaceId), inArray(auditLog.seq, seqs));
    const named = union(tx.select({ id: auditLog.actorId }).from(auditLog).where(these), tx.select({ id: auditLog.target }).from(auditLog).where(these));
    return tx.select({ id: users.id, email: users.email }).from(users).where(inArray(users.id, named));
  });
  return new Map(rows.map(({ id, email }) => [id, email]));
}
