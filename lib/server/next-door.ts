import { spawn } from 'node:child_process';
import { bringUp, endStart, log } from '../launch';
import { passSignalsOn, WATCHES_PARENT } from './with-parent';

/**
 * `npm run start:next`: plain `next start`, door one alone, as it runs on a host of Next's. This process only brings
 * up what that one needs and passes signals on; the drain is instrumentation.ts's. The two live and die together.
 */

main().catch((error: unknown) => endStart(error));

async function main(): Promise<void> {
  const { env, serving, release } = await bringUp({ log, serves: true });
  const flags = ['node_modules/next/dist/bin/next', 'start', '-p', String(env.port), '-H', env.host, '--keepAliveTimeout', '65000'];
  const child = spawn(process.execPath, flags, {
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true, // a terminal's Ctrl-C comes through us, once
    env: { ...process.env, ...WATCHES_PARENT, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', NEXT_MANUAL_SIG_HANDLE: '1', OHM_SERVED_BY: 'next' },
  });
  if (child.pid !== undefined) serving(child.pid);
  passSignalsOn(child);
  child.once('exit', (code) => void release().finally(() => process.exit(code ?? 1)));
}
