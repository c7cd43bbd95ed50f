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
export function servedBy(dataDir: string, port: number): number | null {
  const [pid, mark] = linesOf(dataDir, port)[0]!.split(' ');
  return Number(pid) > 0 && isSame({ pid: Number(pid), mark: mark || null }) ? Number(pid) : null;
}

/** The public address of a server of this installation that runs now, that of `port` before others; null: none is known. */
export function servedAt(dataDir: string, installation: string, port: number): string | null {
  const ports = portsOf(dataDir).sort((a, b) => Number(b === port) - Number(a === port) || a - b);
  for (const candidate of ports) {
    const [, url, of] = linesOf(dataDir, candidate);
    if (url && of === installation && servedBy(dataDir, candidate) !== null) return url;
  }
  return null;
}

function portsOf(dataDir: string): number[] {
  try {
    return readdirSync(join(dataDir, 'serving')).map(Number);
  } catch {
    return []; // nothing was ever served from here
  }
}

const linesOf = (dataDir: string, port: number): string[] => (read(fileOf(dataDir, port)) ?? '').split('\n');

const fileOf = (dataDir: string, port: number): string => join(dataDir, 'serving', String(port));

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null; // no such note
  }
}
