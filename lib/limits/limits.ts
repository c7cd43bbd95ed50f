/** What a key or a workspace may use. Null: no limit of that kind. */
export interface Limits {
  requestsPerMinute: number | null;
  /** Prompt and completion together. */
  tokensPerMinute: number | null;
  /** Calls that are open at the same time. */
  concurrentCalls: number | null;
  /** Integer nano-USD in a UTC day. */
  dailyNanoUsd: number | null;
  /** Integer nano-USD in a UTC month. */
  monthlyNanoUsd: number | null;
  /** `hard`: a call that the budget cannot cover is refused. `warn`: it is made, and alerts tell. */
  budgetMode: 'hard' | 'warn';
}

/** As the management API takes it and the database keeps it: only what is limited is there. */
export interface LimitsJson {
  requests_per_minute?: number;
  tokens_per_minute?: number;
  concurrent_calls?: number;
  daily_cost_usd?: number;
  monthly_cost_usd?: number;
  on_budget?: 'hard' | 'warn';
}

/** Null where nothing is limited, so that the hot path has one thing to ask. */
export function readLimits(json: LimitsJson | null): Limits | null {
  if (json === null) return null;
  const { requests_per_minute, tokens_per_minute, concurrent_calls, daily_cost_usd, monthly_cost_usd, on_budget } = json;
  const limits: Limits = {
    requestsPerMinute: requests_per_minute ?? null,
    tokensPerMinute: tokens_per_minute ?? null,
    concurrentCalls: concurrent_calls ?? null,
    dailyNanoUsd: nanoUsd(daily_cost_usd),
    monthlyNanoUsd: nanoUsd(monthly_cost_usd),
    budgetMode: on_budget ?? 'hard',
  };
  const any = limits.requestsPerMinute ?? limits.tokensPerMinute ?? limits.concurrentCalls ?? limits.dailyNanoUsd ?? limits.monthlyNanoUsd;
  return any === null ? null : limits;
}

/** Dollars as they were typed, to whole nano-dollars. */
const nanoUsd = (usd: number | undefined): number | null => (usd === undefined ? null : Math.round(usd * 1e9));
