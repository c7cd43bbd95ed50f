import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import type { Bounds, Queries, Tx } from './database';
import { translated, unavailable } from './errors';
import { APP_ROLE, appPassword } from './roles';

interface PoolOptions {
  url: string;
  secret: string;
  size: number;
  timeoutMs: number;
}

export interface Pool {
  run<T>(work: (queries: Queries) => Promise<T>, bounds?: Bounds): Promise<T>;
  transaction<T>(work: (tx: Tx) => Promise<T>, bounds?: Bounds): Promise<T>;
  /** Over one connection that is for these alone, one after the other: the process behind it has its plans and its memory at hand. */
  statement(text: string, parameters: readonly string[]): Promise<void>;
  /** A client of its own with the same credentials, for LISTEN. The caller ends it. */
  dedicated(): postgres.Sql;
  close(): Promise<void>;
}

/**
 * postgres.js with an end to every wait. The server's statement time-out bounds a slow statement; a timer here
 * bounds what the server cannot: the queue for a connection, and a server that has gone mute. When a wait runs
 * out and nothing at all has come back for as long, the sockets are taken for dead and replaced.
 */
export function openPool({ url, secret, size, timeoutMs }: PoolOptions): Pool {
  const connect = (max: number) =>
    postgres(url, {
      username: APP_ROLE,
      password: appPassword(secret),
      max,
      connect_timeout: Math.max(1, Math.min(3, timeoutMs / 1000)),
      backoff: (retries) => Math.min(0.05 * 2 ** retries, 0.5) * (0.5 + Math.random() / 2),
      onnotice: () => {},
      connection: {
        application_name: 'ohm',
        statement_timeout: Math.floor(timeoutMs * 0.8),
        idle_in_transaction_session_timeout: timeoutMs * 2,
      },
    });

  let client = connect(size);
  let queries: Queries = drizzle(client);
  let carrier = connect(1);
  let lastAnswerAt = performance.now();
  let closed = false;

  const replace = () => {
    const old = [client, carrier];
    client = connect(size);
    queries = drizzle(client);
    carrier = connect(1);
    lastAnswerAt = performance.now();
    // Their waiters have given up already; the mute sockets are destroyed, not awaited.
    for (const each of old) each.end({ timeout: 0 }).catch(() => {});
  };

  const bounded = async <T>(limitMs: number, work: (expired: () => boolean) => Promise<T>): Promise<T> => {
    if (closed) throw unavailable();
    const used = client;
    let expired = false;
    let timer: NodeJS.Timeout | undefined;
    const giveUp = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        expired = true;
        if (used === client && !closed && performance.now() - lastAnswerAt >= limitMs) replace();
        reject(unavailable());
      }, limitMs);
    });
    try {
      const result = await Promise.race([work(() => expired), giveUp]);
      lastAnswerAt = performance.now();
      return result;
    } catch (error) {
      const public_ = translated(error);
      if (public_ === error && !expired) lastAnswerAt = performance.now(); // the server did answer
      throw public_;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    run: (work, bounds) => bounded(bounds?.timeoutMs ?? timeoutMs, () => work(queries)),
    transaction: (work, bounds) =>
      bounded(bounds?.timeoutMs ?? timeoutMs, (expired) =>
        queries.transaction(async (tx) => {
          if (bounds?.timeoutMs) await tx.execute(sql`select set_config('statement_timeout', ${String(bounds.timeoutMs)}, true)`);
          const result = await work(tx);
          // Whoever asked has been told that nothing was changed: so it shall be.
          if (expired()) throw unavailable();
          return result;
        }),
      ),
    statement: (text, parameters) =>
      bounded(timeoutMs, async () => {
        const query = carrier.unsafe(text, [...parameters]);
        // It outlives a few collections, and what it holds on to would pile up until a full one.
        await query.finally(() => Object.assign(query, { args: null, parameters: null }));
      }),
    dedicated: () => connect(1),
    close: async () => {
      closed = true;
      await Promise.all([client.end({ timeout: 5 }), carrier.end({ timeout: 5 })]);
    },
  };
}
