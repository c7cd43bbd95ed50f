import { setTimeout } from 'node:timers/promises';
import { deliverNext, type DeliverOptions } from './deliver';
import { lookAtWorkspace, nextWorkspace } from './look';

/** Watches and tells, beside the process's other work. Every process that serves does; the database sees to it that each thing is done by one. */
export interface Alerts {
  /** Resolves when nothing is due any more. For tests. */
  idle(): Promise<void>;
  /** Gives the tries that are under way a moment to end; what is left waits for another process, and may then arrive twice. */
  close(): Promise<void>;
}

export interface AlertsOptions extends DeliverOptions {
  /** Origin of the dashboard, for links in messages. */
  publicUrl: string;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  /** How often it asks what is due, ms. */
  everyMs?: number;
}

/** Messages under way at a time: a receiver that hangs must not hold up the rest. */
const SENDERS = 4;

export function startAlerts(options: AlertsOptions): Alerts {
  const { db, clock, log, publicUrl, everyMs = 2_000 } = options;
  let closed = false;
  const report = (error: unknown, ruleId: string) => log.error({ rule: ruleId, reason: reasonOf(error) }, 'an alert could not be evaluated');

  async function look(): Promise<void> {
    while (!closed) {
      const workspaceId = await nextWorkspace(db);
      if (workspaceId === null) return;
      await lookAtWorkspace({ db, publicUrl, report }, workspaceId, new Date(clock.now()));
    }
  }

  async function send(): Promise<void> {
    while (!closed && (await deliverNext(options)));
  }

  const jobs = [look, ...Array.from({ length: SENDERS }, () => send)].map((work) => single(work, log));
  const round = () => Promise.all(jobs.map((job) => job()));
  const timer = setInterval(() => void round(), everyMs);
  timer.unref();

  return {
    async idle() {
      await round(); // what is being done
      await look().catch(() => undefined);
      await round();
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await Promise.race([round(), setTimeout(CLOSING_MS, undefined, { ref: false })]);
    },
  };
}

/** A receiver that hangs does not hold up the end of the process. */
const CLOSING_MS = 2_000;

/** Runs one at a time; whoever asks meanwhile waits for the same run. */
function single(work: () => Promise<void>, log: AlertsOptions['log']): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () =>
    (running ??= work()
      .catch((error: unknown) => {
        // The database is away: the ledger says so, and the next round tries again. Anything else is ours to find.
        if ((error as { code?: string }).code !== 'unavailable') log.error({ reason: reasonOf(error) }, 'alerts failed in our own code');
      })
      .finally(() => (running = null)));
}

const reasonOf = (error: unknown): string => String((error as Error)?.message ?? error).slice(0, 300);
