import { and, eq } from 'drizzle-orm';
import type { Tx } from '../../db';
import { members, users, workspaces } from '../../db/schema';
import type { MemberView } from '../../management/schemas';
import { Refusal } from '../../std';

export type MemberRow = { member: typeof members.$inferSelect; email: string };

/** The member, locked until the transaction ends. Throws Refusal('not_found'). */
export async function memberRow(tx: Tx, workspaceId: string, userId: string): Promise<MemberRow> {
  const [row] = await tx
    .select({ member: members, email: users.email })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.workspaceId, workspaceId), eq(members.userId, userId)))
    .for('update', { of: members });
  if (!row) throw new Refusal('not_found', 'There is no such member in this workspace.');
  return row;
}

/** Of one workspace: as many as its list shows. */
export const MAX_MEMBERS = 1_000;

/**
 * One change of who is in a workspace, or is to be, at a time. Its row is locked first, by every verb that makes one:
 * two owners who demote each other at the same moment cannot both succeed, nor can one link be accepted twice.
 */
export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  await tx.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId)).for('no key update');
}

export async function requireAnotherOwner(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  const owners = await tx
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.workspaceId, workspaceId), eq(members.role, 'owner')));
  if (owners.some((owner) => owner.userId !== userId)) return;
  throw new Refusal('conflict', 'A workspace needs an owner, and this is the last one. Make somebody else an owner first.');
}

export function memberView({ member, email }: MemberRow): MemberView {
  return { user_id: member.userId, email, role: member.role, revision: member.revision, created_at: member.createdAt.toISOString() };
}
