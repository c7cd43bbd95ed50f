import { setTimeout as delay } from 'node:timers/promises';
import type { OhmServer } from './ohm-server';

export interface DrainOptions {
  server: OhmServer;
  /** How long open calls may go on, ms. */
  drainMs: number;
  /** Readiness turns 503, new calls are refused. */
  beginDrain(): void;
  /** Ends what is still open: streams in-band with `gateway_draining`. */
  cutOpenCalls(): void;
  log: (line: string) => void;
  /** Cut what is open and go: in development a restart must not wait for a browser's web socket. */
  inHaste?: boolean;
}

/** Time for the last frames to reach their sockets once calls have been cut, ms. */
export const FLUSH_MS = 5_000;
/** Time for pages and API requests that are under way, ms. */
const PAGES_MS = 5_000;
/** Time for either in haste, ms. */
const HASTE_MS = 250;

/**
 * Ends a server without breaking what it has begun: not ready first, so that a balancer looks elsewhere, while the
 * port still answers; open calls finish; those that do not are cut with a frame that says so; then the port closes.
 */
export async function drain({ server, drainMs, beginDrain, cutOpenCalls, log, inHaste = false }: DrainOptions): Promise<void> {
  beginDrain();
  server.beginClosing();
  if (server.openCalls() > 0 && drainMs > 0) log(`waiting up to ${drainMs} ms for ${openCalls(server.openCalls())}`);
  if (!(await finished(server, drainMs))) {
    log(`cutting ${openCalls(server.openCalls())}`);
    cutOpenCalls();
    await finished(server, inHaste ? HASTE_MS : FLUSH_MS);
  }
  const closed = new Promise<void>((done) => server.server.close(() => done()));
  server.server.closeIdleConnections();
  await Promise.race([closed, delay(inHaste ? HASTE_MS : PAGES_MS, undefined, { ref: false })]);
  server.server.closeAllConnections();
}

const openCalls = (count: number): string => `${count} open call${count === 1 ? '' : 's'}`;

/** Waits until no call is open; false when that takes longer than `limitMs`. */
export async function finished(calls: Pick<OhmServer, 'openCalls'>, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (calls.openCalls() > 0) {
    if (performance.now() >= deadline) return false;
    await delay(20);
  }
  return true;
}
