import { randomBytes } from 'node:crypto';
import { DependencyUnavailable } from '../gateway/ports';
import type { AdmittedRow } from './call-row';
import type { Log } from './log';
import { admittedJson } from './row-json';
import type { Store } from './store';

/**
 * Admissions that go straight to PostgreSQL: always without a journal folder, else only while the journal cannot
 * be written. As long as this process may have open calls there it says every few seconds that it is alive; a
 * process that has been silent for `SILENCE_MS` is taken for dead, and any other one closes its calls as `lost`.
 * Should it live after all, the real end of such a call replaces `lost`.
 */
export interface OpenCalls {
  /** Resolves when the row is committed; rejects with DependencyUnavailable. */
  admit(row: AdmittedRow): Promise<void>;
  close(): void;
}

const HEARTBEAT_MS = 5_000;
const SILENCE_MS = 45_000;

export function createOpenCalls(store: Store, log: Log): OpenCalls {
  const instanceId = `instance_${randomBytes(9).toString('hex')}`;
  let waiting: { json: string; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let writing = false;
  let used = false;

  // Every process looks for orphans, also one with a journal: it may be the only one left.
  const closeLost = () =>
    store.closeLost(SILENCE_MS).then(
      (closed) => void (closed > 0 && log.warn({ calls: closed }, 'closed calls of a process that is gone as lost')),
      () => {}, // the database is away: the drain says so, and the next turn tries again
    );
  const sweep = setInterval(() => void closeLost(), SILENCE_MS / 3);
  const heartbeat = setInterval(() => void (used && store.admit(instanceId, []).catch(() => {})), HEARTBEAT_MS);
  sweep.unref();
  heartbeat.unref();
  void closeLost();

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await store.admit(instanceId, batch.map((each) => each.json));
        batch.forEach((each) => each.resolve());
      } catch (error) {
        const reason = new DependencyUnavailable('neither journal nor database can take a call', { cause: error });
        batch.forEach((each) => each.reject(reason));
      }
    }
    writing = false;
  }

  return {
    admit(row) {
      used = true;
      return new Promise((resolve, reject) => {
        waiting.push({ json: admittedJson(row), resolve, reject });
        if (!writing) void writeAll();
      });
    },
    close() {
      clearInterval(sweep);
      clearInterval(heartbeat);
    },
  };
}
