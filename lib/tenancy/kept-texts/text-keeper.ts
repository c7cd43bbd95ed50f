import { sql } from 'drizzle-orm';
import { type Database, withWorkspace } from '../../db';
import type { RewrittenText } from '../../savers';
import type { Keyring } from '../keyring';
import { sealTexts, type TextsOfCall } from './sealed-texts';

/** Keeps what savers changed, for keys that ask for it, and lets go of it when its time is over. */
export interface TextKeeper {
  /** Returns at once and never throws; what cannot be written is not kept. For after a call's end. */
  keep(call: { id: string; workspaceId: string; keyId: string }, texts: readonly RewrittenText[]): void;
  /** Lets go of everything whose time is over, now. */
  sweep(): Promise<void>;
  /** Resolves when everything was written. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface TextKeeperOptions {
  db: Database;
  keyring: Keyring;
  log: { warn(fields: object, message: string): void };
  /** How often it looks for what is over, ms. */
  everyMs?: number;
}

/** Of one call: more would hold everybody up while it is sealed. */
const MOST_CHARACTERS = 500_000;
/** Calls that wait for the database: more are not kept. */
const MOST_WAITING = 32;
/** What the sweep takes at a time. */
const A_SWEEP = 1_000;

export function createTextKeeper({ db, keyring, log, everyMs = 60_000 }: TextKeeperOptions): TextKeeper {
  const waiting = new Set<Promise<void>>();
  let failing = false;
  let sweeping: Promise<void> | null = null;
  const sweep = () => (sweeping ??= sweepAll().finally(() => (sweeping = null)));
  const timer = setInterval(() => void sweep(), everyMs);
  timer.unref();

  async function sweepAll(): Promise<void> {
    try {
      for (let swept = A_SWEEP; swept === A_SWEEP; ) {
        const [row] = await db.unscoped((queries) => queries.execute<{ n: number }>(sql`select ohm_sweep_kept_texts() as n`));
        swept = row!.n;
      }
    } catch {
      // The database is away: nothing of it can be read either, and the next look tries again.
    }
  }

  /** The key is asked once more, and held until this is written: whoever turned it off meanwhile has it empty, and it stays so. */
  async function write(call: { id: string; workspaceId: string; keyId: string }, sealed: string): Promise<void> {
    await withWorkspace(db, call.workspaceId, (tx) =>
      tx.execute(sql`
        insert into kept_texts (call_id, workspace_id, key_id, kept_at, expires_at, sealed)
        select ${call.id}, k.workspace_id, k.id, now(), now() + make_interval(days => k.keep_texts_days), ${sealed}
        from keys k where k.workspace_id = ${call.workspaceId} and k.id = ${call.keyId} and k.keep_texts_days is not null and k.revoked_at is null for share
        on conflict do nothing`),
    );
  }

  const failed = (error: unknown): void => {
    if (failing) return;
    failing = true;
    log.warn({ code: (error as { code?: string }).code ?? 'unknown' }, 'rewritten texts cannot be kept');
  };

  return {
    keep(call, texts) {
      if (waiting.size >= MOST_WAITING) return failed({ code: 'too_many' });
      try {
        const written = write(call, sealTexts(keyring, call, fitting(texts))).then(() => void (failing = false), failed);
        waiting.add(written);
        void written.finally(() => waiting.delete(written));
      } catch (error) {
        failed(error);
      }
    },
    sweep,
    async idle() {
      await Promise.all(waiting);
    },
    async close() {
      clearInterval(timer);
      await Promise.all([...waiting, sweeping]);
    },
  };
}

function fitting(texts: readonly RewrittenText[]): TextsOfCall {
  let characters = 0;
  const kept = texts.filter(({ before, after }) => {
    const fits = characters + before.length + after.length <= MOST_CHARACTERS;
    if (fits) characters += before.length + after.length;
    return fits;
  });
  return { texts: kept, leftOut: texts.length - kept.length };
}
