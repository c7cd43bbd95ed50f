import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, startMark } from './process-identity';

/** Runs `work` while this process alone holds `file`. A holder that died is pushed aside. Waits up to 90 s. */
export async function exclusively<T>(file: string, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + 90_000;
  while (!take(file)) {
    if (performance.now() > deadline) throw new Error(`${file} has been held by process ${holder(file)?.pid} for 90 s`);
    await delay(25);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    const fd = openSync(file, 'wx', 0o600);
    writeSync(fd, `${process.pid} ${startMark(process.pid) ?? ''}`);
    closeSync(fd);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const other = holder(file);
  if (other && !isSame(other)) rmSync(file, { force: true });
  return false;
}

export interface Holder {
  pid: number;
  mark: string | null;
}

/** Null while the file is being written, or gone. */
function holder(file: string): Holder | null {
  try {
    const [pid, mark] = readFileSync(file, 'utf8').split(' ');
    return Number(pid) > 0 ? { pid: Number(pid), mark: mark || null } : null;
  } catch {
    return null;
  }
}

/** Is the process that wrote its pid and mark still the one that runs under the pid? */
export function isSame(holder: Holder): boolean {
  return isAlive(holder.pid) && (holder.mark === null || startMark(holder.pid) === holder.mark);
}
