import { numberOf } from '@/app/_shell/form-number';
import type { LimitsInput } from '@/lib/management/schemas';

type Name = Exclude<keyof LimitsInput, 'on_budget'>;

export const LIMIT_FIELDS: { name: Name; label: string; whole: boolean }[] = [
  { name: 'requests_per_minute', label: 'Requests a minute', whole: true },
  { name: 'tokens_per_minute', label: 'Tokens a minute', whole: true },
  { name: 'concurrent_calls', label: 'Calls in flight', whole: true },
  { name: 'daily_cost_usd', label: 'US dollars a day', whole: false },
  { name: 'monthly_cost_usd', label: 'US dollars a month', whole: false },
];

/** The limits that a form holds, as the API takes them; null for none. What is no number is left for the schema to name. */
export function limitsOf(form: FormData): Record<string, unknown> | null {
  const limits: Record<string, unknown> = {};
  for (const { name } of LIMIT_FIELDS) {
    const number = numberOf(form, `limits.${name}`);
    if (number !== undefined) limits[name] = number;
  }
  // How a budget holds says nothing where there is none.
  if (('daily_cost_usd' in limits || 'monthly_cost_usd' in limits) && form.get('limits.on_budget') === 'warn') limits['on_budget'] = 'warn';
  return Object.keys(limits).length === 0 ? null : limits;
}
