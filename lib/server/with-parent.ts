import type { ChildProcess } from 'node:child_process';

/**
 * A server that another process of ours started must not outlive it: nobody would be left to stop it, and it would
 * hold the port. The parent keeps the write end of the child's standard input, which the system closes however the
 * parent ends, kill -9 included.
 */

/** For `env` of the child, whose `stdio[0]` is a pipe. */
export const WATCHES_PARENT = { OHM_PARENT_HOLDS_STDIN: '1' };

/** In the child: calls back when the parent is gone. Does nothing in a process that was started otherwise. */
export function onParentGone(gone: () => void): void {
  if (process.env.OHM_PARENT_HOLDS_STDIN !== '1') return;
  delete process.env.OHM_PARENT_HOLDS_STDIN; // what this process starts has another standard input
  process.stdin.once('end', gone).once('error', gone).resume();
}

/** In the parent: the signals that end us are the child's to handle. */
export function passSignalsOn(child: ChildProcess): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
}
