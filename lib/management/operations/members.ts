import { changeInvite, changeRole, createInvite, listInvites, listMembers, removeMember, revokeInvite } from '../../tenancy';
import { operation } from '../operation';
import { invite, inviteCreate, inviteList, inviteUpdate, issuedInvite, member, memberList, memberRemoval, memberUpdate } from '../schemas';

const tag = 'Members';

export const memberOperations = [
  operation({
    id: 'listMembers', method: 'GET', path: '/members', tag, role: 'viewer', status: 200,
    summary: 'List members',
    response: { name: 'MemberList', schema: memberList },
    run: async ({ services, actor }) => ({ data: await listMembers(services.tenancy, actor), next_cursor: null }),
  }),
  operation({
    id: 'updateMember', method: 'PATCH', path: '/members/{id}', tag, role: 'admin', status: 200,
    summary: 'Change a member’s role',
    description: '`id` is their `user_id`. Holds from their next request on. Only an owner makes owners or changes them, and the last one stays. Invitations that they sent and could not send any more are taken back.',
    body: memberUpdate, ifMatch: 'required', response: { name: 'Member', schema: member }, refusals: [404],
    run: ({ services, actor, params, body, revision }) => changeRole(services.tenancy, actor, { userId: params['id']!, role: body.role, revision }),
  }),
  operation({
    id: 'removeMember', method: 'DELETE', path: '/members/{id}', tag, role: 'viewer', status: 204,
    summary: 'Remove a member, or leave',
    description: '`id` is their `user_id`. At once: their next request finds no workspace, and the invitations that they sent are taken back. Everybody may leave by themselves; removing somebody else takes an admin, an owner for an owner. The last owner stays.',
    query: memberRemoval, ifMatch: 'optional', response: null, refusals: [404],
    run: ({ services, actor, params, query, revision }) => removeMember(services.tenancy, actor, { userId: params['id']!, revision, keys: query.keys }),
  }),
  operation({
    id: 'listInvites', method: 'GET', path: '/invites', tag, role: 'admin', status: 200,
    summary: 'List invitations',
    response: { name: 'InviteList', schema: inviteList },
    run: async ({ services, actor }) => ({ data: await listInvites(services.tenancy, actor), next_cursor: null }),
  }),
  operation({
    id: 'createInvite', method: 'POST', path: '/invites', tag, role: 'admin', status: 201,
    summary: 'Invite a person',
    description: 'The only way in: nobody becomes a member without accepting. The link works once, for 7 days, for an account with that address, and goes to the address alone where there is a mail server. Inviting an address again replaces what was sent before: the earlier link ends. The answer is the same whether the address has an account or not.',
    body: inviteCreate, response: { name: 'IssuedInvite', schema: issuedInvite }, refusals: [409],
    run: ({ services, actor, body }) => createInvite(services, actor, body),
  }),
  operation({
    id: 'updateInvite', method: 'PATCH', path: '/invites/{id}', tag, role: 'admin', status: 200,
    summary: 'Change what somebody is invited as',
    description: 'The link stays as it is.',
    body: inviteUpdate, ifMatch: 'required', response: { name: 'Invite', schema: invite }, refusals: [404],
    run: ({ services, actor, params, body, revision }) => changeInvite(services.tenancy, actor, { id: params['id']!, role: body.role, revision: revision! }),
  }),
  operation({
    id: 'deleteInvite', method: 'DELETE', path: '/invites/{id}', tag, role: 'admin', status: 204,
    summary: 'Revoke an invitation',
    description: 'At once: its link works no more.',
    ifMatch: 'optional', response: null, refusals: [404],
    run: ({ services, actor, params, revision }) => revokeInvite(services.tenancy, actor, { id: params['id']!, revision }),
  }),
];
