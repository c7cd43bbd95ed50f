import { savingsQuery, type SavingsQuery } from '@/lib/management/schemas';

/** What the savings page shows, as it stands in its address. Pure. */

export const PERIODS = { week: { label: 'Last 7 days', days: 7 }, month: { label: 'Last 30 days', days: 30 }, quarter: { label: 'Last 90 days', days: 90 } } as const;
export type Period = keyof typeof PERIODS;

export interface SavingsFilters {
  period: Period;
  /** Id or name; empty: any. */
  key: string;
  model: string;
}

/** What is no value is left out. */
export function readFilters(query: Record<string, string>): SavingsFilters {
  const period = query.period ?? '';
  const sound = (name: 'key' | 'model') => (savingsQuery.safeParse({ [name]: query[name] }).success ? (query[name] ?? '') : '');
  return { period: Object.hasOwn(PERIODS, period) ? (period as Period) : 'month', key: sound('key'), model: sound('model') };
}

export function reportQuery({ period, key, model }: SavingsFilters, nowMs: number): SavingsQuery {
  return {
    from: new Date(nowMs - PERIODS[period].days * 86_400_000).toISOString(),
    to: new Date(nowMs).toISOString(),
    ...(key === '' ? {} : { key }),
    ...(model === '' ? {} : { model }),
  };
}
