import { asc, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { invites } from '../../db/schema';
import type { InviteView } from '../../management/schemas';
import type { Actor } from '../actor';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { inviteView, MAX_INVITES } from './rows';

/** Invitations that nobody has accepted, expired ones included, by address. */
export async function listInvites(tenancy: Tenancy, actor: Actor): Promise<InviteView[]> {
  requireRole(actor, 'admin');
  const rows = await withWorkspace(tenancy.db, actor.workspaceId, (tx) =>
    tx.select().from(invites).where(eq(invites.workspaceId, actor.workspaceId)).orderBy(asc(invites.email)).limit(MAX_INVITES),
  );
  const nowMs = tenancy.clock.now();
  return rows.map((row) => inviteView(row, nowMs));
}
