import { spawn } from 'node:child_process';
import { bringUp, PortTaken } from '../launch';
import { EnvError } from '../std/env';

/**
 * `npm run start:next`: plain `next start`, door one alone, as it runs on a host of Next's. This process only brings
 * up what that one needs and passes signals on; the drain is instrumentation.ts's.
 */
const log = (line: string) => console.log(`ohm: ${line}`);

main().catch((error: unknown) => {
  if (error instanceof EnvError || error instanceof PortTaken) console.error(error.message.replaceAll(/^/gm, 'ohm: '));
  else console.error('ohm: could not start:', error);
  process.exit(1);
});

async function main(): Promise<void> {
  const { env, release } = await bringUp({ log, serves: true });
  const flags = ['node_modules/next/dist/bin/next', 'start', '-p', String(env.port), '-H', env.host, '--keepAliveTimeout', '65000'];
  const child = spawn(process.execPath, flags, {
    stdio: 'inherit',
    detached: true, // a terminal's Ctrl-C comes through us, once
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', NEXT_MANUAL_SIG_HANDLE: '1', OHM_SERVED_BY: 'next' },
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => void release().finally(() => process.exit(code ?? 1)));
}
