import type { Clock } from '../std';
import type { StoreSettings } from '../std/env';
import { guarded, type GuardOptions } from './guard';
import { memoryStore } from './memory';
import { redisStore } from './redis';
import type { Store } from './store';
import { upstashStore } from './upstash';

/** How long the start waits for the first look at a store, ms. A store that is away does not keep the product from starting. */
const FIRST_LOOK_MS = 1_500;

/** Ports of the store that no upstream may have on this machine's side: the default one only where it is Redis's own. */
export function storePorts(settings: StoreSettings): number[] {
  if (settings.kind === 'memory') return [];
  const { port } = new URL(settings.url);
  if (settings.kind === 'redis') return [Number(port || 6379)];
  return port === '' ? [] : [Number(port)];
}

/** The store that the operator configured; in this process where there is none. Never rejects. */
export async function openStore(settings: StoreSettings, { clock, onChange }: { clock: Clock } & Pick<GuardOptions, 'onChange'>): Promise<Store> {
  if (settings.kind === 'memory') return memoryStore(clock, settings.bytes);
  const store = guarded(settings.kind === 'redis' ? await redisStore(settings.url) : upstashStore(settings.url, settings.token), onChange ? { onChange } : {});
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([store.ready, new Promise((resolve) => (timer = setTimeout(resolve, FIRST_LOOK_MS)))]);
  clearTimeout(timer);
  return store;
}
