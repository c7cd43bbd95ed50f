import { Chip, Empty, Table, TBody, Td, TdName, Th, THead, Time, TRow } from '@/app/_ui';
import type { InviteView, MemberView } from '@/lib/management/schemas';
import { mayAct, type Actor, type Role } from '@/lib/tenancy';
import { ActButton } from '../../settings/forms';
import { changeInviteAction, revokeInviteAction, sendAgainAction } from '../actions';
import { ChangeRole } from './change-role';
import { SendAgain } from './send-again';

export function InviteTable({ invites, members, actor, slug, roles, byMail }: {
  invites: InviteView[];
  members: MemberView[];
  actor: Actor;
  slug: string;
  /** Those that the reader may give. */
  roles: Role[];
  byMail: boolean;
}) {
  if (invites.length === 0) return <Empty title="Nobody is invited">Whoever you invite is listed here until they accept.</Empty>;
  const inviter = (by: string) => members.find((member) => `user:${member.user_id}` === by)?.email ?? 'a management key';
  return (
    <Table caption="Invitations">
      <THead><Th>E-mail</Th><Th>Role</Th><Th>Invited by</Th><Th>Expires</Th><Th><span className="sr-only">Change, send again or revoke</span></Th></THead>
      <TBody>
        {invites.map((invite) => (
          <TRow key={invite.id}>
            <TdName>{invite.email}</TdName>
            <Td>{invite.role}</Td>
            <TdName>{inviter(invite.invited_by)}</TdName>
            <Td>{invite.state === 'expired' ? <Chip tone="warning">expired</Chip> : <Time at={invite.expires_at} format="relative" />}</Td>
            <Td>
              {mayAct(actor.role, invite.role) ? (
                <div className="flex justify-end gap-2">
                  <ChangeRole action={changeInviteAction.bind(null, slug, invite.id, invite.revision)} of={invite.email} role={invite.role} roles={roles} />
                  <SendAgain action={sendAgainAction.bind(null, slug, invite.email, invite.role)} email={invite.email} byMail={byMail} />
                  <ActButton action={revokeInviteAction.bind(null, slug, invite.id)} label="Revoke" name={`Revoke the invitation of ${invite.email}`} />
                </div>
              ) : null}
            </Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}
