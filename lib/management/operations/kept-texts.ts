import { getKeptTexts, purgeTexts } from '../../tenancy/kept-texts';
import { operation } from '../operation';
import { keptTexts, textsPurge, textsPurged } from '../schemas';

export const keptTextOperations = [
  operation({
    id: 'getCallTexts', method: 'GET', path: '/calls/{id}/texts', tag: 'Calls', role: 'developer', status: 200,
    summary: 'Read what savers changed in a call',
    description: 'Where the call’s key keeps rewritten texts (`keep_texts`), and until their time is over: each changed text, as it came and as it was sent. They are there a moment after the call’s end; 404 where none are kept.',
    response: { name: 'KeptTexts', schema: keptTexts }, refusals: [404],
    run: ({ services, actor, params }) => getKeptTexts(services.tenancy, actor, { callId: params['id']! }),
  }),
  operation({
    id: 'purgeTexts', method: 'POST', path: '/texts/purge', tag: 'Calls', role: 'developer', status: 200,
    summary: 'Delete kept texts',
    description: 'Of a key or of the whole workspace, at once. Whether a key keeps texts stays as it is.',
    body: textsPurge, response: { name: 'TextsPurged', schema: textsPurged },
    run: ({ services, actor, body }) => purgeTexts(services.tenancy, actor, body),
  }),
];
