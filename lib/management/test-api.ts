import { afterAll } from 'vitest';
import { createTestDatabase, TEST_SECRET } from '../db/test-database';
import { testEngine, type TestEngine } from '../gateway/test-engine';
import { createCounters, createStandings, type Counters, type Standings } from '../limits';
import { openLedger, type CallRow, type Ledger } from '../metering';
import { createOutbound, parseAllowRules } from '../outbound';
import { startSandbox } from '../providers/sandbox';
import { newId, systemClock } from '../std';
import { openStore } from '../stores';
import { ROLES, type Role } from '../tenancy/actor';
import { bootstrap } from '../tenancy/bootstrap';
import { createTenancy, type Tenancy } from '../tenancy/tenancy';
import { createDoor, type DoorOptions } from './door';
import { startExporter } from './exports';
import { OPERATIONS, operationsAt } from './operations';

/** The management API on a real database, its handlers called as functions. */
export interface TestApi {
  tenancy: Tenancy;
  ledger: Ledger;
  engine: TestEngine;
  standings: Standings;
  counters: Counters;
  owner: Awaited<ReturnType<typeof createTestDatabase>>['owner'];
  /** A workspace with an owner and a management key of every role. */
  workspace(name: string): Promise<TestWorkspace>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Lines that the door logged. */
  logged: Record<string, unknown>[];
  /** Writes all exports that were asked for. */
  writeExports(): Promise<void>;
}

export interface TestWorkspace {
  id: string;
  slug: string;
  userId: string;
  tokens: Record<Role, string>;
}

export interface CallOptions {
  token?: string | null;
  body?: unknown;
  /** Sent as it stands in place of `body`. */
  text?: string | ReadableStream;
  ifMatch?: number | string;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Null without a body. */
  json: any;
}

/** Call it inside `beforeAll`. */
export async function createTestApi(options: Partial<DoorOptions> = {}): Promise<TestApi> {
  const { db, owner } = await createTestDatabase();
  const rules = { allow: parseAllowRules('127.0.0.0/8'), ownPorts: [] };
  const tenancy = createTenancy({ db, secret: TEST_SECRET, guardRules: () => rules });
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const ledger = await openLedger({ dataDir: null, db, clock: systemClock, log: silent });
  const sandbox = await startSandbox({});
  const outbound = createOutbound({ allowPrivate: rules.allow, ownPorts: () => [], sandbox: () => sandbox.origin });
  const engine = await testEngine({
    outbound,
    sandbox: (workspaceId) => ({ baseUrl: `${sandbox.origin}/v1`, headers: { authorization: `Bearer ${sandbox.token}`, 'x-ohm-sandbox-workspace': workspaceId } }),
  });
  const exporter = startExporter({ ledger, log: silent, everyMs: 3_600_000 });
  afterAll(async () => {
    await exporter.close();
    await engine.close();
    await outbound.close();
    await sandbox.close();
    await ledger.close();
    await tenancy.close();
  });
  const store = await openStore({ kind: 'memory', bytes: 0 }, { clock: systemClock });
  const counters = createCounters(store, store);
  afterAll(async () => {
    counters.close();
    await store.close();
  });
  const standings = createStandings(counters);
  const env = { publicUrl: 'https://ohm.example', host: '127.0.0.1', port: 3000 };
  const logged: Record<string, unknown>[] = [];
  const door = createDoor({
    services: async () => ({ env, tenancy, ledger, engine: engine.engine, standings }),
    session: async () => 'signed_out',
    log: (line) => logged.push(line),
    ...options,
  });

  async function call(method: string, path: string, { token = null, body, text, ifMatch, headers = {} }: CallOptions = {}): Promise<Answer> {
    const url = new URL(`https://ohm.example/api/v1${path}`);
    const found = matchPath(url.pathname.slice('/api/v1'.length));
    const handlers = found === null ? door.notFound : door.resource(operationsAt(found.template));
    const all: Record<string, string> = { ...headers };
    if (token !== null) all['authorization'] = `Bearer ${token}`;
    if (ifMatch !== undefined) all['if-match'] = typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch;
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
    if (sent !== undefined) all['content-type'] ??= 'application/json';
    const init = { method, headers: all, ...(sent === undefined ? {} : { body: sent, duplex: 'half' }) } as RequestInit;
    const handler = handlers[method as keyof typeof handlers];
    const response = await handler(new Request(url, init), { params: Promise.resolve(found?.params ?? {}) });
    const answer = await response.text();
    return { status: response.status, headers: response.headers, text: answer, json: /json$/.test(response.headers.get('content-type') ?? '') ? JSON.parse(answer) : null };
  }

  async function workspace(name: string): Promise<TestWorkspace> {
    const made = await bootstrap(tenancy, { email: `${name}@example.com`, password: 'a long enough passphrase', workspace: name });
    const tokens = { owner: made.managementKey } as Record<Role, string>;
    for (const role of ROLES.slice(0, -1)) {
      const { json } = await call('POST', '/management-keys', { token: made.managementKey, body: { name: `test ${role}`, role } });
      tokens[role] = json.key;
    }
    return { id: made.workspace.id, slug: made.workspace.slug, userId: made.user.id, tokens };
  }

  return { tenancy, ledger, engine, standings, counters, owner, workspace, call, logged, writeExports: () => exporter.idle() };
}

function matchPath(path: string): { template: string; params: Record<string, string> } | null {
  for (const template of new Set(OPERATIONS.map((operation) => operation.path))) {
    const pattern = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const found = pattern.exec(path);
    if (found !== null) return { template, params: Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])) };
  }
  return null;
}

/** A finished call with a failover, as the engine would settle it. */
export function callRowFor(workspaceId: string, keyId: string, change: Partial<CallRow> = {}): CallRow {
  const attempt = { provider: 'sandbox', connection: 'sandbox', skip_reason: null, message: null, started_ms: 0, headers_ms: 5, usage: null };
  return {
    id: newId('call'),
    workspace_id: workspaceId,
    key_id: keyId,
    created_at: new Date().toISOString(),
    route: 'demo',
    requested_model: 'demo',
    surface: 'chat.completions',
    stream: true,
    commit: 'first_content',
    request_bytes: 120,
    tag: null,
    finished_at: new Date().toISOString(),
    state: 'finished',
    replay: 'BYPASS',
    status: 200,
    error_code: null,
    tier: 2,
    connection_id: 'conn_x',
    provider: 'sandbox',
    model: 'text:20',
    model_reported: 'text:20',
    flushed_bytes: 5312,
    malformed_events: 0,
    finish_reason: 'stop',
    alert_class: 'server_error.before_content',
    attempts: [
      { ...attempt, tier: 1, model: 'status:503', state: 'failed', class: 'server_error', upstream_status: 503, bytes: 0, first_content_ms: null, duration_ms: 103 },
      { ...attempt, tier: 2, model: 'text:20', state: 'finished', class: null, upstream_status: 200, bytes: 5312, first_content_ms: 40, duration_ms: 300 },
    ],
    usage: { prompt_tokens: 69, completion_tokens: 20, total_tokens: 89, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null },
    usage_source: 'provider',
    usage_estimated: [],
    cost_nano_usd: 0,
    price_version: 'sandbox',
    first_content_ms: 150,
    duration_ms: 420,
    ...change,
  };
}
