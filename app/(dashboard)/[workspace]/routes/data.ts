import { failureWords } from '@/app/_ui/timeline';
import { POLICY } from '@/lib/gateway/attempt/failure';
import { listConnections, listRoutes, type Actor, type Tenancy } from '@/lib/tenancy';
import type { FailureClass } from '@/lib/wire';
import { everyPage } from '../_components/every-page';
import type { FailoverPolicy } from './_components/failover-words';
import type { ConnectionChoice } from './_components/tier-card';

/** What the editor needs to know of the workspace besides the route itself. */
export async function editorContext(tenancy: Tenancy, actor: Actor): Promise<{ connections: ConnectionChoice[]; routeNames: string[] }> {
  const [connections, routes] = await Promise.all([
    everyPage((page) => listConnections(tenancy, actor, page)),
    everyPage((page) => listRoutes(tenancy, actor, page)),
  ]);
  return {
    connections: connections.map(({ name, provider, kind }) => ({ name, provider, kind })),
    routeNames: routes.map((route) => route.name),
  };
}

/** The engine's own table in words, so that the page cannot promise what the gateway does not do. */
export function failoverPolicy(): FailoverPolicy {
  const classes = Object.keys(POLICY) as FailureClass[];
  const told = classes.filter((cls) => cls !== 'draining' && cls !== 'deadline');
  const words = (nextTier: boolean) => told.filter((cls) => POLICY[cls].nextTier === nextTier).map((cls) => failureWords[cls]);
  return { movesOn: words(true), returned: words(false) };
}
