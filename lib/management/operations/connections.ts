import {
  createConnection, deleteConnection, getConnection, listConnections, updateConnection,
} from '../../tenancy/connections';
import { operation } from '../operation';
import { testConnection } from '../trial';
import {
  connection, connectionCreate, connectionReport, connectionTest, connectionUpdate, namedListQuery, pageOf,
} from '../schemas';

const tag = 'Connections';
const response = { name: 'Connection', schema: connection };

export const connectionOperations = [
  operation({
    id: 'listConnections', method: 'GET', path: '/connections', tag, role: 'viewer', status: 200,
    summary: 'List connections',
    query: namedListQuery,
    response: { name: 'ConnectionPage', schema: pageOf(connection, 'A page of connections, by name.') },
    run: ({ services, actor, query }) => listConnections(services.tenancy, actor, query),
  }),
  operation({
    id: 'createConnection', method: 'POST', path: '/connections', tag, role: 'admin', status: 201,
    summary: 'Add a connection',
    description: 'Stores the credential encrypted. Contacts nobody: test it afterwards.',
    body: connectionCreate, response, refusals: [409],
    run: ({ services, actor, body }) => createConnection(services.tenancy, actor, body),
  }),
  operation({
    id: 'getConnection', method: 'GET', path: '/connections/{id}', tag, role: 'viewer', status: 200,
    summary: 'Read a connection',
    response, refusals: [404],
    run: ({ services, actor, params }) => getConnection(services.tenancy, actor, { id: params['id']! }),
  }),
  operation({
    id: 'updateConnection', method: 'PATCH', path: '/connections/{id}', tag, role: 'admin', status: 200,
    summary: 'Edit a connection',
    description: 'Calls that are under way keep the connection that they began with; new calls see the edit within 5 s in every process.',
    body: connectionUpdate, ifMatch: 'required', response, refusals: [404, 409],
    run: ({ services, actor, params, body, revision }) =>
      updateConnection(services.tenancy, actor, { id: params['id']!, revision: revision!, change: body }),
  }),
  operation({
    id: 'deleteConnection', method: 'DELETE', path: '/connections/{id}', tag, role: 'admin', status: 204,
    summary: 'Remove a connection',
    description: 'Refused with 409 while a route or a key has it in a tier; they are named.',
    ifMatch: 'optional', response: null, refusals: [404, 409],
    run: ({ services, actor, params, revision }) => deleteConnection(services.tenancy, actor, { id: params['id']!, revision }),
  }),
  operation({
    id: 'testConnection', method: 'POST', path: '/connections/{id}/test', tag, role: 'developer', status: 200,
    summary: 'Test a connection',
    description: 'Contacts the provider through the path that calls take: name, connection or TLS, credential, model list, first content, each told apart. The provider is paid for one very short answer, of at most 1,024 tokens; it has no row in the ledger and no budget is charged. Therefore a workspace has 30 tests a minute in each process (429), and none of a provider once a hard budget of the workspace is used up (402).',
    body: connectionTest, bodyOptional: true,
    response: { name: 'ConnectionReport', schema: connectionReport }, refusals: [402, 404],
    run: ({ services, actor, params, body, signal }) => testConnection(services, actor, { id: params['id']!, model: body.model, signal }),
  }),
];
