import { expect, test } from 'vitest';
import { finished } from '../metering/fixtures';
import { rowOf } from '../metering/row-text';
import { rowText } from './row-text';

test('is the JSON of the row, its id first, without what is null', () => {
  const row = finished(undefined, { route: 'a "quoted" name', tag: null });
  const own = { id: 'call_2', created_at: '2026-11-30T01:02:03.004Z', finished_at: '2026-11-30T01:02:03.005Z', flushed_bytes: 7, first_content_ms: null, duration_ms: 0.25 };
  const text = rowText(row);
  expect(text(row)).toMatch(/^\{"id":"call_/);
  expect(text(row)).not.toContain('"tag"');
  expect(rowOf(text(row))).toEqual(row);
  expect(rowOf(text(own))).toEqual({ ...row, ...own });
});
