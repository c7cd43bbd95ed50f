import type { KeyView } from '@/lib/management/schemas';
import type { EcoReach } from './eco-reach';

/** What a key's settings mean for the names that its client may send. Pure; the rules are `lib/routing`'s. */
type Settings = Pick<KeyView, 'tiers' | 'default_route' | 'strict_route' | 'direct_models'>;

export const hasOwnTiers = (key: Pick<KeyView, 'tiers'>): boolean => key.tiers !== null && key.tiers.length > 0;

/** What `auto` means. */
export function autoWords(key: Settings): string {
  if (hasOwnTiers(key)) return 'auto walks the key’s own tiers';
  return key.default_route === null ? 'auto is refused' : `auto walks the route ${key.default_route}`;
}

export function defaultRouteWords(key: Settings): string {
  if (hasOwnTiers(key)) return key.default_route === null ? 'none; the key’s own tiers are used' : `${key.default_route}, but the key’s own tiers come first`;
  return key.default_route ?? 'none: auto is refused';
}

/** Names eco only where it would resolve. */
export function modelNameWords(key: Settings, eco: EcoReach): string {
  if (key.strict_route) {
    if (hasOwnTiers(key)) return 'any; all walk the key’s own tiers';
    return key.default_route === null ? 'none: every name would walk the default route, and there is none' : 'any; all walk the default route';
  }
  if (key.direct_models) return eco.direct ? 'auto, eco, route names, connection/model, and catalog models' : 'auto, route names and connection/model; eco and catalog models once there is a connection to a vendor of the catalog';
  return eco.routed ? 'auto, eco and route names' : 'auto and route names; eco once a route has a tier with a catalog model';
}

/** What the snippets of its page ask for. */
export const modelToTry = (key: Settings): string => (hasOwnTiers(key) || key.default_route !== null || key.strict_route ? 'auto' : '<route>');
