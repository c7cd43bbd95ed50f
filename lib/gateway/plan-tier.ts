import type { AttemptPlan } from './attempt/run-attempt';
import { isUnrepresentable } from '../providers';
import type { Canonical, Unrepresentable } from '../wire';
import { DEFAULT_TIMEOUTS } from './default-timeouts';
import { droppedNames } from './dropped-names';
import type { OpenCall } from './open-call';
import type { Place } from './places';
import type { ConnectionConfig } from './ports';

const { idle: IDLE } = DEFAULT_TIMEOUTS;

/**
 * Turns a tier into one upstream request, or says which member its wire has no words for. Translated from what
 * is to be sent each time, never from an earlier translation.
 */
export function planTier(
  call: OpenCall,
  place: Place,
  deadlineAt: number,
  options: { fresh: boolean; withoutStreamOptions: boolean },
): AttemptPlan | Unrepresentable {
  const { tier } = place;
  const { connection, model } = tier;
  const { engine, surface } = call;
  const adapter = engine.adapterFor(connection.wire);
  const quirks = engine.quirksOf(connection.provider);
  if (!adapter.operations.includes(surface.operation) || quirks.lacks?.includes(surface.operation)) return notOffered(call, connection);
  const own = adapter.dialect === surface.dialect;
  const ownRequest = own ? call.sent.own() : null;
  const canonical = own ? null : call.sent.canonical();
  if (canonical?.ok === false) return canonical.why;
  const secret = connection.kind === 'sandbox' ? null : connection.apiKey();
  const request = adapter.request({
    operation: surface.operation,
    own: ownRequest,
    chat: canonical?.chat ?? null,
    model,
    stream: call.stream,
    withoutStreamOptions: options.withoutStreamOptions,
    apiKey: secret,
    headers: call.requestHeaders,
    quirks,
    maxOutputTokens: engine.prices.maxOutputTokens(connection.provider, model),
  });
  if (isUnrepresentable(request)) return { ...request, param: clientsName(call, request.param, canonical) };
  const sandbox = connection.kind === 'sandbox' ? engine.sandbox(connection.workspaceId) : null;
  const base = baseOf(connection, sandbox?.baseUrl ?? connection.baseUrl);
  if (sandbox) Object.assign(request.headers, sandbox.headers);
  if (call.traceparent !== null) request.headers.traceparent = call.traceparent;
  return {
    tierNumber: place.number,
    tier,
    adapter,
    target: { origin: base.origin, path: base.path + request.path, guard: connection.kind === 'sandbox' ? 'sandbox' : 'public' },
    request,
    own,
    dropped: namesOf(call, (canonical ?? ownRequest!).dropped, request.dropped, canonical),
    fresh: options.fresh,
    secret,
    budgetMs: place.budgetMs,
    idleMs: tier.idleTimeoutMs ?? IDLE,
    deadlineAt,
  };
}

const notOffered = ({ surface }: OpenCall, { name }: ConnectionConfig): Unrepresentable => ({
  param: 'model',
  code: 'unsupported_operation',
  message: `Connection \`${name}\` has nothing like ${surface.path}.`,
});

/** A member of the canonical request by the name that the client gave it. */
function clientsName(call: OpenCall, param: string, canonical: Canonical | null): string {
  const message = /^messages\[(\d+)\]/.exec(param);
  const place = message !== null && canonical?.ok ? canonical.places?.[Number(message[1])] : undefined;
  if (place !== undefined) return place; // what is inside may stand elsewhere there
  const [head] = param.split(/[.[]/, 1) as [string];
  const { names } = call.surface;
  return Object.hasOwn(names, head) ? `${names[head]}${param.slice(head.length)}` : param; // an unknown member may be called `constructor`
}

const namesOf = (call: OpenCall, bySurface: readonly string[], byWire: readonly string[], canonical: Canonical | null): readonly string[] =>
  bySurface.length + byWire.length === 0 ? byWire : droppedNames([...bySurface, ...byWire.map((name) => clientsName(call, name, canonical))]);

const bases = new WeakMap<ConnectionConfig, { url: string; origin: string; path: string }>();

function baseOf(connection: ConnectionConfig, url: string): { origin: string; path: string } {
  const known = bases.get(connection);
  if (known?.url === url) return known;
  const parsed = new URL(url);
  const base = { url, origin: parsed.origin, path: parsed.pathname.replace(/\/+$/, '') };
  bases.set(connection, base);
  return base;
}
