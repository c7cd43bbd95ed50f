import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../std';
import type { AdmittedRow, CallRow } from './call-row';
import { type Entry, entryOf } from './entry';
import { isJournalFile } from './journal-file';
import { isAbandoned, type JournalOwner, takenOver } from './journal-owner';
import { recordsOf } from './journal-reader';
import type { Log } from './log';
import { BATCH_ROWS, deliver, type RowStore } from './deliver';
import { NOTHING_KNOWN } from './row-json';
import { admittedOf, idOf, rowText } from './row-text';

export interface AdoptOptions {
  /** `<data folder>/journal`. */
  root: string;
  owner: JournalOwner;
  store: RowStore;
  clock: Clock;
  log: Log;
  refuse: (entry: Entry, error: unknown) => void;
  damaged: (lines: number) => void;
  /** True: stop trying, the process is about to end. What was taken over is then free for the next one. */
  closed: () => boolean;
}

/**
 * Takes over the journals of processes that are gone, by renaming their folders: `paths` says where they are now,
 * with those that a failed replay has left. `others` counts the journals of living processes.
 */
export async function takeOver({ root, owner, clock, log }: Pick<AdoptOptions, 'root' | 'owner' | 'clock' | 'log'>): Promise<{ paths: string[]; others: number }> {
  const mine: string[] = [];
  let others = 0;
  const folders = await readdir(root).catch(() => [] as string[]); // no root yet: nothing to take over
  for (const folder of folders) {
    if (folder.endsWith(`~${owner.name}`)) mine.push(join(root, folder));
    if (folder.endsWith(owner.name)) continue;
    if (!isAbandoned(root, folder, clock.now())) {
      others++;
      continue;
    }
    const path = join(root, takenOver(folder, owner));
    try {
      await rename(join(root, folder), path);
      mine.push(path);
    } catch (error) {
      // ENOENT: another process was first.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.error({ folder, reason: String(error) }, 'a journal could not be taken over');
    }
  }
  return { paths: mine, others };
}

/**
 * Brings everything in a journal that was taken over into PostgreSQL, closes its calls without an end as `lost`,
 * and removes it. Everything in it may be repeated, so a process that dies here leaves nothing half done.
 * Waits for PostgreSQL as long as it takes; resolves to false when the process closes first.
 */
export async function replay(path: string, options: AdoptOptions): Promise<boolean> {
  const { clock, log, damaged } = options;
  const open = new Map<string, string>();
  let rows = 0;
  for (const name of (await readdir(path)).filter(isJournalFile).sort()) {
    const file = join(path, name);
    for await (const piece of recordsOf(file, (await stat(file)).size)) {
      damaged(piece.damaged);
      const entries: Entry[] = [];
      for (const { kind, text } of piece.records) {
        const id = idOf(text);
        if (kind === 'A') open.set(id, text);
        else entries.push(entryOf(kind, id, text, null));
        if (kind === 'S') open.delete(id);
      }
      rows += entries.length;
      if (!(await persist(entries, options))) return false;
    }
  }
  const closedAt = new Date(clock.now()).toISOString();
  const lost = [...open].map(([id, text]) => entryOf('S', id, rowText(lostRow(admittedOf(text), closedAt)), null));
  if (!(await persist(lost, options))) return false;
  await rm(path, { recursive: true, force: true });
  if (rows + lost.length > 0) log.info({ rows, lost: lost.length }, 'replayed the journal of a process that is gone');
  return true;
}

/** A call whose process died: what was admitted is known, and nothing else. */
export const lostRow = (admitted: AdmittedRow, closedAt: string): CallRow => ({ ...NOTHING_KNOWN, ...admitted, finished_at: closedAt, state: 'lost', attempts: [], usage_estimated: [] });

async function persist(entries: Entry[], { store, refuse, closed }: AdoptOptions): Promise<boolean> {
  for (let from = 0, failures = 0; from < entries.length; ) {
    if (closed()) return false;
    try {
      await deliver(store, entries.slice(from, from + BATCH_ROWS), refuse);
      from += BATCH_ROWS;
      failures = 0;
    } catch {
      // The database is away. The drain, which meets the same, says so.
      failures = Math.min(failures + 1, 20);
      await pause(Math.min(50 * 2 ** failures, 2_000), closed);
    }
  }
  return true;
}

async function pause(ms: number, closed: () => boolean): Promise<void> {
  for (let waited = 0; waited < ms && !closed(); waited += 50) await new Promise((resolve) => setTimeout(resolve, Math.min(50, ms)));
}
