import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSame } from './exclusive';
import { startMark } from './process-identity';

/** Who serves an installation, and where: `url` is its public address, without a trailing slash. */
export interface Serving {
  pid: number;
  port: number;
  url: string;
  /** As `installationOf` names it: a data folder may serve one database today and another tomorrow. */
  installation: string;
}

/**
 * A note in the data folder of which process serves a port, so that the next start can tell "this installation is
 * running already" from "another program has the port", and the command line can print links that lead to it. For
 * messages only: a folder that cannot be written is no fault.
 */
export function noteServing(dataDir: string, { pid, port, url, installation }: Serving): () => void {
  const file = fileOf(dataDir, port);
  const text = [`${pid} ${startMark(pid) ?? ''}`, url, installation].join('\n');
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
export const servedBy = (dataDir: string, port: number): number | null => noteOf(dataDir, port)?.pid ?? null;

/** The public address of a server of this installation that runs now, that of `port` before others; null: none is known. */
export function servedAt(dataDir: string, installation: string, port: number): string | null {
  const ports = portsOf(dataDir).sort((a, b) => Number(b === port) - Number(a === port) || a - b);
  for (const candidate of ports) {
    const note = noteOf(dataDir, candidate);
    if (note?.url && note.installation === installation) return note.url;
  }
  return null;
}

/** What the note of a port says, if its process runs. A note of an older version has nothing but the process. */
function noteOf(dataDir: string, port: number): { pid: number; url: string | undefined; installation: string | undefined } | null {
  const [serving = '', url, installation] = (read(fileOf(dataDir, port)) ?? '').split('\n');
  const [pid, mark] = serving.split(' ');
  if (!(Number(pid) > 0) || !isSame({ pid: Number(pid), mark: mark || null })) return null;
  return { pid: Number(pid), url, installation };
}

function portsOf(dataDir: string): number[] {
  try {
    return readdirSync(join(dataDir, 'serving')).map(Number);
  } catch {
    return []; // nothing was ever served from here
  }
}

const fileOf = (dataDir: string, port: number): string => join(dataDir, 'serving', String(port));

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null; // no such note
  }
}
