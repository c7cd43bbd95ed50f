import { expect, test } from 'vitest';
import { isoTime } from './iso-time';

test('tells every moment as Date does, in whatever order they are asked', () => {
  const start = Date.UTC(2026, 10, 30, 23, 59, 58, 990);
  for (let step = 0; step < 3_000; step++) {
    const ms = start + ((step * 7919) % 3_000);
    expect(isoTime(ms)).toBe(new Date(ms).toISOString());
  }
});
