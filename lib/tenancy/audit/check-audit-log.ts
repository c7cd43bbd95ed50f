import { withWorkspace } from '../../db';
import type { AuditCheck } from '../../management/schemas';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { verifyAuditChain } from './verify';

/** Is the workspace's log what was written? Reads all of it. */
export async function checkAuditLog(tenancy: Tenancy, actor: Actor): Promise<AuditCheck> {
  requireRole(actor, 'admin');
  const { entries, firstBadSeq } = await withWorkspace(tenancy.db, actor.workspaceId, (tx) => verifyAuditChain(tx, actor.workspaceId));
  return { entries, first_bad_seq: firstBadSeq };
}
