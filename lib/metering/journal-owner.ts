import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, startMark } from '../launch/process-identity';

/**
 * Whose a journal folder is. The folder's name is the lock: it says boot, pid namespace, pid, the process's
 * start mark and a random part, so that it exists from the first instant, cannot be torn, and a pid that has
 * been given to another process since is not mistaken for the owner.
 *
 * A folder that was taken over is called `<old owner>~<new owner>`: taking over is one rename, which only one
 * process can win, and a process that dies in the middle of it leaves a folder whose owner is dead: again free.
 */
export interface JournalOwner {
  /** A folder name. */
  name: string;
  /** From now on this process itself counts it as free. */
  release(): void;
}

export function newOwner(): JournalOwner {
  const here = thisProcess();
  const name = [here.boot, here.namespace, String(process.pid), here.start, randomBytes(4).toString('hex')].join('.');
  owned().add(name);
  return { name, release: () => void owned().delete(name) };
}

/** The folder's name after `owner` has taken it over from whoever had it. */
export function takenOver(folder: string, owner: JournalOwner): string {
  return `${folder.split('~')[0]}~${owner.name}`;
}

/** Is the owner of this folder of `<root>` gone? Names that are not journal folders are nobody's: false. */
export function isAbandoned(root: string, folder: string, nowMs: number): boolean {
  const name = folder.split('~').at(-1)!;
  const parts = name.split('.');
  if (parts.length !== 5) return false;
  const [boot, namespace, pid, start] = parts;
  const here = thisProcess();
  if (boot !== here.boot || namespace !== here.namespace) return !beatsRecently(root, name, nowMs);
  if (Number(pid) === process.pid && start === here.start) return !owned().has(name);
  if (!isAlive(Number(pid))) return true;
  return start !== (startMark(Number(pid)) ?? UNKNOWN);
}

/** How often an owner touches its folder, and after what silence it is taken for gone where it cannot be looked up. */
export const HEARTBEAT_MS = 2_000;
const SILENCE_MS = 20_000;

const UNKNOWN = 'x';

/** Of another boot, another machine or another container on the same folder: only its heartbeat tells. */
function beatsRecently(root: string, name: string, nowMs: number): boolean {
  try {
    return nowMs - statSync(join(root, name)).mtimeMs < SILENCE_MS;
  } catch {
    return false; // it has removed its own folder: it ended in good order
  }
}

function thisProcess(): { boot: string; namespace: string; start: string } {
  return (identity ??= {
    boot: readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').replaceAll('-', '').slice(0, 16)),
    namespace: readOr(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')),
    start: startMark(process.pid) ?? UNKNOWN,
  });
}
let identity: { boot: string; namespace: string; start: string } | undefined;

function readOr(read: () => string): string {
  try {
    return read().trim() || UNKNOWN;
  } catch {
    return UNKNOWN; // a system without /proc
  }
}

/** Kept on globalThis: a process may hold this module twice (the server's bundle and Next's). */
function owned(): Set<string> {
  const holder = globalThis as { [OWNED]?: Set<string> };
  return (holder[OWNED] ??= new Set());
}
const OWNED = Symbol.for('ohm.journal.owners');
