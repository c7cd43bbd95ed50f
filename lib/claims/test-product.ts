import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../db';
import { BOUNDS, createGateway, createHeldBytes, type Engine, type Gateway } from '../gateway';
import { createHealth } from '../health';
import { createBudgets, createLimitGate } from '../limits';
import { processCounters } from '../limits/test-counters';
import { createMcp, type Mcp } from '../mcp';
import { createPrices, findCall, openLedger, type Ledger } from '../metering';
import { createOutbound } from '../outbound';
import { adapterFor, quirksOf } from '../providers';
import { startSandbox, type Sandbox } from '../providers/sandbox';
import { createOhmServer } from '../server/ohm-server';
import { createReplay } from '../replay';
import { createSaverWorkers } from '../savers';
import { systemClock } from '../std';
import { memoryStore } from '../stores';
import { createTenancy } from '../tenancy';
import { bearsContent } from '../wire';
import { createClaims, type Claims, type ClaimsOptions } from '.';

export interface TestProduct {
  claims: Claims;
  origin: string;
  gateway: Gateway;
  sandbox: Sandbox;
  ledger: Ledger;
  close(): Promise<void>;
}

export interface TestProductOptions {
  db: Database;
  secret: string;
  /** Replaces the contract's table: the way to break the engine on purpose. */
  contentTable?: Engine['contentTable'];
  claims?: Partial<ClaimsOptions>;
}

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

/** The product without its pages but for the one that agents ask: the node server's door, the engine, the sandbox, the ledger, the claims. For tests. */
export async function startTestProduct({ db, secret, contentTable = bearsContent, claims: more }: TestProductOptions): Promise<TestProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ohm-sandbox-claims-'));
  const clock = systemClock;
  const tenancy = createTenancy({ db, secret, clock, guardRules: () => ({ allow: [], ownPorts: [] }) });
  const ledger = await openLedger({ dataDir, db, clock, log: SILENT });
  const sandbox = await startSandbox({ clock });
  const outbound = createOutbound({ allowPrivate: [], ownPorts: () => [], sandbox: () => sandbox.origin });
  const saverWorkers = createSaverWorkers();
  const engine: Engine = {
    clock,
    random: Math.random,
    directory: tenancy.directory,
    ledger,
    prices: createPrices({ log: SILENT }),
    limits: createLimitGate({ counters: processCounters(), budgets: createBudgets(db), now: () => clock.now() }),
    replay: createReplay({ store: memoryStore(clock, 1024 * 1024), clock, workspaceKey: tenancy.keyring.workspaceKey }),
    saving: { workers: saverWorkers, conversationKey: (workspaceId) => tenancy.keyring.workspaceKey(workspaceId, 'savings/conversation'), keepTexts: () => {} },
    health: createHealth(clock, Math.random),
    outbound,
    bounds: BOUNDS,
    held: createHeldBytes(64 * 1024 * 1024),
    adapterFor,
    quirksOf,
    sandbox: (workspaceId) => ({ baseUrl: `${sandbox.origin}/v1`, headers: { authorization: `Bearer ${sandbox.token}`, 'x-ohm-sandbox-workspace': workspaceId } }),
    contentTable,
    edge: null,
    via: '1.1 ohm-test',
    maxBodyBytes: 1024 * 1024,
    draining: () => false,
    report: (error) => console.error(error),
  };
  const gateway = createGateway(engine);
  const unbounded = () => ({ allowed: true, resetS: 1 });
  const mcp = createMcp({ engine, limits: { network: unbounded, key: unbounded } });
  const { server } = createOhmServer({
    gateway,
    pages: (message, response) => page(mcp, message, response),
    door: 'node',
    bodyBytes: 64 * 1024 * 1024,
    trustedProxies: 0,
    onError: (error) => console.error(error),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const claims = createClaims({
    db,
    sandbox,
    door: () => origin,
    callRow: async (workspaceId, id) => (await findCall(ledger, workspaceId, id)) ?? null,
    journal: ledger.journalKind(),
    publicUrl: 'https://ohm.test',
    build: { version: '0.0.0', commit: null },
    production: true,
    dependencies: [
      { name: 'database', check: async () => ({ ok: (await latestAnswer(db)) === 1, detail: null }) },
      { name: 'journal', check: async () => ({ ok: ledger.lag().journalHealthy, detail: null }) },
    ],
    draining: () => false,
    features: {},
    clock,
    log: { warn: (fields, message) => console.error(message, fields) },
    ...more,
  });
  return {
    claims,
    origin,
    gateway,
    sandbox,
    ledger,
    async close() {
      await claims.stop();
      server.closeAllConnections();
      server.close();
      await outbound.close();
      await saverWorkers.close();
      await ledger.close();
      await tenancy.close();
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function page(mcp: Mcp, message: IncomingMessage, response: ServerResponse): Promise<void> {
  if (message.url !== '/mcp') return void response.writeHead(404).end();
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const headers = Object.entries(message.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const answer = await mcp.answer(new Request(`http://ohm.test${message.url}`, { method: 'POST', headers, body: Buffer.concat(chunks) }), null);
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}

async function latestAnswer(db: Database): Promise<number> {
  const [row] = await db.unscoped((queries) => queries.execute<{ one: number }>('select 1 as one'), { timeoutMs: 500 });
  return row?.one ?? 0;
}
