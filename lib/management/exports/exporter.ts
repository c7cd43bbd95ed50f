import { and, eq, sql } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { exportChunks, exports } from '../../db/schema';
import { callsBehind, type CallFilter, type Ledger } from '../../metering';
import { isRefusal } from '../../std';
import { headOf, linesOf } from './encode';
import { KEPT_DAYS, MOST_ROWS } from './verbs';

/** Writes exports, one at a time, beside the process's other work. */
export interface Exporter {
  /** Resolves when there is nothing left to write. For tests. */
  idle(): Promise<void>;
  /** Puts down what it is writing, for whoever comes next. */
  close(): Promise<void>;
}

export interface ExporterOptions {
  ledger: Ledger;
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
  /** How often it looks for work, ms. */
  everyMs?: number;
  /** Calls a page: what one turn of the event loop encodes. */
  pageRows?: number;
  /** A process that has not been heard of for so long is taken for dead, ms. */
  silenceMs?: number;
  mostRows?: number;
}

type Job = { id: string; workspace_id: string };

/** `gone`: it was deleted, or another process has taken it over meanwhile. */
type PageOutcome = 'more' | 'done' | 'gone';

export function startExporter({ ledger, log, everyMs = 2_000, pageRows = 250, silenceMs = 30_000, mostRows = MOST_ROWS }: ExporterOptions): Exporter {
  const { db } = ledger;
  let closed = false;
  let working: Promise<void> | null = null;
  const look = () => (working ??= work().finally(() => (working = null)));
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();

  async function work(): Promise<void> {
    try {
      for (let job = await claim(); job !== undefined && !closed; job = await claim()) await write(job);
    } catch {
      // The database is away: the ledger's drain says so, and the next look tries again.
    }
  }

  async function claim(): Promise<Job | undefined> {
    if (closed) return undefined;
    const [job] = await db.unscoped((queries) =>
      queries.execute<Job>(sql`select id, workspace_id from ohm_export_claim(make_interval(secs => ${silenceMs / 1000}::double precision), make_interval(days => ${KEPT_DAYS}))`),
    );
    return job;
  }

  async function write(job: Job): Promise<void> {
    const tries = await triesOf(job);
    try {
      for (let outcome: PageOutcome = 'more'; outcome === 'more'; ) {
        if (closed) return await putDown(job, tries);
        outcome = await page(job, tries);
        await new Promise((resolve) => setImmediate(resolve)); // calls first
      }
    } catch (error) {
      // Away for a moment: what is written stays, and whoever claims it next goes on behind it.
      if (isRefusal(error) && error.code === 'unavailable') throw error;
      log.error({ export: job.id, reason: String((error as Error)?.message ?? error) }, 'an export failed in our own code');
      await end(job, tries, { state: 'failed', error: 'It failed in our own code; the operator’s log says more.' });
    }
  }

  const mine = (job: Job, tries: number) => and(eq(exports.workspaceId, job.workspace_id), eq(exports.id, job.id), eq(exports.state, 'running'), eq(exports.tries, tries));

  async function triesOf(job: Job): Promise<number> {
    const [row] = await withWorkspace(db, job.workspace_id, (tx) => tx.select({ tries: exports.tries }).from(exports).where(eq(exports.id, job.id)));
    return row?.tries ?? 0;
  }

  /** One page of calls becomes one chunk, with the place behind it: both or neither. */
  function page(job: Job, tries: number): Promise<PageOutcome> {
    return withWorkspace(db, job.workspace_id, async (tx) => {
      const [row] = await tx.select().from(exports).where(mine(job, tries)).for('update');
      if (row === undefined) return 'gone';
      const room = mostRows - row.rows;
      const found = await callsBehind(tx, job.workspace_id, row.filter as CallFilter, row.cursor, Math.min(pageRows, room));
      const first = row.cursor === null && row.rows === 0;
      const data = Buffer.from((first ? headOf(row.format) : '') + linesOf(row.format, found.calls));
      const [last] = await tx.execute<{ seq: number }>(sql`select coalesce(max(seq), 0) as seq from export_chunks where export_id = ${job.id}`);
      if (data.length > 0) await tx.insert(exportChunks).values({ workspaceId: job.workspace_id, exportId: job.id, seq: last!.seq + 1, data });
      const rows = row.rows + found.calls.length;
      const done = found.next === null || rows >= mostRows;
      await tx
        .update(exports)
        .set({
          rows, bytes: row.bytes + data.length, cursor: found.next, seenAt: sql`now()`,
          ...(done ? { state: 'finished' as const, capped: found.next !== null, finishedAt: sql`now()` } : {}),
        })
        .where(mine(job, tries));
      return done ? 'done' : 'more';
    });
  }

  async function putDown(job: Job, tries: number): Promise<void> {
    await withWorkspace(db, job.workspace_id, (tx) => tx.update(exports).set({ state: 'queued', tries: tries - 1 }).where(mine(job, tries)));
  }

  async function end(job: Job, tries: number, change: { state: 'failed'; error: string }): Promise<void> {
    await withWorkspace(db, job.workspace_id, (tx) => tx.update(exports).set({ ...change, finishedAt: sql`now()` }).where(mine(job, tries)));
  }

  return {
    idle: () => look(),
    async close() {
      closed = true;
      clearInterval(timer);
      await working;
    },
  };
}
