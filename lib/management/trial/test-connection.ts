import type { Engine } from '../../gateway/engine';
import type { ConnectionConfig } from '../../gateway/ports';
import type { CallRow } from '../../metering/call-row';
import { checkAddress, isTlsFault } from '../../outbound';
import type { Actor } from '../../tenancy/actor';
import { readConnectionConfig } from '../../tenancy/connections';
import type { Tenancy } from '../../tenancy/tenancy';
import type { ConnectionReport, TestStep } from '../schemas';
import { admitTrial } from './admit-trial';
import { ask, type Asked } from './ask';
import { failed, ok, skipped, warning } from './report-step';
import { resolveHost, type ResolveHost } from './resolve-host';
import { runTrial } from './run-trial';
import type { WireAdapter } from '../../providers';

export interface TestConnectionInput {
  id: string;
  /** Asked for one short answer; null: the first model that the provider lists. */
  model: string | null;
  /** Ends the test early: whoever asked for it has left. */
  signal?: AbortSignal;
}

interface TestServices {
  tenancy: Tenancy;
  engine: Engine;
  resolve?: ResolveHost;
}

/**
 * What a connection does, told apart: name, connection or TLS, credential, model list, first content. Everything but the look
 * at the name goes through the outbound client that calls use, and the first content through the engine.
 * A failed step ends the test: what follows is `skipped`. Only an answer proves a connection: `ok` is that of the
 * first content. Refuses `not_found`, `rate_limited`, `budget_exceeded`.
 */
export async function testConnection(services: TestServices, actor: Actor, input: TestConnectionInput): Promise<ConnectionReport> {
  const connection = await readConnectionConfig(services.tenancy, actor, { id: input.id });
  await admitTrial(services, actor, [connection]);
  const steps = connection.kind === 'sandbox' ? SANDBOX_STEPS : await stepsBeforeContent(services, connection, input.signal);
  const model = input.model ?? (connection.kind === 'sandbox' ? SANDBOX_MODEL : (steps.models[0] ?? null));
  const list = [...steps.list];
  list.push(list.some((step) => step.outcome === 'failed') ? skipped('first_content', 'Not tried, because an earlier step failed.') : await contentStep(services, connection, model, input, list));
  return { ok: list.at(-1)!.outcome === 'ok', model, steps: list };
}

const SANDBOX_MODEL = 'text:5';
const ASK_MS = 15_000;
const CONTENT_MS = 60_000;
const MAX_LIST_BYTES = 4 * 1024 * 1024;

interface Steps {
  list: TestStep[];
  models: string[];
}

const SANDBOX_STEPS: Steps = {
  list: (['dns', 'tls', 'auth', 'model_list'] as const).map((step) => skipped(step, 'The sandbox is inside the product.')),
  models: [],
};

async function stepsBeforeContent(services: TestServices, connection: ConnectionConfig, signal: AbortSignal | undefined): Promise<Steps> {
  const url = new URL(connection.baseUrl);
  const list: TestStep[] = [await dnsStep(services, url)];
  if (list[0]!.outcome === 'failed') return halted(list, url);
  const unkeyed = await askModels(services, connection, null, signal);
  list.push(connectionStep(url, unkeyed));
  if (list[1]!.outcome === 'failed') return halted(list, url);
  let apiKey: string | null;
  try {
    apiKey = connection.apiKey();
  } catch {
    list.push(failed('auth', null, 'The stored key cannot be decrypted: this installation runs with another OHM_SECRET than the one it was stored under. Enter the key again.'));
    return halted(list, url);
  }
  const answer = await askModels(services, connection, apiKey, signal);
  const adapter = services.engine.adapterFor(connection.wire);
  list.push(authStep(answer, apiKey, isModelList(answer, adapter) && !isModelList(unkeyed, adapter)));
  if (list[2]!.outcome === 'failed') return halted(list, url);
  const { step, models } = modelListStep(answer, adapter);
  return { list: [...list, step], models };
}

/** The steps that were not reached. */
function halted(list: TestStep[], { protocol }: URL): Steps {
  const missing = (['dns', protocol === 'http:' ? 'connect' : 'tls', 'auth', 'model_list'] as const).slice(list.length);
  return { list: [...list, ...missing.map((step) => skipped(step, 'Not tried, because an earlier step failed.'))], models: [] };
}

async function dnsStep(services: TestServices, url: URL): Promise<TestStep> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const startedAt = performance.now();
  const addresses = await (services.resolve ?? resolveHost)(host);
  const ms = Math.round(performance.now() - startedAt);
  if (addresses === null) return skipped('dns', 'The base URL has an address in place of a name.');
  if (addresses.length === 0) return failed('dns', ms, `The name ${host} does not resolve. Check the base URL for a typing error.`);
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const refused = addresses.map((address) => checkAddress(address, port, secure, services.tenancy.guardRules())).find((verdict) => !verdict.ok);
  if (refused !== undefined && !refused.ok) return failed('dns', ms, `${host} resolves, but ${refused.reason}. The operator can open it with OHM_ALLOW_PRIVATE_UPSTREAMS.`);
  return ok('dns', ms, `${host} resolves to ${addresses.length} address${addresses.length === 1 ? '' : 'es'}.`);
}

/** The list of models, asked with or without the credential, on a connection of its own. */
function askModels(services: TestServices, connection: ConnectionConfig, apiKey: string | null, signal: AbortSignal | undefined): Promise<Asked> {
  const { origin, pathname } = new URL(connection.baseUrl);
  const { path, headers } = services.engine.adapterFor(connection.wire).modelList(apiKey, services.engine.quirksOf(connection.provider));
  return ask(
    services.engine.outbound,
    {
      origin,
      path: `${pathname.replace(/\/+$/, '')}${path}`,
      method: 'GET',
      headers,
      body: null,
      guard: 'public',
      fresh: true,
      connectTimeoutMs: 5_000,
    },
    { ms: ASK_MS, maxBytes: MAX_LIST_BYTES, signal },
  );
}

/**
 * Asked without the credential: any answer at all means that the connection stands. Only a fault of TLS is told as one:
 * where nobody listens, or over http, there is no certificate to look at.
 */
function connectionStep(url: URL, asked: Asked): TestStep {
  const { ms } = asked;
  if (asked.type === 'silent') return failed('connect', ms, `${url.host} did not answer within ${ASK_MS / 1000} s. Check the base URL, the port, and what stands between.`);
  if (asked.type === 'error' && asked.error.phase !== 'body') {
    const { error } = asked;
    if (error.phase === 'connect' && isTlsFault(error.code)) return failed('tls', ms, `No connection to ${url.host}: ${error.message}. Check the base URL, the port and the certificate.`);
    const hint = error.refused ? 'The operator can open it with OHM_ALLOW_PRIVATE_UPSTREAMS.' : 'Check the base URL and the port.';
    return failed('connect', ms, `No connection to ${url.host}: ${error.message}. ${hint}`);
  }
  if (url.protocol === 'http:') return ok('connect', ms, `${url.host} answers, over http: nothing is encrypted on the way.`);
  return ok('tls', ms, `${url.host} has a valid certificate and answers.`);
}

/** `keyOpened`: a list of models came with the key that does not come without it. Any other 200 says nothing of the key. */
function authStep(asked: Asked, apiKey: string | null, keyOpened: boolean): TestStep {
  const { ms } = asked;
  if (asked.type !== 'answer') return warning('auth', ms, 'The provider ended the connection on a request with the key; the first content will tell.');
  if (asked.status === 401 || asked.status === 403) {
    return apiKey === null
      ? failed('auth', ms, `The provider wants a key (status ${asked.status}), and this connection has none. Enter one.`)
      : failed('auth', ms, `The provider does not accept the key (status ${asked.status}). Enter a valid one, and check its permissions.`);
  }
  if (apiKey === null) return skipped('auth', 'This connection has no key, and the provider did not ask for one.');
  if (keyOpened) return ok('auth', ms, 'The provider accepts the key.');
  return warning('auth', ms, `Not proven: what came at /models (status ${asked.status}) says nothing about the key. A first content does.`);
}

function isModelList(asked: Asked, adapter: WireAdapter): boolean {
  return asked.type === 'answer' && asked.status >= 200 && asked.status < 300 && modelIds(asked.body, adapter) !== null;
}

/** Providers without a list of models exist, and they work: a warning, never a failure. */
function modelListStep(asked: Asked, adapter: WireAdapter): { step: TestStep; models: string[] } {
  const { ms } = asked;
  if (asked.type !== 'answer') return { step: warning('model_list', ms, 'The list of models did not arrive. Calls may work all the same.'), models: [] };
  if (asked.status < 200 || asked.status >= 300) {
    return { step: warning('model_list', ms, `The provider has no list of models at /models (status ${asked.status}). Calls may work all the same; name a model to test.`), models: [] };
  }
  const models = modelIds(asked.body, adapter);
  if (models === null) return { step: warning('model_list', ms, 'What the provider sent at /models is no list of models. Check that the base URL ends where its API begins, often in /v1.'), models: [] };
  if (models.length === 0) return { step: warning('model_list', ms, 'The provider lists no models for this key. Name a model to test.'), models };
  return { step: ok('model_list', ms, `The provider lists ${models.length} model${models.length === 1 ? '' : 's'}.`), models };
}

function modelIds(body: string, adapter: WireAdapter): string[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return null; // HTML, or cut at our limit
  }
  const ids = adapter.listedModels(parsed);
  return ids === null ? null : ids.filter((id) => /^[\x21-\x7e]{1,256}$/.test(id));
}

/** One short answer through the engine, on a route that has this connection alone. */
async function contentStep(services: TestServices, connection: ConnectionConfig, model: string | null, input: TestConnectionInput, list: TestStep[]): Promise<TestStep> {
  if (model === null) return skipped('first_content', 'No model to ask: name one.');
  const tier = { connection, model, firstContentTimeoutMs: CONTENT_MS, idleTimeoutMs: null, responseTimeoutMs: null, eco: null };
  const { row, text } = await runTrial(services.engine, {
    workspaceId: connection.workspaceId,
    route: { id: 'trial', name: 'trial', revision: 1, commit: 'first_content', deadlineMs: CONTENT_MS, replayGeneration: 0, tiers: [tier] },
    prompt: 'Reply with the one word: ok',
    failTier: null,
    limitMs: CONTENT_MS + 5_000,
    signal: input.signal,
  });
  const step = contentVerdict(row, model, text);
  if (row?.attempts.at(-1)?.class === 'auth') correctAuth(list);
  if (step.outcome === 'ok') proveAuth(list);
  return step;
}

function contentVerdict(row: CallRow | null, model: string, text: string): TestStep {
  const last = row?.attempts.at(-1);
  const ms = last === undefined ? null : Math.round(last.first_content_ms ?? last.duration_ms);
  if (row?.state === 'finished') return ok('first_content', ms, `${model} answered${text === '' ? ' without text' : ''}.`);
  if (row?.state === 'truncated') return warning('first_content', ms, `${model} began to answer and was cut: ${last?.message ?? 'no reason given'}.`);
  const status = last?.upstream_status == null ? '' : ` (status ${last.upstream_status})`;
  return failed('first_content', ms, `${model} gave no content: ${last?.message ?? 'the time ran out'}${status}. ${ADVICE[last?.class ?? 'timeout'] ?? 'Try again later.'}`);
}

const ADVICE: Record<string, string> = {
  auth: 'Enter a valid key, and check its permissions.',
  not_found: 'Check the model’s name and the base URL.',
  quota: 'The account at the provider has no money or quota left.',
  rate_limited: 'The provider limits this key now. Try again later.',
  invalid_request: 'Check that this model takes chat requests.',
  not_a_stream: 'Check that the base URL ends where the API begins, often in /v1.',
  connect: 'Check the base URL and the port.',
};

/** The list of models was open to everybody; the call itself was not. */
function correctAuth(list: TestStep[]): void {
  const index = list.findIndex((step) => step.step === 'auth');
  const { ms } = list[index]!;
  list[index] = failed('auth', ms, 'The provider refused the call for its key. Enter a valid one, and check its permissions.');
}

/** The list of models left it open; the call did not. */
function proveAuth(list: TestStep[]): void {
  const index = list.findIndex((step) => step.step === 'auth');
  const { ms, outcome } = list[index]!;
  if (outcome === 'warning') list[index] = ok('auth', ms ?? 0, 'The provider answered a call with the key.');
}
