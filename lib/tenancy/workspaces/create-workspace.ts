import { withWorkspace } from '../../db';
import { newId, Refusal } from '../../std';
import type { Tenancy } from '../tenancy';
import { furnishWorkspace, workspaceName } from './furnish-workspace';
import { listMemberships } from './list-memberships';

export const MAX_WORKSPACES = 50;

/** A further workspace of this person, who becomes its owner. */
export async function createWorkspace(tenancy: Tenancy, user: { id: string; email: string }, input: { name: string }): Promise<{ id: string; slug: string; name: string }> {
  const name = workspaceName(input.name, user.email);
  const memberships = await listMemberships(tenancy, user.id);
  if (memberships.length >= MAX_WORKSPACES) throw new Refusal('conflict', `One person may be in ${MAX_WORKSPACES} workspaces.`);
  const workspaceId = newId('ws');
  const slug = await withWorkspace(tenancy.db, workspaceId, (tx) => furnishWorkspace(tx, { workspaceId, name, ownerId: user.id }));
  return { id: workspaceId, slug, name };
}
