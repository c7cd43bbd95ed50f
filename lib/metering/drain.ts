import { DependencyUnavailable } from '../gateway/ports';
import type { Clock } from '../std';
import type { Backlog } from './backlog';
import type { Entry } from './entry';
import type { Journal } from './journal';
import type { Log } from './log';
import { BATCH_ROWS, deliver, type RowStore } from './deliver';

/** Carries ended calls from the backlog into PostgreSQL, in batches, for as long as it takes. */
export interface Drain {
  /** There is something new. Cheap: the hot path calls it for every call. */
  nudge(): void;
  /** Starts at once instead of waiting for more. */
  hurry(): void;
  /** Resolves to true when everything taken in until now is in PostgreSQL, to false after `boundMs`. */
  flush(boundMs: number): Promise<boolean>;
  /** Resolves when this many entries (of those ever taken in) are in PostgreSQL; rejects with DependencyUnavailable after `boundMs`. */
  reached(count: number, boundMs: number): Promise<void>;
  /** Since when PostgreSQL has not taken a batch; null while it does. Monotonic ms. */
  failingSince(): number | null;
  /** Gives PostgreSQL this long for the rest, then stops. */
  close(boundMs: number): Promise<void>;
}

export interface DrainOptions {
  backlog: Backlog;
  journal: Journal | null;
  store: RowStore;
  clock: Clock;
  log: Log;
  refuse: (entry: Entry, error: unknown) => void;
  /** How long the first row of a batch waits for others, ms; three times as long while they come so fast that a batch fills. */
  lingerMs?: number;
}

const BATCH_BYTES = 4 * 1024 * 1024;
/** So many rows after the first wait: a full batch will have come after the third. */
const FAST_ROWS = BATCH_ROWS / 4;
const MOST_WAITS = 3;

export function startDrain(options: DrainOptions): Drain {
  const { backlog, journal, store, clock, log, refuse, lingerMs = 80 } = options;
  const waiters = new Set<{ count: number; done: (reached: boolean) => void }>();
  let timer: NodeJS.Timeout | null = null;
  let waits = 0;
  let running = false;
  let closed = false;
  let failures = 0;
  let failingSince: number | null = null;

  const later = (ms: number) => {
    if (timer !== null || running || closed) return;
    timer = setTimeout(run, ms);
    timer.unref();
  };
  const hurry = () => {
    if (running || closed || failures > 0) return; // while PostgreSQL is away the back-off rules
    if (timer !== null) clearTimeout(timer);
    timer = null;
    running = true;
    queueMicrotask(() => void work()); // whatever else ends in this turn goes along
  };
  const run = () => {
    timer = null;
    if (running || closed) return;
    if (failures === 0 && ++waits < MOST_WAITS && backlog.held() >= FAST_ROWS && backlog.held() < BATCH_ROWS) return later(lingerMs);
    running = true;
    void work();
  };

  async function work(): Promise<void> {
    let pause = 0;
    waits = 0;
    try {
      for (;;) {
        // After failures in small pieces: a batch that is too much for a slow server must not be tried for ever.
        const batch = await backlog.peek(failures > 2 ? Math.ceil(BATCH_ROWS / 10) : BATCH_ROWS, BATCH_BYTES);
        if (batch.length === 0) break;
        await deliver(store, batch, refuse);
        backlog.delivered(batch.length);
        succeeded();
        // The tail waits for company, unless someone waits for it.
        if (!closed && waiters.size === 0 && backlog.held() < BATCH_ROWS && !backlog.spilled()) break;
      }
      journal?.compact();
    } catch (error) {
      failed(error);
      pause = Math.min(50 * 2 ** failures, 2_000) * (0.8 + Math.random() / 5);
    }
    running = false;
    if (pause > 0) later(pause);
    else if (backlog.held() > 0 || backlog.spilled()) waiters.size > 0 ? hurry() : later(lingerMs);
  }

  function succeeded(): void {
    if (failures > 0) log.info({ behind: backlog.accepted() - backlog.deliveredTotal() }, 'ledger rows are taken again');
    failures = 0;
    failingSince = null;
    for (const waiter of waiters) if (waiter.count <= backlog.deliveredTotal()) waiter.done(true);
  }

  function failed(error: unknown): void {
    if (failures === 0) log.warn({ reason: String((error as Error)?.message ?? error) }, 'ledger rows are not taken; they are kept until they are');
    failures = Math.min(failures + 1, 20);
    failingSince ??= clock.monotonic();
  }

  function wait(count: number, boundMs: number): Promise<boolean> {
    if (backlog.deliveredTotal() >= count) return Promise.resolve(true);
    return new Promise((resolve) => {
      const bound = setTimeout(() => waiter.done(false), boundMs);
      const waiter = {
        count,
        done: (reached: boolean) => {
          clearTimeout(bound);
          waiters.delete(waiter);
          resolve(reached);
        },
      };
      waiters.add(waiter);
      hurry();
    });
  }

  return {
    nudge() {
      if (running) return;
      if (timer === null) later(lingerMs);
      else if (backlog.held() >= BATCH_ROWS && failures === 0) hurry();
    },
    hurry,
    flush: (boundMs) => wait(backlog.accepted(), boundMs),
    async reached(count, boundMs) {
      if (!(await wait(count, boundMs))) throw new DependencyUnavailable('the ledger row is not in the database yet');
    },
    failingSince: () => failingSince,
    async close(boundMs) {
      await wait(backlog.accepted(), boundMs);
      closed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
