import { listAuditEntries } from '../../tenancy/audit';
import { whoAmI } from '../../tenancy';
import { listMembers } from '../../tenancy/members';
import { operation } from '../operation';
import { auditEntry, listQuery, me, memberList, pageOf } from '../schemas';

const tag = 'Workspace';

export const workspaceOperations = [
  operation({
    id: 'getMe', method: 'GET', path: '/me', tag, role: 'viewer', status: 200,
    summary: 'Who is asking',
    response: { name: 'Me', schema: me },
    run: ({ services, actor }) => whoAmI(services.tenancy, actor),
  }),
  operation({
    id: 'listMembers', method: 'GET', path: '/members', tag, role: 'viewer', status: 200,
    summary: 'List members',
    response: { name: 'MemberList', schema: memberList },
    run: async ({ services, actor }) => ({ data: await listMembers(services.tenancy, actor), next_cursor: null }),
  }),
  operation({
    id: 'listAuditEntries', method: 'GET', path: '/audit', tag, role: 'admin', status: 200,
    summary: 'List changes',
    description: 'Who changed what, newest first. Rows carry a hash over themselves and the row before: the log can be checked.',
    query: listQuery,
    response: { name: 'AuditPage', schema: pageOf(auditEntry, 'A page of the log, newest first.') },
    run: ({ services, actor, query }) => listAuditEntries(services.tenancy, actor, query),
  }),
];
