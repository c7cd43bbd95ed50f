import { createManagementKey, deleteManagementKey, listManagementKeys } from '../../tenancy/management-keys';
import { operation } from '../operation';
import { issuedManagementKey, managementKey, managementKeyCreate, namedListQuery, pageOf } from '../schemas';

const tag = 'Management keys';

export const managementKeyOperations = [
  operation({
    id: 'listManagementKeys', method: 'GET', path: '/management-keys', tag, role: 'admin', status: 200,
    summary: 'List management keys',
    query: namedListQuery,
    response: { name: 'ManagementKeyPage', schema: pageOf(managementKey, 'A page of management keys, by name. Revoked ones are not listed.') },
    run: ({ services, actor, query }) => listManagementKeys(services.tenancy, actor, query),
  }),
  operation({
    id: 'createManagementKey', method: 'POST', path: '/management-keys', tag, role: 'admin', status: 201,
    summary: 'Issue a management key',
    description: 'The answer holds the token: the only time that it is shown. It may do at most what its maker may.',
    body: managementKeyCreate, response: { name: 'IssuedManagementKey', schema: issuedManagementKey }, refusals: [409],
    run: ({ services, actor, body }) => createManagementKey(services.tenancy, actor, body),
  }),
  operation({
    id: 'deleteManagementKey', method: 'DELETE', path: '/management-keys/{id}', tag, role: 'admin', status: 204,
    summary: 'Revoke a management key',
    description: 'Final and at once. A key may revoke itself.',
    response: null, refusals: [404],
    run: ({ services, actor, params }) => deleteManagementKey(services.tenancy, actor, { id: params['id']! }),
  }),
];
