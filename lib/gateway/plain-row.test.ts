import { expect, test } from 'vitest';
import { cutInLastWrite } from './plain-row';

test('a client that left during the last write: a small one is left out of the count, how much of a large one was taken is not known', () => {
  const small = 64 * 1024;
  expect(cutInLastWrite(5_000 + small, small)).toEqual({ state: 'aborted', flushed_bytes: 5_000 });
  expect(cutInLastWrite(200, 200)).toEqual({ state: 'aborted', flushed_bytes: 0 });
  expect(cutInLastWrite(5_000 + small + 1, small + 1)).toEqual({ state: 'aborted', flushed_bytes: null });
});
