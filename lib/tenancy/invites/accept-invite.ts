import { and, eq, sql } from 'drizzle-orm';
import { withWorkspace, type Tx } from '../../db';
import { invites, members, workspaces } from '../../db/schema';
import { Refusal } from '../../std';
import type { Actor, Role } from '../actor';
import { audit } from '../audit';
import { addMember } from '../members/add-member';
import { lockWorkspace, MAX_MEMBERS } from '../members/rows';
import type { Client, SignedIn } from '../sessions';
import type { Tenancy } from '../tenancy';
import { MAX_WORKSPACES } from '../workspaces/create-workspace';
import { listMemberships } from '../workspaces/list-memberships';
import { findInvite } from './find-invite';
import { inviteView, usableInvite } from './rows';

export interface Accepted {
  workspace: { id: string; slug: string; name: string };
  /** The role held now: of somebody who was a member already the one that they had. */
  role: Role;
  joined: boolean;
}

/**
 * Makes a signed-in person a member, as the link says, and uses it up. Their address must be the invited one. Whoever
 * is a member already keeps their role, and the link is used up all the same. Refuses `not_found` for every link that
 * cannot be used, `forbidden` for another account, `conflict` where there is no room, `rate_limited`.
 */
export async function acceptInvite(tenancy: Tenancy, user: SignedIn['user'], token: string, client: Client): Promise<Accepted> {
  const { workspaceId, tokenHash } = await findInvite(tenancy, token, client);
  const memberships = await listMemberships(tenancy, user.id);
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    await lockWorkspace(tx, workspaceId); // of two at once the second finds the link used up
    const row = await usableInvite(tx, workspaceId, tokenHash);
    if (row.email !== user.email) throw new Refusal('forbidden', 'This invitation is for another account. Sign in with the address that it was sent to.');
    const held = memberships.find(({ workspace }) => workspace.id === workspaceId);
    if (held === undefined) await requireRoom(tx, workspaceId, memberships.length);
    const actor: Actor = { kind: 'user', id: user.id, workspaceId, role: held?.role ?? row.role };
    await tx.delete(invites).where(and(eq(invites.workspaceId, workspaceId), eq(invites.id, row.id)));
    await audit(tx, actor, 'invite.accepted', row.id, inviteView(row, tenancy.clock.now()), null);
    const member = await addMember(tx, actor);
    const [workspace] = await tx.select({ id: workspaces.id, slug: workspaces.slug, name: workspaces.name }).from(workspaces).where(eq(workspaces.id, workspaceId));
    return { workspace: workspace!, role: actor.role, joined: member !== null };
  });
}

async function requireRoom(tx: Tx, workspaceId: string, memberships: number): Promise<void> {
  if (memberships >= MAX_WORKSPACES) throw new Refusal('conflict', `One person may be in ${MAX_WORKSPACES} workspaces. Leave one first.`);
  const [row] = await tx.select({ n: sql<number>`count(*)::int` }).from(members).where(eq(members.workspaceId, workspaceId));
  if ((row?.n ?? 0) >= MAX_MEMBERS) throw new Refusal('conflict', `A workspace may have ${MAX_MEMBERS} members, and this one has.`);
}
