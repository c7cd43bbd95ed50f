import { createKey, deleteKey, getKey, keyBudgets, keyRates, listKeys, rotateKey, updateKey } from '../../tenancy/keys';
import { operation } from '../operation';
import { budgetList, issuedKey, key, keyCreate, keyListQuery, keyRotate, keyUpdate, pageOf, rateList } from '../schemas';

const tag = 'Keys';
const response = { name: 'Key', schema: key };
const issued = { name: 'IssuedKey', schema: issuedKey };

export const keyOperations = [
  operation({
    id: 'listKeys', method: 'GET', path: '/keys', tag, role: 'viewer', status: 200,
    summary: 'List keys',
    query: keyListQuery,
    response: { name: 'KeyPage', schema: pageOf(key, 'A page of keys. Revoked ones are not listed.') },
    run: ({ services, actor, query }) => listKeys(services.tenancy, actor, query),
  }),
  operation({
    id: 'createKey', method: 'POST', path: '/keys', tag, role: 'developer', status: 201,
    summary: 'Issue a key',
    description: 'The answer holds the token: the only time that it is shown. A hash of it is kept.',
    body: keyCreate, response: issued, refusals: [409],
    run: ({ services, actor, body }) => createKey(services.tenancy, actor, body),
  }),
  operation({
    id: 'getKey', method: 'GET', path: '/keys/{id}', tag, role: 'viewer', status: 200,
    summary: 'Read a key',
    response, refusals: [404],
    run: ({ services, actor, params }) => getKey(services.tenancy, actor, { id: params['id']! }),
  }),
  operation({
    id: 'listKeyBudgets', method: 'GET', path: '/keys/{id}/budgets', tag, role: 'viewer', status: 200,
    summary: 'What is left of a key’s budgets',
    response: { name: 'BudgetList', schema: budgetList }, refusals: [404],
    run: ({ services, actor, params }) => keyBudgets(services.tenancy, actor, { id: params['id']! }),
  }),
  operation({
    id: 'listKeyRates', method: 'GET', path: '/keys/{id}/rates', tag, role: 'viewer', status: 200,
    summary: 'What is left of a key’s rates',
    description: 'Requests and tokens of the minute, and calls in flight, of the key and of the workspace.',
    response: { name: 'RateList', schema: rateList }, refusals: [404],
    run: ({ services, actor, params }) => keyRates(services.tenancy, services.standings, actor, { id: params['id']! }),
  }),
  operation({
    id: 'updateKey', method: 'PATCH', path: '/keys/{id}', tag, role: 'developer', status: 200,
    summary: 'Edit, disable or enable a key',
    description:
      'Holds within 5 s in every process. Streams that are open go on. `limits` is replaced as a whole: a limit that the body leaves out of it, or says null to, is gone, a hard budget too; so send those that are to stay. Without `limits` all of them stay.',
    body: keyUpdate, ifMatch: 'required', response, refusals: [404, 409],
    run: ({ services, actor, params, body, revision }) => updateKey(services.tenancy, actor, { id: params['id']!, revision: revision!, change: body }),
  }),
  operation({
    id: 'deleteKey', method: 'DELETE', path: '/keys/{id}', tag, role: 'developer', status: 204,
    summary: 'Revoke a key',
    description: 'Final, and within 5 s in every process. A leaked key is revoked by one command.',
    ifMatch: 'optional', response: null, refusals: [404],
    run: ({ services, actor, params, revision }) => deleteKey(services.tenancy, actor, { id: params['id']!, revision }),
  }),
  operation({
    id: 'rotateKey', method: 'POST', path: '/keys/{id}/rotate', tag, role: 'developer', status: 201,
    summary: 'Rotate a key',
    description:
      'A new token for the same key, shown in this answer only; the old one works for `overlap_s` more. A token from an earlier rotation that still worked ends.',
    body: keyRotate, bodyOptional: true, response: issued, refusals: [404],
    run: ({ services, actor, params, body }) => rotateKey(services.tenancy, actor, { id: params['id']!, overlap_s: body.overlap_s }),
  }),
];
