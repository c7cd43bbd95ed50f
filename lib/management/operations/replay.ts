import { purgeReplay } from '../../tenancy/replay';
import { operation } from '../operation';
import { replayPurge, replayPurged } from '../schemas';

export const replayOperations = [
  operation({
    id: 'purgeReplay', method: 'POST', path: '/replay/purge', tag: 'Replay', role: 'developer', status: 200,
    summary: 'Forget stored answers',
    description:
      'Of a key, of a route, or of the whole workspace. None of them is served from then on, within 5 s in every process and also while the store is away; their bytes, which nobody asks for again, leave the store when their time to live is over.',
    body: replayPurge, response: { name: 'ReplayPurged', schema: replayPurged },
    run: ({ services, actor, body }) => purgeReplay(services.tenancy, actor, body),
  }),
];
