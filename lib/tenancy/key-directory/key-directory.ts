import { hash as digest } from 'node:crypto';
import type { Database } from '../../db';
import { DependencyUnavailable, type Caller, type KeyDirectory } from '../../gateway/ports';
import { isRefusal, type Clock } from '../../std';
import type { Keyring } from '../keyring';
import { isWellFormedToken } from '../token';
import { createCallerReader } from './read-caller';
import { createUseRecorder } from './record-uses';

export interface CachedKeyDirectory extends KeyDirectory {
  /** How much longer this answer of `find` may be used, ms; 0 when it is no longer the current one. */
  freshForMs(caller: Caller): number;
  /** Writes the uses not yet recorded and stops. */
  close(): Promise<void>;
}

export interface KeyDirectoryOptions {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  /** No answer is older than this: the promise of revocation when notifications fail. Refreshed from half of it on. */
  ttlMs?: number;
  /** Bound on what is kept: callers, and as many absent tokens. */
  maxEntries?: number;
  /** False: rely on the time to live alone, as when notifications are cut off. */
  listen?: boolean;
}

interface Entry {
  caller: Caller;
  /** Monotonic, of the moment before the database was asked. */
  readAt: number;
  recordedAt: number;
}

/** Questions to the database at the same time; beyond it the answer is 503, so that a flood of junk stays bounded. */
const MAX_READS = 1_000;

/**
 * Callers by token. A hot hit costs one SHA-256 and one map look-up, synchronously. What is kept is dropped at
 * once when the database announces a change of its workspace, and never used past `ttlMs`: a key revoked in one
 * process stops working in every other within that time even when no announcement arrives.
 *
 * Keyed by the whole hash of the token: a part of it would let two tokens meet.
 */
export function createKeyDirectory(options: KeyDirectoryOptions): CachedKeyDirectory {
  const { db, keyring, clock, ttlMs = 4_000, maxEntries = 10_000 } = options;
  const entries = new Map<string, Entry>();
  const hashes = new WeakMap<Caller, string>();
  const absent = new Map<string, number>();
  const reads = new Map<string, Promise<Caller | null>>();
  const changes = createChangeLog(clock);
  const reader = createCallerReader(db, keyring, maxEntries);
  const uses = createUseRecorder(db, maxEntries);

  const find = (token: string): Caller | null | Promise<Caller | null> => {
    const hash = digest('sha256', token, 'hex');
    const entry = entries.get(hash);
    const now = clock.monotonic();
    if (entry && now - entry.readAt < ttlMs) {
      if (now - entry.readAt >= ttlMs / 2 && !reads.has(hash)) refresh(hash);
      return admit(entry);
    }
    if (!isWellFormedToken(token, 'sk')) return null;
    const absentSince = absent.get(hash);
    if (absentSince !== undefined && now - absentSince < ttlMs) return null;
    return read(hash).then((caller) => (caller ? admit(entries.get(hash) ?? { caller, readAt: now, recordedAt: -Infinity }) : null));
  };

  /** The expiry may have passed since the database was asked. */
  const admit = (entry: Entry): Caller | null => {
    const { key } = entry.caller;
    const now = clock.now();
    if (key.expiresAt !== null && key.expiresAt <= now) return null;
    if (now - entry.recordedAt >= 60_000) {
      entry.recordedAt = now;
      uses.record(key.id, now);
    }
    return entry.caller;
  };

  const refresh = (hash: string): void => {
    // Its failure is not this call's: the entry serves until its time is over, then the caller hears of it.
    read(hash).catch(() => {});
  };

  /** One question at a time for each token, whoever asks. */
  const read = (hash: string): Promise<Caller | null> => {
    const running = reads.get(hash);
    if (running) return running;
    if (reads.size >= MAX_READS) return Promise.reject(new DependencyUnavailable('too many keys are being looked up at once'));
    const promise = readCurrent(hash).finally(() => reads.delete(hash));
    reads.set(hash, promise);
    return promise;
  };

  /** What changed while the database was being asked may be missing from its answer: then it is asked again. */
  const readCurrent = async (hash: string): Promise<Caller | null> => {
    for (let round = 1; ; round++) {
      const readAt = clock.monotonic();
      const caller = await askDatabase(() => reader.read(hash));
      const current = !changes.since(readAt, caller?.workspace.id ?? null);
      if (!current && round < 3) continue;
      if (current) keep(hash, caller, readAt);
      else entries.delete(hash); // an answer of old that nobody may keep
      return caller;
    }
  };

  const keep = (hash: string, caller: Caller | null, readAt: number): void => {
    const recordedAt = entries.get(hash)?.recordedAt ?? -Infinity;
    entries.delete(hash); // and in again at the end: the first of the map is the longest unused
    absent.delete(hash);
    if (caller) {
      entries.set(hash, { caller, readAt, recordedAt });
      hashes.set(caller, hash);
    } else absent.set(hash, readAt);
    shed(entries, maxEntries);
    shed(absent, maxEntries);
  };

  const stopListening =
    options.listen === false
      ? () => {}
      : db.onConfigChange((workspaceId) => {
          changes.note(workspaceId);
          absent.clear();
          if (workspaceId === null) return entries.clear();
          for (const [hash, entry] of entries) if (entry.caller.workspace.id === workspaceId) entries.delete(hash);
        });

  return {
    find,
    freshForMs(caller) {
      const entry = entries.get(hashes.get(caller) ?? '');
      return entry?.caller === caller ? Math.max(0, ttlMs - (clock.monotonic() - entry.readAt)) : 0;
    },
    close: async () => {
      stopListening();
      await uses.close();
    },
  };
}

async function askDatabase<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (isRefusal(error) && error.code === 'unavailable') throw new DependencyUnavailable('the database cannot answer');
    throw error;
  }
}

/** When each workspace last changed, as far back as a question to the database may last. */
function createChangeLog(clock: Clock) {
  const byWorkspace = new Map<string, number>();
  let lastOfAny = -Infinity;
  let lastOfAll = -Infinity;
  return {
    note(workspaceId: string | null): void {
      const now = clock.monotonic();
      lastOfAny = now;
      if (workspaceId === null) {
        lastOfAll = now;
        byWorkspace.clear();
        return;
      }
      byWorkspace.delete(workspaceId);
      byWorkspace.set(workspaceId, now);
      for (const [id, at] of byWorkspace) {
        if (now - at < 60_000) break;
        byWorkspace.delete(id);
      }
    },
    /** Has this workspace changed at or after that moment? Null (nobody's token): has any? */
    since(moment: number, workspaceId: string | null): boolean {
      const last = workspaceId === null ? lastOfAny : Math.max(lastOfAll, byWorkspace.get(workspaceId) ?? -Infinity);
      return last >= moment;
    },
  };
}

function shed(map: Map<string, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}
