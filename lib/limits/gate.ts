import type { LimitAsk, LimitGate, LimitVerdict } from '../gateway/ports';
import type { Budgets, BudgetScope, Hold, HoldInput } from './budgets';
import type { Asked, AskedBucket, Counters, Verdict } from './counters';
import type { Limits } from './limits';
import { rateHeaders } from './rate-headers';

const MINUTE_MS = 60_000;

/**
 * What every limited call passes before a tier is asked: rates first, since they cost nothing, then money. A call of a
 * key and a workspace without limits never comes here. A key without a money budget never touches the database.
 */
export function createLimitGate({ counters, budgets, now }: { counters: Counters; budgets: Budgets; now: () => number }): LimitGate {
  return {
    admit(ask) {
      const asked = askedOf(ask);
      const limit = exceededWhole(ask);
      if (limit !== null) return neverFits(asked, limit);
      const counted = counters.admit(asked);
      return counted instanceof Promise ? counted.then((verdict) => counting(ask, asked, verdict)) : counting(ask, asked, counted);
    },
    async cover(ask, costs) {
      const scopes = hardScopes(ask.caller);
      if (scopes.length === 0) return null;
      const hold = await budgets.hold(holdOf(ask, scopes, costs), { undone: true });
      return hold.verdict === 'held' ? hold.nanoUsd : -1;
    },
  };

  /** Takes nothing, so that such a call leaves to others what is theirs. */
  function neverFits(asked: Asked, limit: number): LimitVerdict | Promise<LimitVerdict> {
    const refused = (headers: Record<string, string>): LimitVerdict => ({ admitted: false, why: 'never_fits', limit, headers });
    const seen = counters.look(asked);
    const told = ({ takes }: Pick<Verdict, 'takes'>) => refused(rateHeaders(asked.buckets, takes));
    return seen instanceof Promise ? seen.then(told, () => refused({})) : told(seen); // the store is away, and says so elsewhere
  }

  function counting(ask: LimitAsk, asked: Asked, { takes, refused }: Verdict): LimitVerdict | Promise<LimitVerdict> {
    const headers = rateHeaders(asked.buckets, takes);
    if (refused !== null) return { admitted: false, why: 'rate', kind: refused.kind, limit: refused.limit, retryAfterS: Math.max(1, Math.ceil(refused.retryMs / 1000)), headers };
    let over = false;
    const end = (totalTokens: number | null) => {
      if (over) return;
      over = true;
      counters.release(asked, totalTokens === null || ask.costs === null ? 0 : totalTokens - ask.estimatedTokens);
    };
    const scopes = ask.costs === null ? [] : hardScopes(ask.caller);
    if (ask.costs === null || scopes.length === 0) return { admitted: true, headers, coveredNanoUsd: null, end };
    return budgets.hold(holdOf(ask, scopes, ask.costs())).then(
      (hold) => held(hold, headers, end),
      (error: unknown) => {
        end(0);
        throw error;
      },
    );
  }

  function held(hold: Hold, headers: Record<string, string>, end: (totalTokens: number | null) => void): LimitVerdict {
    if (hold.verdict === 'held') return { admitted: true, headers, coveredNanoUsd: hold.nanoUsd, end };
    end(0); // the request counts, its tokens do not
    if (hold.verdict === 'unpriced') return { admitted: false, why: 'unpriced', headers };
    return { admitted: false, why: 'budget', scope: hold.kind, period: hold.period, resetsInS: Math.max(1, Math.ceil((hold.resetsAtMs - now()) / 1000)), headers };
  }
}

/** The key's limits and the workspace's: a call must fit into both. */
function askedOf({ caller, estimatedTokens }: LimitAsk): Asked {
  const asked: Asked = { buckets: [], places: [], member: Math.floor(Math.random() * 2 ** 52) };
  for (const [id, limits] of limitsOf(caller)) addCounted(asked, id, limits, estimatedTokens);
  return asked;
}

/** What one key or workspace is counted by. */
export function addCounted(asked: Pick<Asked, 'buckets' | 'places'>, id: string, limits: Limits, tokens: number): void {
  if (limits.requestsPerMinute !== null) asked.buckets.push(bucket(`requests:${id}`, 'requests', limits.requestsPerMinute, 1));
  if (limits.tokensPerMinute !== null) asked.buckets.push(bucket(`tokens:${id}`, 'tokens', limits.tokensPerMinute, tokens));
  if (limits.concurrentCalls !== null) asked.places.push({ key: `open:${id}`, limit: limits.concurrentCalls });
}

const bucket = (key: string, kind: AskedBucket['kind'], limit: number, units: number): AskedBucket => ({ key, kind, limit, windowMs: MINUTE_MS, units });

/** The smallest tokens a minute that the prompt alone exceeds. An answer may come out shorter than what was asked for; a prompt may not. */
function exceededWhole({ caller, promptTokens }: LimitAsk): number | null {
  let least = Number.POSITIVE_INFINITY;
  for (const [, { tokensPerMinute }] of limitsOf(caller)) if (tokensPerMinute !== null && tokensPerMinute < least) least = tokensPerMinute;
  return promptTokens > least ? least : null;
}

const holdOf = ({ callId, caller, atMs }: Pick<LimitAsk, 'callId' | 'caller' | 'atMs'>, scopes: BudgetScope[], costs: (number | null)[]): HoldInput => ({
  callId,
  workspaceId: caller.workspace.id,
  keyId: caller.key.id,
  atMs,
  scopes,
  costs,
});

function hardScopes(caller: LimitAsk['caller']): BudgetScope[] {
  const scopes: BudgetScope[] = [];
  for (const [scopeId, { dailyNanoUsd, monthlyNanoUsd, budgetMode }] of limitsOf(caller)) {
    if (budgetMode !== 'hard') continue;
    const kind = scopeId === caller.key.id ? 'key' : 'workspace';
    if (dailyNanoUsd !== null) scopes.push({ scopeId, kind, period: 'day', limitNanoUsd: dailyNanoUsd });
    if (monthlyNanoUsd !== null) scopes.push({ scopeId, kind, period: 'month', limitNanoUsd: monthlyNanoUsd });
  }
  return scopes;
}

function limitsOf({ key, workspace }: LimitAsk['caller']): [string, Limits][] {
  const both: [string, Limits | null][] = [
    [key.id, key.limits],
    [workspace.id, workspace.limits],
  ];
  return both.filter((entry): entry is [string, Limits] => entry[1] !== null);
}
