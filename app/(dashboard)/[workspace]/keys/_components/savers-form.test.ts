import { expect, test } from 'vitest';
import { keyUpdate } from '@/lib/management/schemas';
import { savingOf } from './savers-form';

function form(members: [string, string][]): FormData {
  const data = new FormData();
  for (const [name, value] of members) data.append(name, value);
  return data;
}

test('no box and no percentage: no savers, and what holds where nothing is said', () => {
  expect(savingOf(form([['holdout_percent', ' ']]))).toEqual({ savers: [], holdout: null, keep_texts: null });
});

test('boxes and a percentage are taken as they were sent, and the schema judges them', () => {
  const good = savingOf(form([['savers', 'json-compact'], ['savers', 'blank-lines'], ['holdout_percent', '10']]));
  expect(keyUpdate.parse(good)).toEqual({ savers: ['json-compact', 'blank-lines'], holdout: { percent: 10 }, keep_texts: null });
  for (const percent of ['51', '-1', '2.5', 'x']) expect([percent, keyUpdate.safeParse(savingOf(form([['holdout_percent', percent]]))).success]).toEqual([percent, false]);
  expect(savingOf(form([['keep_texts_days', '7']])).keep_texts).toEqual({ days: 7 });
  for (const days of ['0', '31', '1.5', 'x']) expect([days, keyUpdate.safeParse(savingOf(form([['keep_texts_days', days]]))).success]).toEqual([days, false]);
  expect(keyUpdate.safeParse(savingOf(form([['savers', 'unknown']]))).success).toBe(false);
});
