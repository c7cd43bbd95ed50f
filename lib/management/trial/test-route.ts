import type { Engine } from '../../gateway/engine';
import { Refusal } from '../../std';
import type { Actor } from '../../tenancy/actor';
import { readRouteConfig } from '../../tenancy/routes';
import type { Tenancy } from '../../tenancy/tenancy';
import { attemptView } from '../call-view';
import type { RouteReport, RouteTest } from '../schemas';
import { admitTrial } from './admit-trial';
import { runTrial } from './run-trial';

/** Longer than any patience at a dashboard. */
const LIMIT_MS = 120_000;

/** One real call down the route, optionally with one tier failing on purpose. Refuses `not_found`, `invalid` (no such tier), `rate_limited`, `budget_exceeded`. */
export async function testRoute(
  services: { tenancy: Tenancy; engine: Engine },
  actor: Actor,
  input: RouteTest & { id: string; signal?: AbortSignal },
): Promise<RouteReport> {
  const route = await readRouteConfig(services.tenancy, actor, { id: input.id });
  if (input.fail_tier !== null && input.fail_tier > route.tiers.length) {
    throw new Refusal('invalid', `fail_tier: the route has ${route.tiers.length} tiers.`, [{ field: 'fail_tier', message: `the route has ${route.tiers.length} tiers` }]);
  }
  await admitTrial(services, actor, route.tiers.flatMap((tier) => (tier.eco ?? [tier]).map(({ connection }) => connection)));
  const { row, text } = await runTrial(services.engine, {
    workspaceId: actor.workspaceId,
    route,
    prompt: input.prompt,
    failTier: input.fail_tier,
    limitMs: LIMIT_MS,
    signal: input.signal,
  });
  return {
    ok: row?.state === 'finished',
    state: row?.state ?? 'aborted',
    tier: row?.tier ?? null,
    text,
    error_code: row?.error_code ?? null,
    attempts: row?.attempts.map(attemptView) ?? [],
  };
}
