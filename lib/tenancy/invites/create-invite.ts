import { and, eq, sql } from 'drizzle-orm';
import { withWorkspace, type Tx } from '../../db';
import { invites, members, users, workspaces } from '../../db/schema';
import type { InviteCreate, InviteView, IssuedInvite } from '../../management/schemas';
import { newId, Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { lockWorkspace } from '../members/rows';
import { actorName, requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { issueToken } from '../token';
import { countAttempt } from '../users/attempts';
import { normalEmail } from '../users/rules';
import { inviteMail } from './mail';
import { inviteExpiry, inviterOf, inviteView, MAX_INVITES, requireMayGive, requireMayTouch, type InviteRow } from './rows';

/** What the verb may use of the process. */
export interface InviteServices {
  tenancy: Tenancy;
  env: { publicUrl: string };
}

interface Written {
  row: InviteRow;
  workspace: string;
  inviter: string | null;
}

/**
 * Invites an address. Once more replaces what was sent before: the earlier link ends, seven days begin anew.
 *
 * With a mail server the link goes there alone and the inviter never sees it, so that whoever has it has the mailbox.
 * Without one the answer holds it, once, and the inviter vouches for the address. Accounts are not looked at: the
 * answer is the same for an address that has one. When the mail fails the invitation stands, and can be sent again.
 *
 * Refuses `forbidden`, `invalid`, `conflict` (a member already, too many invitations), `rate_limited`.
 */
export async function createInvite({ tenancy, env }: InviteServices, actor: Actor, input: InviteCreate): Promise<IssuedInvite> {
  requireRole(actor, 'admin');
  requireMayGive(actor, input.role);
  const email = normalEmail(input.email);
  await countAttempt(tenancy, 'invite workspace', actor.workspaceId);
  await countAttempt(tenancy, 'invite address', email);
  const { token, hash } = issueToken('in');
  const written = await withWorkspace(tenancy.db, actor.workspaceId, (tx) => write(tx, tenancy, actor, { email, role: input.role, tokenHash: hash }));
  return await handOver(tenancy, inviteView(written.row, tenancy.clock.now()), written, `${env.publicUrl}/invite/${token}`);
}

async function write(tx: Tx, tenancy: Tenancy, actor: Actor, input: Pick<InviteRow, 'email' | 'role' | 'tokenHash'>): Promise<Written> {
  const { workspaceId } = actor;
  await lockWorkspace(tx, workspaceId);
  await requireNoMember(tx, workspaceId, input.email);
  const [old] = await tx.select().from(invites).where(and(eq(invites.workspaceId, workspaceId), eq(invites.email, input.email)));
  if (old === undefined) await requireRoom(tx, workspaceId);
  else requireMayTouch(actor, old);
  const sent = { ...input, invitedBy: actorName(actor), expiresAt: inviteExpiry };
  const [row] =
    old === undefined
      ? await tx.insert(invites).values({ id: newId('invite'), workspaceId, ...sent }).returning()
      : await tx.update(invites).set({ ...sent, revision: old.revision + 1 }).where(and(eq(invites.workspaceId, workspaceId), eq(invites.id, old.id))).returning();
  const nowMs = tenancy.clock.now();
  const inviter = await inviterOf(tx, row!);
  const [workspace] = await tx.select({ name: workspaces.name }).from(workspaces).where(eq(workspaces.id, workspaceId));
  await audit(tx, actor, old === undefined ? 'invite.created' : 'invite.sent_again', row!.id, old === undefined ? null : inviteView(old, nowMs), inviteView(row!, nowMs));
  return { row: row!, workspace: workspace!.name, inviter };
}

async function handOver(tenancy: Tenancy, view: InviteView, { row, workspace, inviter }: Written, link: string): Promise<IssuedInvite> {
  if (tenancy.mail === null) return { ...view, mail: 'not_configured', mail_error: null, link };
  const outcome = await tenancy.mail(inviteMail({ to: row.email, id: `${row.id}.${row.revision}`, workspace, inviter, role: row.role, link, expiresAt: row.expiresAt }));
  return outcome.type === 'delivered' ? { ...view, mail: 'sent', mail_error: null, link: null } : { ...view, mail: 'failed', mail_error: outcome.error, link: null };
}

/** Who is in the workspace its members can see anyway: of anybody else's account nothing is asked. */
async function requireNoMember(tx: Tx, workspaceId: string, email: string): Promise<void> {
  const [member] = await tx
    .select({ userId: members.userId })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.workspaceId, workspaceId), eq(users.email, email)));
  if (member !== undefined) throw new Refusal('conflict', 'This person is a member already.', [{ field: 'email', message: 'is a member already' }]);
}

async function requireRoom(tx: Tx, workspaceId: string): Promise<void> {
  const [row] = await tx.select({ n: sql<number>`count(*)::int` }).from(invites).where(eq(invites.workspaceId, workspaceId));
  if ((row?.n ?? 0) >= MAX_INVITES) throw new Refusal('conflict', `A workspace may have ${MAX_INVITES} invitations that nobody has accepted. Revoke one first.`);
}
