import { Refusal } from '../../std';
import { findCall, listCalls } from '../../metering';
import { connectionId, keyId } from '../../tenancy';
import { callView } from '../call-view';
import { operation } from '../operation';
import { call, callListQuery, callPage } from '../schemas';

const tag = 'Calls';

export const callOperations = [
  operation({
    id: 'listCalls', method: 'GET', path: '/calls', tag, role: 'viewer', status: 200,
    summary: 'List calls',
    description: 'Newest first. A call appears within a second of its end.',
    query: callListQuery,
    response: { name: 'CallPage', schema: callPage },
    run: async ({ services, actor, query }) => {
      const key = query.key === undefined ? undefined : await keyId(services.tenancy, actor, query.key);
      const connection = query.connection === undefined ? undefined : await connectionId(services.tenancy, actor, query.connection);
      const page = await listCalls(services.ledger, actor.workspaceId, { ...query, key, connection });
      return { data: page.data.map(callView), next_cursor: page.next_cursor };
    },
  }),
  operation({
    id: 'getCall', method: 'GET', path: '/calls/{id}', tag, role: 'viewer', status: 200,
    summary: 'Read a call',
    description: '`{id}` is the X-Ohm-Request-Id of the answer, `call_…`. There as soon as the client saw the end (within 1 s for an aborted call); 404 before, never half a row.',
    response: { name: 'Call', schema: call }, refusals: [404],
    run: async ({ services, actor, params }) => {
      const row = await findCall(services.ledger, actor.workspaceId, params['id']!);
      if (row === undefined) throw new Refusal('not_found', 'There is no such call in this workspace, or it has not ended yet.');
      return callView(row);
    },
  }),
];
