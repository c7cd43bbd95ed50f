import { runtime } from '../boot';
import { startFailure } from '../launch/start-failure';
import { FLUSH_MS, finished } from './drain';
import { stopOnSignal } from './stop-once';
import { onParentGone } from './with-parent';

/** Starts the runtime in a process that plain `next start` owns, and drains it on a signal: the port itself is Next's. */
export async function serveDoorOne(): Promise<void> {
  const log = (line: string) => console.log(`ohm: ${line}`);
  onParentGone(() => process.exit(1)); // killed: nobody is left who could wait for a drain
  const ohm = await runtime().catch(endStart);
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

/** Next would print the stack and go on without a runtime. */
function endStart(error: unknown): never {
  const why = startFailure(error, process.env.DATABASE_URL ?? null);
  if (why === null) console.error('ohm: could not start:', error);
  else console.error(why.replaceAll(/^/gm, 'ohm: '));
  process.exit(1);
}
