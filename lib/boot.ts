import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { createMailer, startAlerts } from './alerts';
import { createClaims, type Claims, type Dependency, type Measurement } from './claims';
import { openDatabase, type Database } from './db';
import { createEdgeDesk, takeRows, type TakeRows } from './edge';
import { BOUNDS, createGateway, createHeldBytes, type Engine, type Gateway } from './gateway';
import { createHealth } from './health';
import { createRateLimit } from './management';
import { startExporter } from './management/exports';
import { createBudgets, createCounters, createLimitGate, createStandings, type Standings } from './limits';
import { createPrices, findCall, type Ledger, openLedger, publicFigures, publicSavings } from './metering';
import { createOutbound, type OutboundClient } from './outbound';
import { adapterFor, quirksOf } from './providers';
import { startSandbox, type Sandbox } from './providers/sandbox';
import { createReplay } from './replay';
import { createSaverWorkers } from './savers';
import { logLines, systemClock } from './std';
import { type BodyBudget, bodyBudget } from './server/body-budget';
import { openStore, type Store, storePorts } from './stores';
import { type Env, parseEnv } from './std/env';
import { createTenancy, createTextKeeper, type Tenancy } from './tenancy';
import { createWaste, type Waste } from './waste';
import { bearsContent } from './wire';

/** Everything a process needs, wired once. The doors, the pages and the command line all start here. */
export interface Runtime {
  env: Env;
  log: pino.Logger;
  db: Database;
  tenancy: Tenancy;
  gateway: Gateway;
  /** What request bodies hold of memory, for the doors that read them. */
  bodies: BodyBudget;
  /** What the gateway is made of, for tests of routes and connections that run apart from real traffic. */
  engine: Engine;
  ledger: Ledger;
  /** How rates stand, for pages. */
  standings: Standings;
  outbound: OutboundClient;
  sandbox: Sandbox;
  claims: Claims;
  /** What savers would do to a pasted text. */
  waste: Waste;
  /** Ledger rows of calls that an edge in front of this process has answered itself. */
  takeEdgeRows: TakeRows;
  /** Readiness goes 503 and new calls are refused from now on. */
  beginDrain(): void;
  draining(): boolean;
  close(): Promise<void>;
}

const SLOT = Symbol.for('ohm.runtime');

/**
 * The process's one runtime. It hangs on globalThis because the server's bundle and Next's bundles are module
 * instances of their own in one process; whoever comes first builds it.
 */
export function runtime(): Promise<Runtime> {
  const shared = globalThis as { [SLOT]?: Promise<Runtime> };
  shared[SLOT] ??= boot(parseEnv(process.env)).catch((error: unknown) => {
    delete shared[SLOT]; // the next caller may find the database up
    throw error;
  });
  return shared[SLOT];
}

async function boot(env: Env): Promise<Runtime> {
  const log = pino({ level: env.logLevel }, logLines());
  const clock = systemClock;
  let draining = false;

  const db = await openDatabase({ ownerUrl: env.databaseUrl, secret: env.secret });
  const guardRules = () => ({ allow: env.allowPrivateUpstreams, ownPorts: ownPorts(env, sandbox) });
  const mailer = createMailer(env.mail);
  const tenancy = createTenancy({ db, secret: env.secret, clock, guardRules, mail: env.mail === null ? null : mailer.send });
  const ledger = await openLedger({ dataDir: env.journal === 'folder' ? env.dataDir : null, db, clock, log });
  const sandbox = await startSandbox({ clock });
  const outbound = createOutbound({
    allowPrivate: env.allowPrivateUpstreams,
    ownPorts: () => ownPorts(env, sandbox),
    sandbox: () => sandbox.origin,
  });
  const store = await openStore(env.store, {
    clock,
    onChange: (up) => (up ? log.info({ store: env.store.kind }, 'the shared store answers') : log.warn({ store: env.store.kind }, 'the shared store is away: nothing is replayed, and each process counts by itself')),
  });
  const ownStore = await openStore({ kind: 'memory', bytes: 0 }, { clock });
  const counters = createCounters(store, ownStore);
  const saverWorkers = createSaverWorkers();
  const textKeeper = createTextKeeper({ db, keyring: tenancy.keyring, log });
  const edgeDesk = createEdgeDesk({ secret: env.secret, store, clock, freshForMs: tenancy.directory.freshForMs, onConfigChange: db.onConfigChange });
  const engine: Engine = {
    clock,
    random: Math.random,
    directory: tenancy.directory,
    ledger,
    prices: createPrices({ log }),
    limits: createLimitGate({ counters, budgets: createBudgets(db), now: () => clock.now() }),
    replay: createReplay({ store, clock, workspaceKey: tenancy.keyring.workspaceKey }),
    saving: { workers: saverWorkers, conversationKey: (workspaceId) => tenancy.keyring.workspaceKey(workspaceId, 'savings/conversation'), keepTexts: textKeeper.keep },
    health: createHealth(clock, Math.random),
    outbound,
    bounds: BOUNDS,
    held: createHeldBytes(env.heldBytes),
    adapterFor,
    quirksOf,
    sandbox: (workspaceId) => ({
      baseUrl: `${sandbox.origin}/v1`,
      headers: { authorization: `Bearer ${sandbox.token}`, 'x-ohm-sandbox-workspace': workspaceId },
    }),
    contentTable: bearsContent,
    edge: edgeDesk,
    via: viaName(env.secret),
    maxBodyBytes: env.maxBodyBytes,
    draining: () => draining,
    report: (error) => log.error({ err: error }, 'a call failed in our own code'),
  };
  const gateway = createGateway(engine);
  const claims = createClaims({
    db,
    sandbox,
    door: () => selfUrl(env),
    callRow: async (workspaceId, id) => (await findCall(ledger, workspaceId, id)) ?? null,
    journal: ledger.journalKind(),
    publicUrl: env.publicUrl,
    build: { version: VERSION, commit: env.commit },
    production: env.production,
    dependencies: dependencies(db, ledger, sandbox, store),
    draining: () => draining,
    figures: () => figures(db),
    measurements: () => measurements(db),
    features: { exact_replay: true, savers: true, edge: store.kind !== 'memory' },
    clock,
    log,
  });
  claims.start();
  const exporter = startExporter({ ledger, log });
  const waste = createWaste({ limit: createRateLimit(clock, APPRAISALS_PER_MINUTE) });
  const alerts = startAlerts({ db, keyring: tenancy.keyring, outbound, mailer, clock, random: Math.random, publicUrl: env.publicUrl, log });

  return {
    env,
    log,
    db,
    tenancy,
    gateway,
    bodies: bodyBudget(env.heldBytes),
    engine,
    ledger,
    standings: createStandings(counters),
    outbound,
    sandbox,
    claims,
    waste,
    takeEdgeRows: takeRows({ secret: env.secret, ledger, clock }),
    beginDrain: () => {
      draining = true;
    },
    draining: () => draining,
    close: async () => {
      await claims.stop();
      await exporter.close();
      await alerts.close();
      await waste.close();
      mailer.close();
      counters.close();
      edgeDesk.close();
      await outbound.close();
      await saverWorkers.close();
      await textKeeper.close();
      await store.close();
      await ledger.close();
      await tenancy.close();
      await sandbox.close();
      await db.close();
    },
  };
}

const VERSION = '0.1.0';

/** Pasted texts, for each network and each person. */
const APPRAISALS_PER_MINUTE = 30;

/** What the process leans on, by the names that /ready tells. */
function dependencies(db: Database, ledger: Ledger, sandbox: Sandbox, store: Store): Dependency[] {
  return [
    {
      name: 'database',
      check: async () => {
        await db.unscoped((queries) => queries.execute(sql`select 1`), { timeoutMs: 1_000 });
        return { ok: true, detail: null };
      },
    },
    {
      name: 'journal',
      check: async () => {
        const { journalHealthy, rows } = ledger.lag();
        return { ok: journalHealthy, detail: `${ledger.journalKind()}, ${rows} rows not yet in the database` };
      },
    },
    { name: 'sandbox', check: async () => ({ ok: sandbox.origin !== '', detail: null }) },
    // Calls go on without it: a store that is away is told, and is no reason to send them elsewhere.
    { name: 'store', check: async () => ({ ok: true, detail: store.up ? store.kind : `${store.kind}, away: nothing is replayed` }) },
  ];
}

/** The public figures, flat: every one with the number of calls it rests on. */
async function figures(db: Database): Promise<{ source: 'probes' | 'workspaces'; values: Record<string, number | string | null> }> {
  const { source, window, figures: counted } = await publicFigures(db);
  const values: Record<string, number | string | null> = { window_from: window.from, window_to: window.to };
  for (const [name, { value, n }] of Object.entries(counted)) {
    values[name] = value;
    values[`${name}_n`] = n;
  }
  return { source, values };
}

/** Savings as they are known of all workspaces: nothing where no call says anything of them. */
async function measurements(db: Database): Promise<{ savings?: Measurement }> {
  const { estimate, treatedCalls, figures: shown } = await publicSavings(db);
  if (treatedCalls === 0) return {};
  return { savings: { method: estimate?.measured ? 'holdout' : 'estimate', figures: shown } };
}

/** The product's own ports: no upstream may be one of them, whatever the operator opened. */
function ownPorts(env: Env, sandbox: Sandbox): number[] {
  return [env.port, Number(new URL(sandbox.origin).port), Number(new URL(env.databaseUrl).port || 5432), ...storePorts(env.store)];
}

/** Where this process answers itself: probes go through its own door. */
function selfUrl(env: Env): string {
  const host = env.host === '0.0.0.0' || env.host === '::' ? '127.0.0.1' : env.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${env.port}`;
}

/** This installation's pseudonym in `Via` (RFC 9110, section 7.6.3): the same in all of its processes, telling nothing. */
const viaName = (secret: string): string => `1.1 ohm-${createHmac('sha256', secret).update('via').digest('hex').slice(0, 12)}`;
