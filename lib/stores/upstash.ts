import { Redis } from '@upstash/redis';
import type { Script, Store } from './store';

/** A request that has had no answer for this long is given up, ms: nothing piles up behind a server gone mute. */
const MUTE_MS = 1_000;

/** Redis over Upstash's REST interface, for hosts without a connection of their own that lasts. Several times the work of TCP. */
export function upstashStore(url: string, token: string): Store {
  const redis = new Redis({
    url,
    token,
    automaticDeserialization: false, // texts come back as the texts they were
    enableAutoPipelining: false,
    enableTelemetry: false,
    readYourWrites: true,
    retry: { retries: 0, backoff: () => 0 },
    keepAlive: false, // fetch's own word for "after the page is gone": caps bodies at 64 KiB
    // A function: of a signal alone the client makes an abort into an answer that reads "Aborted".
    signal: () => AbortSignal.timeout(MUTE_MS),
  });
  const scripts = new Map<string, { exec(keys: string[], args: string[]): Promise<unknown[]> }>();

  const prepared = (script: Script) => {
    let known = scripts.get(script.name);
    if (known === undefined) scripts.set(script.name, (known = redis.createScript<unknown[]>(script.lua)));
    return known;
  };

  return {
    kind: 'upstash',
    up: true,
    get: (key) => redis.get<string>(key),
    set: async (key, value, ttlMs) => void (await redis.set(key, value, { px: Math.max(1, Math.ceil(ttlMs)) })),
    delete: async (keys) => {
      if (keys.length > 0) await redis.del(...keys);
    },
    run: async (script, keys, args) => (await prepared(script).exec([...keys], args.map(String))).map(Number),
    ping: async () => void (await redis.ping()),
    close: async () => undefined, // each request is its own
  };
}
