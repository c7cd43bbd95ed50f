import { asc, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { members, users } from '../../db/schema';
import type { MemberView } from '../../management/schemas';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { MAX_MEMBERS, memberView } from './rows';

/** Everybody in the workspace, the longest member first. */
export async function listMembers(tenancy: Tenancy, actor: Actor): Promise<MemberView[]> {
  requireRole(actor, 'viewer');
  const rows = await withWorkspace(tenancy.db, actor.workspaceId, (tx) =>
    tx
      .select({ member: members, email: users.email })
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .where(eq(members.workspaceId, actor.workspaceId))
      .orderBy(asc(members.createdAt), asc(members.userId))
      .limit(MAX_MEMBERS),
  );
  return rows.map(memberView);
}
