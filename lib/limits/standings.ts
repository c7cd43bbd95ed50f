import type { Asked, Counters } from './counters';
import { addCounted } from './gate';
import type { Limits } from './limits';

/** How one rate of a key or a workspace stands. */
export interface Standing {
  kind: 'requests_per_minute' | 'tokens_per_minute' | 'concurrent_calls';
  limit: number;
  /** Null when what processes share cannot be asked. */
  left: number | null;
  /** Ms until it is whole again; null for calls in flight, which end when they end, and where `left` is null. */
  wholeInMs: number | null;
}

export interface Standings {
  /** Every rate of these limits; takes nothing. Without a shared store: of this process alone. */
  of(id: string, limits: Limits): Promise<Standing[]>;
}

export function createStandings(counters: Counters): Standings {
  return {
    async of(id, limits) {
      const asked: Pick<Asked, 'buckets' | 'places'> = { buckets: [], places: [] };
      addCounted(asked, id, limits, 1);
      if (asked.buckets.length + asked.places.length === 0) return [];
      const seen = await Promise.resolve(counters.look(asked)).catch(() => null); // the store is away, and says so elsewhere
      const rates = asked.buckets.map(({ kind, limit }, at): Standing => {
        const take = seen?.takes[at];
        return { kind: `${kind}_per_minute`, limit, left: take?.remaining ?? null, wholeInMs: take?.resetMs ?? null };
      });
      const places = asked.places.map(({ limit }, at): Standing => ({ kind: 'concurrent_calls', limit, left: seen === null ? null : Math.max(0, limit - seen.open[at]!), wholeInMs: null }));
      return [...rates, ...places];
    },
  };
}
