import { CheckboxField, Table, TBody, Td, TdName, Th, THead, Time, TRow } from '@/app/_ui';
import type { MemberView } from '@/lib/management/schemas';
import { mayAct, type Actor, type KeysMade, type Role } from '@/lib/tenancy';
import { ConfirmByName } from '../../_components/confirm-by-name';
import { changeRoleAction, leaveAction, removeMemberAction } from '../actions';
import { ChangeRole } from './change-role';

export function MemberTable({ members, actor, workspace, roles, keysMade }: {
  members: MemberView[];
  actor: Actor;
  workspace: { slug: string; name: string };
  /** Those that the reader may give. */
  roles: Role[];
  /** By user id; null: not for the reader to know. */
  keysMade: Map<string, KeysMade> | null;
}) {
  const { slug } = workspace;
  const owners = members.filter((member) => member.role === 'owner').length;
  return (
    <Table caption="People">
      <THead><Th>E-mail</Th><Th>Role</Th><Th>Since</Th><Th><span className="sr-only">Change or remove</span></Th></THead>
      <TBody>
        {members.map((member) => {
          const me = member.user_id === actor.id;
          const mayManage = mayAct(actor.role, 'admin') && mayAct(actor.role, member.role);
          return (
            <TRow key={member.user_id}>
              <TdName>{member.email}{me ? <span className="text-muted"> (you)</span> : null}</TdName>
              <Td>{member.role}</Td>
              <Td><Time at={member.created_at} format="date" /></Td>
              <Td>
                <div className="flex justify-end gap-2">
                  {mayManage ? <ChangeRole action={changeRoleAction.bind(null, slug, member.user_id, member.revision)} of={member.email} role={member.role} roles={roles} /> : null}
                  {me ? <Leave workspace={workspace} lastOwner={member.role === 'owner' && owners === 1} /> : mayManage ? <Remove member={member} slug={slug} made={keysMade?.get(member.user_id)} /> : null}
                </div>
              </Td>
            </TRow>
          );
        })}
      </TBody>
    </Table>
  );
}

function Leave({ workspace: { slug, name }, lastOwner }: { workspace: { slug: string; name: string }; lastOwner: boolean }) {
  return (
    <ConfirmByName
      compact action={leaveAction.bind(null, slug)} name={slug} button="Leave" title={`Leave ${name}`}
      description="Your next request finds no workspace, and invitations that you sent are taken back. Keys that you made are the workspace’s and stay. Only another invitation leads back."
      impossible={lastOwner ? 'A workspace needs an owner, and you are the last one. Make somebody else an owner first.' : undefined}
    />
  );
}

function Remove({ member, slug, made }: { member: MemberView; slug: string; made: KeysMade | undefined }) {
  return (
    <ConfirmByName
      compact action={removeMemberAction.bind(null, slug, member.user_id, member.email)} name={member.email} button="Remove" title={`Remove ${member.email}`}
      description={`Their next request finds no workspace, and invitations that they sent are taken back.${made === undefined ? '' : ' Keys that they made are the workspace’s and stay, unless you say otherwise.'}`}
    >
      {made === undefined ? null : (
        <CheckboxField
          label={`Also end the keys that they made (${[counted(made.keys, 'API key'), counted(made.managementKeys, 'management key')].filter(Boolean).join(', ')})`}
          name="keys" value="disable" hint="API keys are disabled, and can be enabled again; management keys are revoked for good. Whatever uses them is refused within 5 seconds."
        />
      )}
    </ConfirmByName>
  );
}

const counted = (n: number, what: string): string => (n === 0 ? '' : `${n} ${what}${n === 1 ? '' : 's'}`);
