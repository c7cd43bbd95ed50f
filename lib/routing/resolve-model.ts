import type { Caller, ConnectionConfig, RouteConfig, TierConfig, WorkspaceConfig } from '../gateway/ports';
import { catalog, catalogModel, modelFacts } from '../providers/catalog';
import { servingConnections } from './serving';

export interface Resolution {
  route: RouteConfig;
  /** What X-Ohm-Route says: the route's name, `private` for a key's own tiers, `direct` for one named model. */
  label: string;
  /** `fallback_model`: the name was unknown and the workspace routes such names. Disclosed; not stream failover. */
  resolvedBy: 'name' | 'fallback_model';
}

/** 15 minutes: the contract's default for everything up to the commit. */
const DEADLINE_MS = 15 * 60 * 1_000;

/** The route behind a model name that the caller may use, or null. Pure. */
export function resolveModel(caller: Caller, name: string): Resolution | null {
  const { key, workspace } = caller;
  if (key.strictRoute) return own(caller);
  const named = byName(caller, name);
  if (named) return named;
  const fallback = workspace.fallbackModel;
  if (fallback === null || fallback === name) return null;
  const routed = byName(caller, fallback);
  return routed && { ...routed, resolvedBy: 'fallback_model' };
}

/** Every name that the caller may use, in a stable order: `auto`, `eco`, the routes by name, direct models, catalog models. */
export function modelsFor({ key, workspace }: Caller): string[] {
  const names = own({ key, workspace }) ? ['auto'] : [];
  if (key.strictRoute) return names;
  if (cheapest({ key, workspace })) names.push('eco');
  names.push(...[...workspace.routes.keys()].sort());
  if (key.directModels) names.push(...directNames(workspace.routes.values()), ...catalogNames(workspace));
  return names;
}

function byName(caller: Caller, name: string): Resolution | null {
  if (name === 'auto') return own(caller);
  if (name === 'eco') return cheapest(caller);
  const route = caller.workspace.routes.get(name);
  if (route) return { route, label: route.name, resolvedBy: 'name' };
  return caller.key.directModels ? (direct(caller, name) ?? fromCatalog(caller, name)) : null;
}

/** The key's private tiers, else its default route. */
function own({ key, workspace }: Caller): Resolution | null {
  if (key.tiers !== null) return { route: oneOff(`key:${key.id}`, 'private', key.tiers), label: 'private', resolvedBy: 'name' };
  const route = key.defaultRoute === null ? undefined : workspace.routes.get(key.defaultRoute);
  return route ? { route, label: route.name, resolvedBy: 'name' } : null;
}

/** `<connection>/<model>`: one tier, no fallback. */
function direct({ workspace }: Caller, name: string): Resolution | null {
  const slash = name.indexOf('/');
  if (slash <= 0 || slash === name.length - 1) return null;
  const connection = workspace.connections.get(name.slice(0, slash));
  const model = name.slice(slash + 1);
  if (!connection || !NAMEABLE.test(model)) return null;
  return { route: oneOff(`direct:${name}`, 'direct', [tierOf(connection, model)]), label: 'direct', resolvedBy: 'name' };
}

/** X-Ohm-Model names it: of what no header can carry there is no model, as in tiers that were saved. */
const NAMEABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * `eco`: the cheapest of the catalog models that the key can reach, each at its connection: those in tiers of its
 * routes, in their order, and where it allows direct models every one that some connection serves.
 */
function cheapest({ key, workspace }: Caller): Resolution | null {
  const known = ecoRoutes.get(workspace) ?? { direct: undefined, routed: undefined };
  ecoRoutes.set(workspace, known);
  const reach = key.directModels ? 'direct' : 'routed';
  const route = (known[reach] ??= ecoRoute(workspace, key.directModels)) || null;
  return route && { route, label: 'eco', resolvedBy: 'name' };
}

function ecoRoute(workspace: WorkspaceConfig, direct: boolean): RouteConfig | false {
  const candidates = new Map<string, TierConfig>();
  const add = (connection: ConnectionConfig, model: string) => {
    const name = `${connection.id} ${model}`;
    if (!candidates.has(name)) candidates.set(name, tierOf(connection, model));
  };
  const routes = [...workspace.routes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { connection, model } of routes.flatMap(tiersIn)) if (modelFacts(connection.provider, model) !== null) add(connection, model);
  if (direct) {
    for (const { model, vendor } of catalog) {
      const connection = servers(workspace).get(vendor);
      if (connection !== undefined) add(connection, model);
    }
  }
  const [first] = candidates.values();
  if (first === undefined) return false;
  return oneOff('eco', 'eco', [{ ...first, eco: [...candidates.values()] }]);
}

/** Made once for a workspace's configuration, which is never changed, only replaced. False: there is nothing to choose from. */
const ecoRoutes = new WeakMap<WorkspaceConfig, { direct: RouteConfig | false | undefined; routed: RouteConfig | false | undefined }>();

/** A route's tiers, and the candidates of its eco tiers. */
const tiersIn = ({ tiers }: RouteConfig): readonly TierConfig[] => tiers.flatMap((tier) => tier.eco ?? [tier]);

/** A catalog model's id: one tier at the connection of its vendor, no fallback. */
function fromCatalog({ workspace }: Caller, name: string): Resolution | null {
  const found = catalogModel(name);
  const connection = found && servers(workspace).get(found.entry.vendor);
  if (!connection) return null;
  return { route: oneOff(`direct:${name}`, 'direct', [tierOf(connection, found.model)]), label: 'direct', resolvedBy: 'name' };
}

/** The connection of each vendor whose catalog models can be named here. */
function servers(workspace: WorkspaceConfig): Map<string, ConnectionConfig> {
  let serving = serversOf.get(workspace);
  if (serving === undefined) serversOf.set(workspace, (serving = servingConnections(workspace.connections.values())));
  return serving;
}

/** A workspace's configuration is never changed, only replaced. */
const serversOf = new WeakMap<WorkspaceConfig, Map<string, ConnectionConfig>>();

const tierOf = (connection: ConnectionConfig, model: string): TierConfig => ({
  connection,
  model,
  firstContentTimeoutMs: null,
  idleTimeoutMs: null,
  responseTimeoutMs: null,
  eco: null,
});

const oneOff = (id: string, name: string, tiers: TierConfig[]): RouteConfig => ({
  id,
  name,
  revision: 0,
  commit: 'first_content',
  deadlineMs: DEADLINE_MS,
  replayGeneration: 0, // the key's own, and the workspace's, are in the name as well
  tiers,
});

/** The direct models that are known by name: those that some tier uses. Others may be named all the same. */
function directNames(routes: Iterable<RouteConfig>): string[] {
  const names = new Set<string>();
  for (const route of routes) for (const { connection, model } of tiersIn(route)) names.add(`${connection.name}/${model}`);
  return [...names].sort();
}

/** The catalog models that some connection serves, in the catalog's order. */
function catalogNames(workspace: WorkspaceConfig): string[] {
  const serving = servers(workspace);
  return serving.size === 0 ? [] : catalog.flatMap(({ id, vendor }) => (serving.has(vendor) ? [id] : []));
}
