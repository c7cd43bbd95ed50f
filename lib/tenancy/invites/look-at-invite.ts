import { eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { workspaces } from '../../db/schema';
import type { Role } from '../actor';
import type { Client } from '../sessions';
import type { Tenancy } from '../tenancy';
import { findInvite } from './find-invite';
import { inviterOf, unusable, usableInvite } from './rows';

/** What whoever holds the link may see of it; not the address that it was sent to. */
export interface InviteOffer {
  /** The workspace's name. */
  workspace: string;
  role: Role;
  /** Address of the inviter's account; null: a management key. */
  invitedBy: string | null;
  /** ISO 8601. */
  expiresAt: string;
}

/** Reads an invitation by its link's token, and changes nothing. Refuses `not_found`, whatever is wrong with it, and `rate_limited`. */
export async function lookAtInvite(tenancy: Tenancy, token: string, client: Client): Promise<InviteOffer> {
  const { workspaceId, tokenHash } = await findInvite(tenancy, token, client);
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const row = await usableInvite(tx, workspaceId, tokenHash);
    const [workspace] = await tx.select({ name: workspaces.name }).from(workspaces).where(eq(workspaces.id, workspaceId));
    if (workspace === undefined) throw unusable();
    return { workspace: workspace.name, role: row.role, invitedBy: await inviterOf(tx, row), expiresAt: row.expiresAt.toISOString() };
  });
}
