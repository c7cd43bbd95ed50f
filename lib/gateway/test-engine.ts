import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHealth } from '../health';
import { createLimitGate, type Limits } from '../limits';
import { processCounters } from '../limits/test-counters';
import type { AdmittedRow, CallRow } from '../metering';
import { createOutbound, parseAllowRules } from '../outbound';
import { adapterFor, quirksOf } from '../providers';
import { createReplay } from '../replay';
import { createSaverWorkers } from '../savers';
import { createOhmServer, type OhmServerOptions } from '../server/ohm-server';
import { systemClock } from '../std';
import { memoryStore } from '../stores';
import { bearsContent } from '../wire';
import { BOUNDS } from './attempt/bounds';
import type { Engine } from './engine';
import { createGateway, type Gateway } from './gateway';
import { createHeldBytes } from './held-bytes';
import { type Caller, type ConnectionConfig, type KeyConfig, REPLAY_OFF, type RouteConfig, SAVING_OFF, type TierConfig } from './ports';

/** The engine over real sockets, with a key directory and a ledger in memory. */
export interface TestEngine {
  url: string;
  gateway: Gateway;
  engine: Engine;
  /** Rows in the order in which they were settled. */
  rows: CallRow[];
  admitted: AdmittedRow[];
  /** Ids of calls whose charge was waited for. */
  charged: string[];
  corrections: ({ id: string } & Pick<CallRow, 'state' | 'flushed_bytes'>)[];
  /** Resolves when `count` rows are settled. */
  settled(count: number): Promise<CallRow[]>;
  /** Gives the one key another default route. */
  route(tiers: TestTier[], options?: Partial<Pick<RouteConfig, 'commit' | 'deadlineMs'>>): void;
  /** Keeps the one key's answers: off unless a test wants it, since most send the same words again and again. */
  keepAnswers(settings?: Partial<KeyConfig['replay']>): void;
  /** The caller that the one key stands for, to be changed in place. */
  caller(): Caller;
  /** Gives the one key limits. */
  limit(limits: Limits): void;
  /** Gives the workspace one more route. */
  addRoute(name: string, tiers: TestTier[]): void;
  close(): Promise<void>;
}

export interface TestTier {
  /** Origin of an upstream; of an eco tier left out. */
  url?: string;
  /** Candidates of an eco tier. */
  eco?: TestTier[];
  /** Preset of the connection; `custom` unless said. */
  provider?: string;
  model?: string;
  wire?: ConnectionConfig['wire'];
  firstContentTimeoutMs?: number;
  idleTimeoutMs?: number;
  responseTimeoutMs?: number;
}

export const TEST_KEY = 'ohm_sk_test';

/** The thread starts from its source here, and on a machine that runs all tests at once. */
const IN_NO_HURRY = { boundMs: 10_000, startMs: 20_000 };

export async function testEngine(overrides: Partial<Engine> = {}, clientStallMs?: number, door: Partial<OhmServerOptions> = {}): Promise<TestEngine> {
  const rows: CallRow[] = [];
  const admitted: AdmittedRow[] = [];
  const charged: string[] = [];
  const corrections: TestEngine['corrections'] = [];
  const waiting = new Set<() => void>();
  let revision = 0;
  let keyLimits: Limits | null = null;
  let keyReplay = REPLAY_OFF;
  let caller = callerWith(toRoute([], {}, revision));
  const outbound = createOutbound({ allowPrivate: parseAllowRules('127.0.0.0/8'), ownPorts: () => [], sandbox: () => null });
  const engine: Engine = {
    clock: systemClock,
    random: () => 0.5,
    directory: { find: (token) => (token === TEST_KEY ? caller : null) },
    ledger: {
      admit: (row) => void admitted.push(row),
      settle: (row) => {
        // As the journal does: what is written now is what is kept.
        rows.push(structuredClone(row));
        for (const check of waiting) check();
      },
      charged: (id) => void charged.push(id),
      correct: (id, change) => void corrections.push({ id, ...change }),
      measured: (id, late) => void Object.assign(rows.find((row) => row.id === id)!, structuredClone(late)),
    },
    prices: { cost: () => null, thinks: () => false, maxOutputTokens: () => null },
    limits: createLimitGate({ counters: processCounters(), budgets: { hold: async () => ({ verdict: 'unpriced' }) }, now: () => systemClock.now() }),
    replay: createReplay({ store: memoryStore(systemClock, 16 * 1024 * 1024), clock: systemClock, workspaceKey: (id, purpose) => createHash('sha256').update(`${id} ${purpose}`).digest() }),
    saving: { workers: createSaverWorkers(IN_NO_HURRY), conversationKey: (id) => createHash('sha256').update(`${id} conversations`).digest(), keepTexts: () => {} },
    health: createHealth(systemClock, () => 1),
    outbound,
    bounds: BOUNDS,
    held: createHeldBytes(256 * 1024 * 1024),
    adapterFor,
    quirksOf,
    sandbox: () => ({ baseUrl: 'http://127.0.0.1:1/v1', headers: {} }),
    contentTable: bearsContent,
    edge: null,
    via: '1.1 ohm-test',
    maxBodyBytes: 32 * 1024 * 1024,
    draining: () => false,
    report: (error) => console.error(error),
    ...overrides,
  };
  const gateway = createGateway(engine);
  const { server } = createOhmServer({
    gateway,
    pages: async (_message, response) => void response.writeHead(404).end(),
    door: 'node',
    bodyBytes: 256 * 1024 * 1024,
    held: engine.held,
    trustedProxies: 0,
    ...(clientStallMs === undefined ? {} : { clientStallMs }),
    onError: (error) => console.error(error),
    ...door,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    gateway,
    engine,
    rows,
    admitted,
    charged,
    corrections,
    settled: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (rows.length < count) return;
          waiting.delete(check);
          resolve(rows);
        };
        waiting.add(check);
        check();
      }),
    route: (tiers, options = {}) => {
      caller = callerWith(toRoute(tiers, options, ++revision));
      caller.key.limits = keyLimits;
      caller.key.replay = keyReplay;
    },
    keepAnswers: (settings = {}) => {
      keyReplay = { ...REPLAY_OFF, enabled: true, ...settings };
      caller.key.replay = keyReplay;
    },
    caller: () => caller,
    limit: (limits) => {
      keyLimits = limits;
      caller.key.limits = limits;
    },
    addRoute: (name, tiers) => void caller.workspace.routes.set(name, { ...toRoute(tiers, {}, 1), id: `route_${name}`, name }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await outbound.close();
      await engine.saving.workers.close();
    },
  };
}

/** A port of 127.0.0.1 on which nothing listens. */
export async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

function toRoute(tiers: TestTier[], options: Partial<Pick<RouteConfig, 'commit' | 'deadlineMs'>>, revision: number): RouteConfig {
  return { id: 'route_test', name: 'test', revision, commit: 'first_content', deadlineMs: 60_000, replayGeneration: 0, tiers: tiers.map(toTier), ...options };
}

function toTier(tier: TestTier, index: number): TierConfig {
  if (tier.eco === undefined) return plainTier(tier, index, `tier${index + 1}`);
  const { eco, ...times } = tier;
  const candidates = eco.map((candidate, at) => plainTier({ ...times, ...candidate }, index, `tier${index + 1}-${at + 1}`));
  return { ...candidates[0]!, eco: candidates };
}

function plainTier(tier: TestTier, index: number, name: string): TierConfig {
  return {
    connection: {
      // A connection a tier: a rejected credential benches its whole connection.
      id: `conn_${tier.url}_${tier.model ?? index}`,
      workspaceId: 'ws_test',
      name,
      provider: tier.provider ?? 'custom',
      wire: tier.wire ?? 'openai',
      baseUrl: `${tier.url}/v1`,
      kind: 'http',
      apiKey: () => 'sk-test',
      prices: [],
      revision: 1,
    },
    model: tier.model ?? `model-${index + 1}`,
    firstContentTimeoutMs: tier.firstContentTimeoutMs ?? null,
    idleTimeoutMs: tier.idleTimeoutMs ?? null,
    responseTimeoutMs: tier.responseTimeoutMs ?? null,
    eco: null,
  };
}

function callerWith(route: RouteConfig): Caller {
  return {
    key: { id: 'key_test', workspaceId: 'ws_test', name: 'test', defaultRoute: route.name, directModels: true, strictRoute: false, tiers: null, expiresAt: null, limits: null, replay: REPLAY_OFF, saving: SAVING_OFF },
    workspace: {
      id: 'ws_test',
      routes: new Map([[route.name, route]]),
      connections: new Map(route.tiers.flatMap((tier) => tier.eco ?? [tier]).map(({ connection }) => [connection.name, connection])),
      fallbackModel: null,
      limits: null,
      replay: { generation: 0, sharedGeneration: 0 },
    },
  };
}
