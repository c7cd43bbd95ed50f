import type { Pool } from 'undici';

/** One pool an origin and guard, at most MAX_ORIGINS of them; idle ones are closed. */
export function createPools(create: (origin: string, guard: 'public' | 'sandbox') => Pool) {
  const entries = new Map<string, PoolEntry>(); // in order of use, the longest unused first
  let sweep: NodeJS.Timeout | null = null;

  function take(origin: string, guard: 'public' | 'sandbox'): PoolEntry {
    const key = `${guard} ${origin}`; // a pool without guard must never serve a guarded request
    const entry = entries.get(key) ?? { pool: create(origin, guard), key, active: 0, idleSinceMs: 0 };
    entries.delete(key);
    entries.set(key, entry);
    entry.active++;
    if (entries.size > MAX_ORIGINS) close((other) => other.active === 0, 1);
    sweep ??= setInterval(() => close((other) => other.active === 0 && performance.now() - other.idleSinceMs > IDLE_MS), IDLE_MS).unref();
    return entry;
  }

  function give(entry: PoolEntry): void {
    entry.active--;
    entry.idleSinceMs = performance.now();
  }

  function close(which: (entry: PoolEntry) => boolean, most = Infinity): void {
    for (const entry of entries.values()) {
      if (most <= 0) break;
      if (!which(entry)) continue;
      most--;
      entries.delete(entry.key);
      void entry.pool.close();
    }
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
  idleSinceMs: number;
}
