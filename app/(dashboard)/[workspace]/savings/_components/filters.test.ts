import { expect, test } from 'vitest';
import { readFilters, reportQuery } from './filters';

test('the address says which key, model and period; what is no value is left out', () => {
  expect(readFilters({ period: 'week', key: 'key_1', model: 'gpt-4o' })).toEqual({ period: 'week', key: 'key_1', model: 'gpt-4o' });
  expect(readFilters({ period: 'constructor', key: 'a\u0000b', model: ' ' })).toEqual({ period: 'month', key: '', model: '' });
});

test('a report covers whole days back from now, and asks for no key or model that is not said', () => {
  const now = Date.UTC(2026, 4, 31);
  expect(reportQuery(readFilters({}), now)).toEqual({ from: '2026-05-01T00:00:00.000Z', to: '2026-05-31T00:00:00.000Z' });
  expect(reportQuery(readFilters({ key: 'web', model: 'm', period: 'week' }), now)).toEqual({ from: '2026-05-24T00:00:00.000Z', to: '2026-05-31T00:00:00.000Z', key: 'web', model: 'm' });
});
