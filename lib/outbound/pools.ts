import type { Pool } from 'undici';

/** One pool an origin and guard, at most MAX_ORIGINS of them; idle ones are closed. */
export function createPools(create: (origin: string, guard: 'public' | 'sandbox') => Pool) {
  const entries = new Map<string, PoolEntry>();
  let uses = 0;
  let sweep: NodeJS.Timeout | null = null;

  function take(origin: string, guard: 'public' | 'sandbox'): PoolEntry {
    const key = `${guard} ${origin}`; // a pool without guard must never serve a guarded request
    const entry = entries.get(key) ?? added(key, create(origin, guard));
    entry.active++;
    entry.usedAt = ++uses;
    sweep ??= setInterval(closeIdle, IDLE_MS).unref();
    return entry;
  }

  function added(key: string, pool: Pool): PoolEntry {
    if (entries.size >= MAX_ORIGINS) closeLongestUnused();
    const entry = { pool, key, active: 0, usedAt: 0, idleSinceMs: 0 };
    entries.set(key, entry);
    return entry;
  }

  function give(entry: PoolEntry): void {
    entry.active--;
    entry.idleSinceMs = performance.now();
  }

  function closeLongestUnused(): void {
    let longest: PoolEntry | null = null;
    for (const entry of entries.values()) if (entry.active === 0 && (longest === null || entry.usedAt < longest.usedAt)) longest = entry;
    if (longest !== null) close(longest);
  }

  function closeIdle(): void {
    const now = performance.now();
    for (const entry of entries.values()) if (entry.active === 0 && now - entry.idleSinceMs > IDLE_MS) close(entry);
  }

  function close(entry: PoolEntry): void {
    entries.delete(entry.key);
    void entry.pool.close();
  }

  return {
    take,
    give,
    async close() {
      if (sweep !== null) clearInterval(sweep);
      sweep = null;
      await Promise.all([...entries.values()].map((entry) => entry.pool.destroy()));
      entries.clear();
    },
  };
}

const MAX_ORIGINS = 256;
const IDLE_MS = 90_000;

interface PoolEntry {
  pool: Pool;
  key: string;
  active: number;
  /** Which use of any pool its last one was. */
  usedAt: number;
  idleSinceMs: number;
}
