import { setTimeout as delay } from 'node:timers/promises';
import { runtime } from '../boot';
import { stopOnSignal } from './stop-once';

/** Starts the runtime in a process that plain `next start` owns, and drains it on a signal: the port itself is Next's. */
export async function serveDoorOne(): Promise<void> {
  const log = (line: string) => console.log(`ohm: ${line}`);
  const ohm = await runtime();
  stopOnSignal(async () => {
    ohm.beginDrain();
    if (!(await finished(() => ohm.gateway.openCalls(), ohm.env.drainMs))) {
      ohm.gateway.cutOpenCalls();
      await finished(() => ohm.gateway.openCalls(), 5_000);
    }
    await ohm.close();
    log('stopped');
  }, log);
}

async function finished(openCalls: () => number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (openCalls() > 0) {
    if (performance.now() >= deadline) return false;
    await delay(20);
  }
  return true;
}
