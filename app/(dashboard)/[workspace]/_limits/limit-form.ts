import type { LimitsInput } from '@/lib/management/schemas';

type Name = Exclude<keyof LimitsInput, 'on_budget'>;

export const LIMIT_FIELDS: { name: Name; label: string; step: '1' | 'any' }[] = [
  { name: 'requests_per_minute', label: 'Requests a minute', step: '1' },
  { name: 'tokens_per_minute', label: 'Tokens a minute', step: '1' },
  { name: 'concurrent_calls', label: 'Calls in flight', step: '1' },
  { name: 'daily_cost_usd', label: 'US dollars a day', step: 'any' },
  { name: 'monthly_cost_usd', label: 'US dollars a month', step: 'any' },
];

/** The limits that a form holds, as the API takes them; null for none. What is no number is left for the schema to name. */
export function limitsOf(form: FormData): Record<string, unknown> | null {
  const limits: Record<string, unknown> = {};
  for (const { name } of LIMIT_FIELDS) {
    const text = form.get(`limits.${name}`);
    if (typeof text === 'string' && text.trim() !== '') limits[name] = Number(text);
  }
  // How a budget holds says nothing where there is none.
  if (('daily_cost_usd' in limits || 'monthly_cost_usd' in limits) && form.get('limits.on_budget') === 'warn') limits['on_budget'] = 'warn';
  return Object.keys(limits).length === 0 ? null : limits;
}
