import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { runtime } from '../boot';
import { endStart, log } from '../launch/start-failure';
import { FLUSH_MS, finished } from './drain';
import { noteTarget } from './request-target';
import { stopOnSignal } from './stop-once';
import { onParentGone } from './with-parent';

/** Starts the runtime in a process that plain `next start` owns, and drains it on a signal: the port itself is Next's. */
export async function serveDoorOne(): Promise<void> {
  // The server is Next's; node tells of each request before it does.
  subscribe('http.server.request.start', (event) => noteTarget((event as { request: IncomingMessage }).request));
  onParentGone(() => process.exit(1)); // killed: nobody is left who could wait for a drain
  // Next would print the stack and go on without a runtime.
  const ohm = await runtime().catch((error: unknown) => endStart(error, process.env.DATABASE_URL ?? null));
  stopOnSignal(async () => {
    ohm.beginDrain();
    if (!(await finished(ohm.gateway, ohm.env.drainMs))) {
      ohm.gateway.cutOpenCalls();
      await finished(ohm.gateway, FLUSH_MS);
    }
    await ohm.close();
    log('stopped');
  }, log);
}
