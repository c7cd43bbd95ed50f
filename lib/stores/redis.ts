import { keepStringMethodsFast } from './fast-strings';
import type { Script, Store } from './store';

/** A command that has had no answer for this long takes its connection with it, ms: nothing piles up behind a server gone mute. */
const MUTE_MS = 1_000;
const CONNECT_MS = 1_000;

type Command = (keyCount: number, ...args: (string | number)[]) => Promise<unknown>;

/** Somebody who waits for a value. */
interface Waiter {
  resolve(value: string | null): void;
  reject(error: unknown): void;
}

/**
 * Redis over TCP, on one connection. Commands are never queued while it is away and never sent twice: whoever
 * asks hears at once that there is no answer. Connects by itself, again and again.
 */
export async function redisStore(url: string): Promise<Store> {
  keepStringMethodsFast();
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    protocol: 2,
    connectTimeout: CONNECT_MS,
    socketTimeout: MUTE_MS,
    commandTimeout: MUTE_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(100 * times, 2_000),
    connectionName: 'ohm',
  });
  redis.on('error', () => undefined); // every command that it costs fails, and the breaker says so
  const defined = new Set<string>();

  const command = (script: Script): Command => {
    if (!defined.has(script.name)) {
      defined.add(script.name);
      redis.defineCommand(script.name, { lua: script.lua });
    }
    return (redis as unknown as Record<string, Command>)[script.name]!.bind(redis);
  };

  /** Connecting is under way, or its attempt is about to be made: with a queue forbidden, commands have to wait for it here. */
  const connected = (): Promise<void> => {
    if (redis.status === 'ready') return Promise.resolve();
    return new Promise((resolve, reject) => {
      const settle = (ready: boolean) => () => {
        redis.off('ready', onReady).off('close', onClose);
        if (ready) resolve();
        else reject(new Error('the connection could not be made'));
      };
      const [onReady, onClose] = [settle(true), settle(false)];
      redis.on('ready', onReady).on('close', onClose);
    });
  };

  /**
   * What is asked for in one turn of the event loop goes in one command, and once: a command each costs more than all
   * the rest of serving a stored answer, and an answer that many ask for at a time is long.
   */
  let wanted = new Map<string, Waiter[]>();
  const fetchWanted = (): void => {
    const waiting = [...wanted.values()];
    const keys = [...wanted.keys()];
    wanted = new Map();
    redis.mget(keys).then(
      (values) => waiting.forEach((those, at) => those.forEach(({ resolve }) => resolve(values[at] ?? null))),
      (error: unknown) => waiting.forEach((those) => those.forEach(({ reject }) => reject(error))),
    );
  };

  return {
    kind: 'redis',
    up: true,
    get: (key) =>
      new Promise((resolve, reject) => {
        const others = wanted.get(key);
        if (others !== undefined) return void others.push({ resolve, reject });
        if (wanted.set(key, [{ resolve, reject }]).size === 1) setImmediate(fetchWanted);
      }),
    set: async (key, value, ttlMs) => void (await redis.set(key, value, 'PX', Math.max(1, Math.ceil(ttlMs)))),
    delete: async (keys) => {
      if (keys.length > 0) await redis.del(...keys);
    },
    run: async (script, keys, args) => ((await command(script)(keys.length, ...keys, ...args)) as unknown[]).map(Number),
    ping: async () => {
      await connected();
      await redis.ping();
    },
    close: async () => redis.disconnect(),
  };
}
