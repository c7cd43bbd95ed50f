import { expect, test } from 'vitest';
import { IdTable } from './id-table';
import { newId } from './id';

test('does what a Map does, through thousands of random steps', () => {
  const table = new IdTable<number>(4);
  const map = new Map<string, number>();
  const ids = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? newId('call') : `id-${at}`));
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  for (let step = 0; step < 50_000; step++) {
    const id = ids[random(step % 20_000 < 10_000 ? ids.length : 9)]!; // now many, now few
    if (random(2) === 0) {
      table.set(id, step);
      map.set(id, step);
    } else {
      expect(table.take(id)).toBe(map.get(id));
      map.delete(id);
    }
    expect(table.size).toBe(map.size);
  }
  for (const id of ids) expect(table.get(id)).toBe(map.get(id));
});
