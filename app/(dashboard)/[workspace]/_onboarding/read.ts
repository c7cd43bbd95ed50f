import { runtime } from '@/lib/boot';
import { MAX_LIMIT } from '@/lib/management/schemas';
import { listCalls } from '@/lib/metering';
import { listConnections, listKeys, listRoutes, type Actor } from '@/lib/tenancy';
import { progressOf, type Progress } from './steps';

/** Reads what the checklist is derived from, as this member may see it. */
export async function readProgress(actor: Actor): Promise<Progress> {
  const { tenancy, ledger } = await runtime();
  const [connections, routes, keys, finished, latest] = await Promise.all([
    listConnections(tenancy, actor, { limit: MAX_LIMIT }),
    listRoutes(tenancy, actor, { limit: MAX_LIMIT }),
    listKeys(tenancy, actor, { limit: MAX_LIMIT, sort: 'created' }),
    listCalls(ledger, actor.workspaceId, { state: 'finished', limit: 1 }),
    listCalls(ledger, actor.workspaceId, { limit: 1 }),
  ]);
  return progressOf({
    connections: connections.data,
    routes: routes.data.map((route) => ({ id: route.id, name: route.name, tiers: route.tiers.length })),
    keys: keys.data.map((key) => ({ id: key.id, name: key.name, state: key.state, defaultRoute: key.default_route })),
    finished: finished.data[0] ?? null,
    latest: latest.data[0] ?? null,
  });
}
