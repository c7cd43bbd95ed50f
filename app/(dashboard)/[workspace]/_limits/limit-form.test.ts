import { expect, test } from 'vitest';
import { limits, limitsInput } from '@/lib/management/schemas';
import { limitsOf } from './limit-form';

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(`limits.${name}`, value);
  return data;
}

test.each([
  [{}, null],
  [{ requests_per_minute: ' ', on_budget: 'warn' }, null],
  [{ requests_per_minute: '60', on_budget: 'hard' }, { requests_per_minute: 60 }],
  [{ requests_per_minute: '60', on_budget: 'warn' }, { requests_per_minute: 60 }],
  [{ daily_cost_usd: '0.5', on_budget: 'warn' }, { daily_cost_usd: 0.5, on_budget: 'warn' }],
])('%j is %j', (values, expected) => {
  expect(limitsOf(form(values as unknown as Record<string, string>))).toEqual(expected);
});

test.each(['6-0', '1e', '5-0', '1,50', '1 000', '0x10', 'Infinity', '--1'])('%s is neither another number nor no limit: it is refused beside its field', (text) => {
  const typed = limitsOf(form({ requests_per_minute: text, daily_cost_usd: text }));
  const result = limitsInput.safeParse(typed);
  expect(result.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual(['requests_per_minute must be a whole number', 'daily_cost_usd must be a number of US dollars']);
});

test('what is no number is refused by the schema, beside its field', () => {
  const result = limitsInput.safeParse(limitsOf(form({ tokens_per_minute: '1e', monthly_cost_usd: '-1' })));
  expect(result.error?.issues.map(({ path }) => path.join('.'))).toEqual(['tokens_per_minute', 'monthly_cost_usd']);
});

test.each(['0', '-1', '0.0000000001', '0.0000009'])('a budget of %s dollars, which no page could show, is refused beside its field', (text) => {
  const result = limitsInput.safeParse(limitsOf(form({ daily_cost_usd: text, monthly_cost_usd: text })));
  expect(result.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual(['daily_cost_usd must be at least 0.000001', 'monthly_cost_usd must be at least 0.000001']);
});

test('the least budget is taken, and one that was stored smaller before is still read', () => {
  expect(limitsInput.safeParse(limitsOf(form({ daily_cost_usd: '0.000001' }))).success).toBe(true);
  expect(limits.safeParse({ daily_cost_usd: 1e-10 }).success).toBe(true);
});
