import type { Tx } from '../../db';
import { members } from '../../db/schema';
import type { MemberView } from '../../management/schemas';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { memberRow, memberView } from './rows';

/**
 * Takes a person in, who has agreed: the actor, with the role that they are to have, in the transaction of what says
 * that they may. Null: they were a member already, and keep their role.
 */
export async function addMember(tx: Tx, actor: Actor): Promise<MemberView | null> {
  const { workspaceId, id: userId, role } = actor;
  const made = await tx.insert(members).values({ workspaceId, userId, role }).onConflictDoNothing().returning({ userId: members.userId });
  if (made.length === 0) return null;
  const view = memberView(await memberRow(tx, workspaceId, userId));
  await audit(tx, actor, 'member.added', userId, null, view);
  return view;
}
