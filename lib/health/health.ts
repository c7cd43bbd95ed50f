import type { ConnectionConfig, Health } from '../gateway/ports';
import type { Clock } from '../std';
import { type CoolDown, coolDownAfter, gateOf } from './cool-down';

/** A rejected credential benches its whole connection until it is edited, at most this long. */
const AUTH_MS = 5 * 60_000;
const MAX_PAIRS = 50_000;
/** A probe whose outcome nobody reported frees its slot after this long. */
const PROBE_MS = 15 * 60_000;

/**
 * Health of connection + model pairs, in this process. Keys begin with the connection's id, which belongs to
 * one workspace: what one tenant's credential meets never touches another's.
 */
export function createHealth(clock: Clock, random: () => number): Health {
  const pairs = new Map<string, CoolDown & { probeSince: number }>();
  const rejected = new Map<string, { revision: number; until: number }>();

  const credentialRejected = (connection: ConnectionConfig, now: number): boolean => {
    const entry = rejected.get(connection.id);
    if (!entry) return false;
    if (entry.revision === connection.revision && now < entry.until) return true;
    rejected.delete(connection.id);
    return false;
  };

  const gate = (connection: ConnectionConfig, model: string, budgetMs: number) => {
    const now = clock.monotonic();
    if (credentialRejected(connection, now)) return 'closed';
    const pair = pairs.get(keyOf(connection, model));
    if (pair?.probing && now - pair.probeSince > PROBE_MS) pair.probing = false;
    return gateOf(pair, budgetMs, now);
  };

  return {
    available: (connection, model, budgetMs) => gate(connection, model, budgetMs) !== 'closed',
    benched(connection, model, budgetMs) {
      if (gate(connection, model, budgetMs) !== 'closed') return null;
      const now = clock.monotonic();
      const entry = rejected.get(connection.id);
      if (entry !== undefined) return { why: 'credential_rejected', forMs: entry.until - now };
      const { until } = pairs.get(keyOf(connection, model))!;
      return now < until ? { why: 'cooling_down', forMs: until - now } : { why: 'probed', forMs: null };
    },
    admit(connection, model, budgetMs) {
      const state = gate(connection, model, budgetMs);
      if (state === 'half_open') {
        const pair = pairs.get(keyOf(connection, model))!;
        pair.probing = true;
        pair.probeSince = clock.monotonic();
      }
      return state !== 'closed';
    },
    failed(connection, model, failure, budgetMs) {
      const now = clock.monotonic();
      if (failure.class === 'auth' && failure.upstreamStatus === 401) {
        rejected.set(connection.id, { revision: connection.revision, until: now + AUTH_MS });
        return;
      }
      const key = keyOf(connection, model);
      const before = pairs.get(key) ?? null;
      pairs.delete(key);
      if (pairs.size >= MAX_PAIRS) pairs.delete(pairs.keys().next().value!); // the one that failed longest ago
      pairs.set(key, { ...coolDownAfter(before, failure, budgetMs, now, random()), probeSince: now });
    },
    succeeded(connection, model) {
      if (pairs.size > 0) pairs.delete(keyOf(connection, model));
      if (rejected.size > 0) rejected.delete(connection.id);
    },
    abandoned(connection, model) {
      const pair = pairs.get(keyOf(connection, model));
      if (pair) pair.probing = false;
    },
  };
}

const keyOf = (connection: ConnectionConfig, model: string): string => `${connection.id}\n${model}`;
