import type { Engine } from '../../gateway/engine';
import type { ConnectionConfig } from '../../gateway/ports';
import { Refusal } from '../../std';
import type { Actor } from '../../tenancy/actor';
import { workspaceBudgets } from '../../tenancy/keys';
import type { Tenancy } from '../../tenancy/tenancy';
import { createRateLimit, type RateVerdict } from '../rate-limit';

/** Tests of a workspace's connections and routes, together, that one process makes in a minute. */
export const TRIALS_PER_MINUTE = 30;

/**
 * May this test be made? It pays real providers and has no row in the ledger, so that no budget sees it: there are few
 * of them, and none of a provider that costs money once a hard budget of the workspace is used up. Refuses
 * `rate_limited`, `budget_exceeded`.
 */
export async function admitTrial({ tenancy, engine }: { tenancy: Tenancy; engine: Engine }, actor: Actor, connections: readonly ConnectionConfig[]): Promise<void> {
  if (connections.every(({ kind }) => kind === 'sandbox')) return;
  const { allowed, resetS } = rateOf(engine)(actor.workspaceId);
  if (!allowed) throw new Refusal('rate_limited', `This workspace has made ${TRIALS_PER_MINUTE} tests in a minute. Try again in ${resetS} s.`, [], resetS);
  const { data } = await workspaceBudgets(tenancy, actor);
  const used = data.find(({ on_budget, left_nano_usd }) => on_budget === 'hard' && left_nano_usd <= 0);
  if (used !== undefined) throw new Refusal('budget_exceeded', `The workspace’s budget of this ${used.period} is used up, and a test costs money. It begins anew at ${used.resets_at}.`);
}

/** One for each engine: a process has one. */
const rates = new WeakMap<Engine, (workspaceId: string) => RateVerdict>();

function rateOf(engine: Engine): (workspaceId: string) => RateVerdict {
  let rate = rates.get(engine);
  if (rate === undefined) rates.set(engine, (rate = createRateLimit(engine.clock, TRIALS_PER_MINUTE)));
  return rate;
}
