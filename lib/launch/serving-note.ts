import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSame } from './exclusive';
import { startMark } from './process-identity';

/**
 * A note in the data folder of which process serves a port, so that the next start can tell "this installation is
 * running already" from "another program has the port". For messages only: a folder that cannot be written is no fault.
 */
export function noteServing(dataDir: string, port: number, pid: number): () => void {
  const file = fileOf(dataDir, port);
  const text = `${pid} ${startMark(pid) ?? ''}`;
  try {
    mkdirSync(join(dataDir, 'serving'), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
  } catch {
    return () => {}; // see above
  }
  return () => {
    if (read(file) === text) rmSync(file, { force: true });
  };
}

/** The process of this installation that serves the port, or null. */
export function servedBy(dataDir: string, port: number): number | null {
  const [pid, mark] = (read(fileOf(dataDir, port)) ?? '').split(' ');
  return Number(pid) > 0 && isSame({ pid: Number(pid), mark: mark || null }) ? Number(pid) : null;
}

const fileOf = (dataDir: string, port: number): string => join(dataDir, 'serving', String(port));

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null; // no such note
  }
}
