import { expect, test } from 'vitest';
import { createHeldBytes, type Holder } from './held-bytes';

test('beyond the limit the largest holder lets go, and only it', () => {
  const held = createHeldBytes(100);
  const gone: string[] = [];
  const holder = (name: string): Holder => ({ bytes: 0, place: -1, overflow: () => gone.push(name) });
  const [a, b, c] = [holder('a'), holder('b'), holder('c')];
  held.set(a, 40);
  held.set(b, 50);
  expect(held.total).toBe(90);
  held.set(c, 11);
  expect(gone).toEqual(['b']);
  expect(held.total).toBe(51);
  held.set(a, 0);
  held.release(c);
  expect(held.total).toBe(0);
});

test('one holder that alone exceeds the limit lets go of itself', () => {
  const held = createHeldBytes(100);
  let gone = 0;
  const big: Holder = { bytes: 0, place: -1, overflow: () => gone++ };
  held.set(big, 101);
  expect([gone, held.total]).toEqual([1, 0]);
});
