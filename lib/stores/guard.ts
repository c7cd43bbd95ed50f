import { deadlines } from './deadlines';
import { type Later, type Store, STORE_BOUND_MS, StoreUnavailable } from './store';

export interface GuardOptions {
  boundMs?: number;
  /** Failures in a row that open the breaker. */
  threshold?: number;
  /** First wait between two looks at a store that is away, ms; doubles up to `maxProbeMs`. */
  probeMs?: number;
  maxProbeMs?: number;
  /** It went away, or came back. */
  onChange?(up: boolean): void;
}

export interface GuardedStore extends Store {
  /** Resolves after the first look at the store, however it went. */
  ready: Promise<void>;
}

/** A look begins with a question that may take this long, ms: connections are made then, not while a call waits. */
const WARM_UP_MS = 1_000;

/**
 * A store that may be slow or away. Every question is bounded; after a few in a row without an answer the breaker
 * opens, and from then on nobody waits: `up` is false and questions are refused at once. A look in the background
 * closes it again, when the store answers as quickly as it must.
 *
 * It begins open, with a first look: a store that is not there costs the first calls nothing.
 */
export function guarded(store: Store, options: GuardOptions = {}): GuardedStore {
  const { boundMs = STORE_BOUND_MS, threshold = 3, probeMs = 250, maxProbeMs = 5_000, onChange } = options;
  let up = false;
  let failures = 0;
  let lastFailureAt = -Infinity;
  let wait = probeMs;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  /** Questions that were asked together and failed together have met one failure, not many. */
  const failed = (askedAt: number): void => {
    if (!up || askedAt < lastFailureAt) return;
    lastFailureAt = performance.now();
    if (++failures < threshold) return;
    up = false;
    wait = probeMs;
    onChange?.(false);
    schedule();
  };

  const schedule = (): void => {
    if (closed) return;
    timer = setTimeout(() => void look(), wait);
    timer.unref();
    wait = Math.min(wait * 2, maxProbeMs);
  };

  const look = async (): Promise<void> => {
    try {
      await bounded(store.ping(), WARM_UP_MS);
      await bounded(store.ping(), boundMs);
    } catch {
      return schedule(); // still away; nobody waits for it
    }
    if (closed) return;
    up = true;
    failures = 0;
    wait = probeMs;
    onChange?.(true);
  };

  const bounds = deadlines(boundMs);

  const ask = <T>(question: () => Later<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!up) return reject(new StoreUnavailable('the store is away'));
      const askedAt = performance.now();
      const answer = question();
      if (!(answer instanceof Promise)) return resolve(answer);
      const open = bounds.begin(() => {
        failed(askedAt);
        reject(new StoreUnavailable(`no answer within ${boundMs} ms`));
      });
      answer.then(
        (value) => {
          if (open.over) return;
          open.over = true;
          failures = 0;
          resolve(value);
        },
        (error: unknown) => {
          if (open.over) return;
          open.over = true;
          if (isReply(error)) return reject(error); // an answer, and a quick one
          failed(askedAt);
          reject(new StoreUnavailable('the store cannot be reached'));
        },
      );
    });

  return {
    kind: store.kind,
    get up() {
      return up;
    },
    get: (key) => ask(() => store.get(key)),
    set: (key, value, ttlMs) => ask(() => store.set(key, value, ttlMs)),
    delete: (keys) => ask(() => store.delete(keys)),
    run: (script, keys, args) => ask(() => store.run(script, keys, args)),
    ping: () => ask(() => store.ping()),
    ready: look(),
    close: async () => {
      closed = true;
      up = false;
      clearTimeout(timer);
      await store.close();
    },
  };
}

async function bounded<T>(answer: Later<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new StoreUnavailable(`no answer within ${ms} ms`))), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** ioredis and @upstash/redis name the errors that Redis itself replied with. */
const isReply = (error: unknown): boolean => error instanceof Error && (error.name === 'ReplyError' || error.name === 'UpstashError');
