import type { AttemptPlan } from './attempt/run-attempt';
import { DEFAULT_TIMEOUTS } from './default-timeouts';
import type { OpenCall } from './open-call';
import type { ConnectionConfig, TierConfig } from './ports';

const { firstContent: FIRST_CONTENT, response: RESPONSE, idle: IDLE } = DEFAULT_TIMEOUTS;

/** Turns a tier into one upstream request. Translated from the client's own request each time, never from an earlier translation. */
export function planTier(
  call: OpenCall,
  tier: TierConfig,
  index: number,
  deadlineAt: number,
  options: { fresh: boolean; withoutStreamOptions: boolean },
): AttemptPlan {
  const { connection, model } = tier;
  const secret = connection.kind === 'sandbox' ? null : connection.apiKey();
  const adapter = call.engine.adapterFor(connection.wire);
  const request = adapter.chatRequest({
    text: call.request.text,
    parsed: call.request.parsed,
    scan: call.request.scan,
    model,
    stream: call.stream,
    withoutStreamOptions: options.withoutStreamOptions,
    apiKey: secret,
  });
  const sandbox = connection.kind === 'sandbox' ? call.engine.sandbox(connection.workspaceId) : null;
  const base = baseOf(connection, sandbox?.baseUrl ?? connection.baseUrl);
  if (sandbox) Object.assign(request.headers, sandbox.headers);
  if (call.traceparent !== null) request.headers.traceparent = call.traceparent;
  return {
    tierNumber: index + 1,
    tier,
    adapter,
    target: { origin: base.origin, path: base.path + request.path, guard: connection.kind === 'sandbox' ? 'sandbox' : 'public' },
    request,
    fresh: options.fresh,
    secret,
    budgetMs: tierBudgetMs(call, tier, index),
    idleMs: tier.idleTimeoutMs ?? IDLE,
    deadlineAt,
  };
}

/** Dispatch to first content of a stream, dispatch to the whole body otherwise, ms. */
export function tierBudgetMs(call: OpenCall, tier: TierConfig, index: number): number {
  const thinks = call.request.asksForReasoning || call.engine.prices.thinks(tier.connection.provider, tier.model);
  if (!call.stream) return tier.responseTimeoutMs ?? (thinks ? RESPONSE.thinks : RESPONSE.plain);
  if (tier.firstContentTimeoutMs !== null) return tier.firstContentTimeoutMs;
  if (thinks) return FIRST_CONTENT.thinks;
  const follows = !call.firstTierOnly && index + 1 < call.route.tiers.length;
  return follows ? FIRST_CONTENT.follows : FIRST_CONTENT.last;
}

const bases = new WeakMap<ConnectionConfig, { url: string; origin: string; path: string }>();

function baseOf(connection: ConnectionConfig, url: string): { origin: string; path: string } {
  const known = bases.get(connection);
  if (known?.url === url) return known;
  const parsed = new URL(url);
  const base = { url, origin: parsed.origin, path: parsed.pathname.replace(/\/+$/, '') };
  bases.set(connection, base);
  return base;
}
