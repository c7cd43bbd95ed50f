import type { Metadata } from 'next';
import { requireMember } from '@/app/_auth/session';
import { found } from '@/app/_shell/found';
import { queryOf, type SearchParams } from '@/app/_shell/search-params';
import { Notice, PageHeader, Section } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { countKeysMade, listInvites, listMembers, mayAct, ROLES } from '@/lib/tenancy';
import { inviteAction } from './actions';
import { InvitePerson } from './_components/invite-person';
import { InviteTable } from './_components/invite-table';
import { MemberTable } from './_components/member-table';
import { RoleTable } from './_components/role-table';

export const metadata: Metadata = { title: 'Members' };

export default async function MembersPage({ params, searchParams }: { params: Promise<{ workspace: string }>; searchParams: SearchParams }) {
  const { workspace: slug } = await params;
  const { already } = await queryOf(searchParams);
  const { actor, workspace } = await requireMember(slug);
  const { tenancy, env } = await runtime();
  const manages = mayAct(actor.role, 'admin');
  const [members, invites, keysMade] = await Promise.all([
    found(listMembers(tenancy, actor)),
    manages ? listInvites(tenancy, actor) : [],
    manages ? countKeysMade(tenancy, actor) : null,
  ]);
  const roles = ROLES.filter((role) => mayAct(actor.role, role));
  return (
    <>
      <PageHeader
        title="Members" lead="Who may act in this workspace, and as what. A change of role, or a removal, holds from the next request on."
        actions={manages ? <InvitePerson action={inviteAction.bind(null, slug)} roles={roles} byMail={env.mail !== null} /> : null}
      />
      {already === '1' ? <Notice className="mb-6" title="You are a member already">You are {actor.role} here, and the invitation changed nothing. It is used up.</Notice> : null}
      <Section bare title="People">
        <MemberTable members={members} actor={actor} workspace={workspace} roles={roles} keysMade={keysMade} />
      </Section>
      {manages ? (
        <Section
          bare title="Invitations"
          lead={
            env.mail !== null
              ? 'Sent by mail, to the address alone: whoever accepts has shown that the mailbox is theirs. A link works once, for 7 days.'
              : 'This installation has no mail server (OHM_SMTP_URL): you pass the link on yourself, and vouch for the address, since nothing else proves whose it is. A link works once, for 7 days.'
          }
        >
          <InviteTable invites={invites} members={members} actor={actor} slug={slug} roles={roles} byMail={env.mail !== null} />
        </Section>
      ) : null}
      <Section bare title="What each role may do" lead="The same here and in the management API. A management key has a role, too.">
        <RoleTable mine={actor.role} />
      </Section>
    </>
  );
}
