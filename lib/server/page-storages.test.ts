import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { quietPageStorages } from './page-storages';

test('storages are off once no page is made any more, and whole again for the next page', async () => {
  const storage = new AsyncLocalStorage<string>();
  const storages = quietPageStorages(20);
  const pageEnds = [storages.pageBegins(), storages.pageBegins()];
  let seen: string | undefined;
  const watch = storage.run('first', () => setInterval(() => (seen = storage.getStore()), 1));
  try {
    pageEnds[0]!();
    pageEnds[0]!(); // says it twice, counts once
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(seen).toBe('first');
    pageEnds[1]!();
    await expect.poll(() => seen).toBe(undefined);
  } finally {
    clearInterval(watch);
  }
  const ends = storages.pageBegins();
  await storage.run('second', async () => {
    await new Promise(setImmediate);
    expect(storage.getStore()).toBe('second');
  });
  ends();
});
