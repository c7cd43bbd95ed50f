import { operation } from '../operation';
import { usageQuery, usageReport } from '../schemas';
import { usageView } from '../usage-view';

export const usageOperations = [
  operation({
    id: 'getUsage', method: 'GET', path: '/usage', tag: 'Usage', role: 'viewer', status: 200,
    summary: 'Sum calls',
    description:
      'Calls by their ends, tokens by kind, spend, failovers, truncations and replays over a time, grouped by key, model, route, connection or tag and cut into days of a zone or hours. ' +
      'The figures are those of the calls list, to the unit. Tags are summed on their own and cannot be combined with the other filters and groups. A row holds a call once it has ended.',
    query: usageQuery,
    response: { name: 'UsageReport', schema: usageReport },
    run: ({ services, actor, query }) => usageView(services, actor, query, Date.now()),
  }),
];
