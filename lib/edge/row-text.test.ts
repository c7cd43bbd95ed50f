import { expect, test } from 'vitest';
import { finished } from '../metering/fixtures';
import { rowText } from './row-text';

test('is the JSON of the row, member for member and in the same order', () => {
  const row = finished(undefined, { route: 'a "quoted" name', tag: null });
  const own = { id: 'call_2', created_at: '2026-11-30T01:02:03.004Z', finished_at: '2026-11-30T01:02:03.005Z', flushed_bytes: 7, first_content_ms: null, duration_ms: 0.25 };
  const text = rowText(row);
  expect(text(row)).toBe(JSON.stringify(row));
  expect(text(own)).toBe(JSON.stringify({ ...row, ...own }));
});
