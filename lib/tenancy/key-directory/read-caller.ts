import { sql } from 'drizzle-orm';
import type { Database } from '../../db';
import type { Caller, ConnectionConfig, RouteConfig, TierConfig, WorkspaceConfig } from '../../gateway/ports';
import { type LimitsJson, readLimits } from '../../limits';
import type { SaverId } from '../../savers';
import type { Keyring } from '../keyring';
import { holdoutOf } from '../keys/saving-columns';
import { tierConfigs } from '../tier-rows';

/** As ohm_key_config (drizzle/0012_catalog.sql) gives them: the rows' own columns, and what they point to. */
interface KeyJson {
  id: string;
  workspace_id: string;
  name: string;
  default_route: string | null;
  direct_models: boolean;
  strict_route: boolean;
  expires_at_ms: number | null;
  tiers: TierJson[] | null;
  limits: LimitsJson | null;
  savers: SaverId[];
  holdout_percent: number | null;
  keep_texts_days: number | null;
  replay_enabled: boolean;
  replay_ttl_s: number;
  replay_scope: 'key' | 'workspace';
  replay_generation: number;
}

interface WorkspaceJson {
  id: string;
  fallback_model: string | null;
  limits: LimitsJson | null;
  replay_generation: number;
  replay_shared_generation: number;
  connections: {
    id: string;
    name: string;
    kind: 'http' | 'sandbox';
    provider: string;
    wire: ConnectionConfig['wire'];
    base_url: string;
    api_key_sealed: string | null;
    key_version: number;
    revision: number;
    prices: { id: string; model: string; from_ms: number; input: number; output: number; cached_input: number | null; cache_write: number | null }[];
  }[];
  routes: { id: string; name: string; revision: number; commit: RouteConfig['commit']; deadline_ms: number; replay_generation: number; tiers: TierJson[] }[];
}

interface TierJson {
  position: number;
  candidate: number;
  /** Connection id. */
  connection: string;
  model: string;
  first_content_timeout_ms: number | null;
  idle_timeout_ms: number | null;
  response_timeout_ms: number | null;
}

interface Parsed {
  text: string;
  config: WorkspaceConfig;
  connectionsById: Map<string, ConnectionConfig>;
}

/**
 * Reads a caller by the hash of its token. The keys of a workspace share its parsed configuration as long as it
 * reads the same: credentials are decrypted once, and memory grows with workspaces, not with keys.
 */
export function createCallerReader(db: Database, keyring: Keyring, maxWorkspaces: number) {
  const workspaces = new Map<string, Parsed>();

  const parsed = (id: string, text: string): Parsed => {
    const known = workspaces.get(id);
    const current = known?.text === text ? known : parseWorkspace(text, keyring);
    workspaces.delete(id);
    workspaces.set(id, current);
    if (workspaces.size > maxWorkspaces) workspaces.delete(workspaces.keys().next().value!);
    return current;
  };

  return {
    async read(tokenHash: string): Promise<Caller | null> {
      const [row] = await db.unscoped((queries) =>
        queries.execute<{ key: KeyJson; workspace: string }>(sql`select key, workspace from ohm_key_config(${tokenHash})`),
      );
      if (!row) return null;
      const { key } = row;
      const workspace = parsed(key.workspace_id, row.workspace);
      return {
        key: {
          id: key.id,
          workspaceId: key.workspace_id,
          name: key.name,
          defaultRoute: key.default_route,
          directModels: key.direct_models,
          strictRoute: key.strict_route,
          tiers: key.tiers && toTiers(key.tiers, workspace.connectionsById),
          expiresAt: key.expires_at_ms,
          limits: readLimits(key.limits),
          saving: { savers: key.savers, holdoutPercent: holdoutOf(key.savers, key.holdout_percent), keepsTexts: key.keep_texts_days !== null },
          replay: { enabled: key.replay_enabled, ttlS: key.replay_ttl_s, scope: key.replay_scope, generation: key.replay_generation },
        },
        workspace: workspace.config,
      };
    },
  };
}

function parseWorkspace(text: string, keyring: Keyring): Parsed {
  const json = JSON.parse(text) as WorkspaceJson;
  const connections = json.connections.map((row) => toConnection(json.id, row, keyring));
  const connectionsById = new Map(connections.map((connection) => [connection.id, connection]));
  const routes = json.routes.map(
    ({ id, name, revision, commit, deadline_ms, replay_generation, tiers }): RouteConfig => ({
      id,
      name,
      revision,
      commit,
      deadlineMs: deadline_ms,
      replayGeneration: replay_generation,
      tiers: toTiers(tiers, connectionsById),
    }),
  );
  return {
    text,
    connectionsById,
    config: {
      id: json.id,
      routes: new Map(routes.map((route) => [route.name, route])),
      connections: new Map(connections.map((connection) => [connection.name, connection])),
      fallbackModel: json.fallback_model,
      limits: readLimits(json.limits),
      replay: { generation: json.replay_generation, sharedGeneration: json.replay_shared_generation },
    },
  };
}

function toConnection(workspaceId: string, row: WorkspaceJson['connections'][number], keyring: Keyring): ConnectionConfig {
  const { id, api_key_sealed: sealed, key_version: version } = row;
  let plain: string | null | undefined = sealed === null ? null : undefined;
  const open = (): string | null => {
    try {
      return keyring.open(sealed!, { workspaceId, recordId: id, version });
    } catch (error) {
      if ((error as { code?: string }).code !== 'seal_broken') throw error;
      // Altered in the database. The provider then rejects the call and the next tier gets it, which beats an error of ours.
      process.emitWarning(`connection ${id}: its credential cannot be decrypted and is not sent`, { code: 'OHM_SEAL_BROKEN' });
      return null;
    }
  };
  return {
    id,
    workspaceId,
    name: row.name,
    provider: row.provider,
    wire: row.wire,
    baseUrl: row.base_url,
    kind: row.kind,
    apiKey: () => (plain === undefined ? (plain = open()) : plain),
    prices: row.prices.map((price) => ({ id: price.id, model: price.model, fromMs: price.from_ms, input: price.input, output: price.output, cachedInput: price.cached_input, cacheWrite: price.cache_write })),
    revision: row.revision,
  };
}

/** The foreign key guarantees that the connection is there, and the snapshot is one statement's. */
function toTiers(tiers: TierJson[], connections: Map<string, ConnectionConfig>): TierConfig[] {
  return tierConfigs(
    tiers.map((tier) => {
      const connection = connections.get(tier.connection);
      if (!connection) throw new Error(`tier names connection ${tier.connection}, which its workspace does not have`);
      return {
        position: tier.position,
        candidate: tier.candidate,
        connection,
        model: tier.model,
        firstContentTimeoutMs: tier.first_content_timeout_ms,
        idleTimeoutMs: tier.idle_timeout_ms,
        responseTimeoutMs: tier.response_timeout_ms,
      };
    }),
  );
}
