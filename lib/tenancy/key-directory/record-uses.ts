import { sql } from 'drizzle-orm';
import type { Database } from '../../db';

export interface UseRecorder {
  /** `atMs`: since the epoch. */
  record(keyId: string, atMs: number): void;
  close(): Promise<void>;
}

/** Long enough to gather the keys of a busy moment, short enough that a first use shows at once. */
const GATHER_MS = 1_000;

/** Writes when keys were used, many in one statement. Nothing waits for it; what cannot be written now is tried again. */
export function createUseRecorder(db: Database, maxPending: number): UseRecorder {
  const pending = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const schedule = (delayMs: number) => {
    if (timer || closed) return;
    timer = setTimeout(() => {
      timer = null;
      void flush();
    }, delayMs);
    timer.unref();
  };

  const flush = async (): Promise<void> => {
    if (pending.size === 0) return;
    const uses = [...pending].map(([id, at_ms]) => ({ id, at_ms }));
    pending.clear();
    try {
      await db.unscoped((queries) => queries.execute(sql`select ohm_touch_keys(${JSON.stringify(uses)}::jsonb)`));
    } catch {
      // A courtesy figure: worth another try, not an alarm. The gateway reports the database's absence itself.
      for (const { id, at_ms } of uses) if (!pending.has(id) && pending.size < maxPending) pending.set(id, at_ms);
      schedule(GATHER_MS * 10);
    }
  };

  return {
    record(keyId, atMs) {
      if (pending.size >= maxPending && !pending.has(keyId)) return;
      pending.set(keyId, atMs);
      schedule(GATHER_MS);
    },
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      await flush();
    },
  };
}
