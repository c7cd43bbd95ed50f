import { expect, test } from 'vitest';
import { kindOf } from '@/lib/alerts/kinds';
import { alertCreate } from '@/lib/management/schemas';
import { mutedUntil, partsOf, ruleOf } from './alert-form-values';
import { windowParts } from './window-parts';

function form(values: Record<string, string | string[]>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) for (const each of [value].flat()) data.append(name, each);
  return data;
}

test('a filled form is what the API takes', () => {
  const values = ruleOf(form({ name: ' cut ', kind: 'rate_limited.after_content', threshold: '3', window: '5', window_unit: 'min', scope: 'key:key_1', channels: ['channel_1', 'channel_2'] }));
  expect(values).toEqual({ name: 'cut', kind: 'rate_limited.after_content', threshold: 3, window_s: 300, scope: { type: 'key', id: 'key_1' }, channels: ['channel_1', 'channel_2'] });
  expect(alertCreate.safeParse(values).success).toBe(true);
});

test('an empty threshold is refused by the schema', () => {
  expect(alertCreate.safeParse(ruleOf(form({ name: 'x', kind: 'auth', scope: 'all' }))).error?.issues.map(({ path }) => path.join('.'))).toEqual(['threshold']);
});

test('a kind judges what can be judged: what is empty or no number is the schema’s to name', () => {
  expect(partsOf(form({ kind: 'rate_limited.after_content', threshold: '0', window: '2', window_unit: 'h', scope: 'route:route_1' }))).toEqual({ kind: 'rate_limited.after_content', threshold: 0, windowS: 7_200, scopeType: 'route' });
  const { threshold, windowS } = kindOf('rate_limited.after_content');
  expect(partsOf(form({ kind: 'rate_limited.after_content', threshold: '1e', window: '', scope: 'all' }))).toEqual({ kind: 'rate_limited.after_content', threshold, windowS, scopeType: 'all' });
  expect(partsOf(form({ kind: 'junk' }))).toBeNull();
});

test('windows are shown in their largest whole unit', () => {
  expect([10, 60, 90, 3_600, 5_400, 604_800].map((seconds) => windowParts(seconds))).toEqual([
    { amount: 10, unit: 's' }, { amount: 1, unit: 'min' }, { amount: 90, unit: 's' }, { amount: 1, unit: 'h' }, { amount: 90, unit: 'min' }, { amount: 7, unit: 'd' },
  ]);
});

test('a mute is so long from now, or none', () => {
  const at = Date.parse('2026-11-30T12:00:00Z');
  expect(['1h', '7d', 'off', undefined, '9999d'].map((choice) => mutedUntil(choice, at))).toEqual(['2026-11-30T13:00:00.000Z', '2026-12-07T12:00:00.000Z', null, null, null]);
});
