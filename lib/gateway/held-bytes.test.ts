import { expect, test } from 'vitest';
import { createHeldBytes, type Holder } from './held-bytes';

test('beyond the limit the largest holder lets go, and only it', () => {
  const held = createHeldBytes(100);
  const gone: string[] = [];
  const holder = (name: string): Holder => ({ bytes: 0, place: -1, owner: 'ws', overflow: () => gone.push(name) });
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
  const big: Holder = { bytes: 0, place: -1, owner: 'ws', overflow: () => gone++ };
  held.set(big, 101);
  expect([gone, held.total]).toEqual([1, 0]);
});

test('beyond the limit the owner who holds most lets go, of its largest first, and not whoever has the largest of all', () => {
  const held = createHeldBytes(100);
  const gone: string[] = [];
  const holder = (owner: string, name: string): Holder => ({ bytes: 0, place: -1, owner, overflow: () => gone.push(name) });
  held.set(holder('reader', 'r1'), 40);
  held.set(holder('hoarder', 'h1'), 20);
  held.set(holder('hoarder', 'h2'), 25);
  held.set(holder('hoarder', 'h3'), 15);
  expect(gone).toEqual([]);
  held.set(holder('hoarder', 'h4'), 10);
  expect(gone).toEqual(['h2']);
  held.set(holder('third', 't1'), 35);
  expect(gone).toEqual(['h2', 'h1']);
  expect(held.total).toBe(100);
});
