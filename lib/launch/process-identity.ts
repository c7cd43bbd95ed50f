import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

/**
 * Which process a pid in a file really means. A pid alone proves nothing: it may be dead, a zombie that
 * nobody has reaped, or have been given to another program since.
 */

/** Alive, and not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false; // EPERM: alive, another user's
  }
  return procStat(pid)?.[0] !== 'Z';
}

/** Changes when a pid is given to another process. Null where the system does not tell (no /proc). */
export function startMark(pid: number): string | null {
  return procStat(pid)?.[19] ?? null; // field 22 of proc(5), counted from the state
}

/** The command line, or an empty string when there is none to read. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    if (process.platform === 'linux') return '';
    return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout?.trim() ?? '';
  }
}

/** Fields of /proc/<pid>/stat from the state on: the name before it may hold blanks and parentheses. */
function procStat(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null; // gone, or a system without /proc
  }
}
