import { candidatesOf, type RouteView } from '@/lib/management/schemas';
import { catalogModelsOf, modelFacts } from '@/lib/providers/catalog';

/** Whether `eco` has anything to choose from, as `lib/routing` decides it for keys that allow direct models and for those that do not. */
export interface EcoReach {
  routed: boolean;
  direct: boolean;
}

export function ecoReach(routes: readonly Pick<RouteView, 'tiers'>[], connections: readonly { name: string; provider: string }[]): EcoReach {
  const providers = new Map(connections.map(({ name, provider }) => [name, provider]));
  const candidates = routes.flatMap(({ tiers }) => tiers.flatMap(candidatesOf));
  const routed = candidates.some(({ connection, model }) => modelFacts(providers.get(connection) ?? '', model) !== null);
  return { routed, direct: routed || connections.some(({ provider }) => catalogModelsOf(provider).length > 0) };
}
