import { constraintViolated, withWorkspace } from '../../db';
import { members } from '../../db/schema';
import type { MemberView } from '../../management/schemas';
import { Refusal } from '../../std';
import type { Actor, Role } from '../actor';
import { audit } from '../audit';
import { mayAct, requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { memberRow, memberView } from './rows';

/**
 * Takes a person in, who must have agreed: the verb behind an accepted invitation, not a way to look people up.
 * Nobody gives a role above their own.
 */
export async function addMember(tenancy: Tenancy, actor: Actor, input: { userId: string; role: Role }): Promise<MemberView> {
  requireRole(actor, 'admin');
  if (!mayAct(actor.role, input.role)) throw new Refusal('forbidden', `Only an owner can make somebody ${input.role}.`);
  const { workspaceId } = actor;
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    await tx.insert(members).values({ workspaceId, userId: input.userId, role: input.role });
    const view = memberView(await memberRow(tx, workspaceId, input.userId));
    await audit(tx, actor, 'member.added', input.userId, null, view);
    return view;
  }).catch((error: unknown) => {
    if (constraintViolated(error, 'members_pkey')) throw new Refusal('conflict', 'This person is a member already.');
    if (constraintViolated(error, 'members_user_id_users_id_fk')) throw new Refusal('not_found', 'There is no such person.');
    throw error;
  });
}
