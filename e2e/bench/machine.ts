import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { WebSocket } from 'undici';

/** What is known of a process from /proc; null where there is none (not Linux). */
export interface ProcessFigures {
  cpuSeconds: number;
  rssBytes: number;
}

const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK']).stdout?.toString()) || 100;
const pageBytes = Number(spawnSync('getconf', ['PAGESIZE']).stdout?.toString()) || 4096;

/** User and system time of all its threads, and what it has in memory. */
export function processFigures(pid: number): ProcessFigures | null {
  const fields = statOf(pid);
  return fields && { cpuSeconds: (fields.user + fields.system) / ticksPerSecond, rssBytes: fields.rssPages * pageBytes };
}

/** CPU seconds of a process with all its descendants, those that have ended included; null without /proc. */
export function treeCpuSeconds(root: number): number | null {
  if (statOf(root) === null) return null;
  const parents = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    if (fields) parents.set(Number(name), { parent: fields.parent, ticks: fields.user + fields.system + fields.childrenTicks });
  }
  let ticks = 0;
  for (const [pid, each] of parents) {
    let at: number | undefined = pid;
    while (at !== undefined && at !== root) at = parents.get(at)?.parent;
    if (at === root) ticks += each.ticks;
  }
  return ticks / ticksPerSecond;
}

function statOf(pid: number): { parent: number; user: number; system: number; childrenTicks: number; rssPages: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ').map(Number); // from field 3 on; a name may hold anything
    return { parent: fields[1]!, user: fields[11]!, system: fields[12]!, childrenTicks: fields[13]! + fields[14]!, rssPages: fields[21]! };
  } catch {
    return null; // ended meanwhile, or not Linux
  }
}

/** Seconds that one core was busy since boot, whoever used it; null without /proc. */
export function coreBusySeconds(core: number): number | null {
  try {
    const line = readFileSync('/proc/stat', 'utf8').split('\n').find((each) => each.startsWith(`cpu${core} `));
    const [, user, nice, system, , , irq, softirq, steal] = (line ?? '').split(/\s+/).map(Number);
    return (user! + nice! + system! + irq! + softirq! + steal!) / ticksPerSecond;
  } catch {
    return null;
  }
}

/** One core for the server that is measured, another for everything else; null when they cannot be had. */
export interface Cores {
  server: number;
  rest: number;
}

export function chooseCores(): Cores | null {
  if (spawnSync('taskset', ['-V'], { stdio: 'ignore' }).error !== undefined) return null;
  const said = spawnSync('taskset', ['-c', '-p', String(process.pid)]).stdout.toString();
  const list = said.slice(said.lastIndexOf(':') + 1).trim();
  const allowed = list.split(',').flatMap((part) => {
    const [from, to] = part.split('-').map(Number);
    return Array.from({ length: (to ?? from!) - from! + 1 }, (_, at) => from! + at);
  });
  return allowed.length < 2 ? null : { server: allowed[0]!, rest: allowed[1]! };
}

/** All threads of a process that runs already. What it starts from now on inherits it. */
export function pin(pid: number, core: number): void {
  const { status, stderr } = spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)]);
  if (status !== 0) throw new Error(`taskset: ${stderr.toString()}`);
}

/** Collects a node process's garbage through its inspector, so that what is left is what it holds. */
export async function collectGarbage(inspectorPort: number): Promise<void> {
  const list = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(list[0]!.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error('the inspector does not answer'));
    socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
    socket.onmessage = resolve;
  });
  socket.close();
}

export function machine(): Record<string, unknown> {
  return { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version, platform: process.platform, loadAverage: loadavg()[0] };
}
