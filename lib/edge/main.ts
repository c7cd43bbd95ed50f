import { existsSync } from 'node:fs';
import pino from 'pino';
import { PortTaken } from '../launch/port';
import { endStart, log } from '../launch/start-failure';
import { logLines } from '../std';
import { drain } from '../server/drain';
import { stopOnSignal } from '../server/stop-once';
import { onParentGone } from '../server/with-parent';
import { parseEdgeEnv } from './env';
import { openEdge } from './open-edge';

/** `npm run edge`: the lean front process before one or two control planes. */

main().catch((error: unknown) => endStart(error));

async function main(): Promise<void> {
  const startedAt = performance.now();
  // One request's fault is not a reason to cut all others: every request's state is its own.
  process.on('uncaughtException', (error) => console.error('ohm: uncaught', error));
  process.on('unhandledRejection', (error) => console.error('ohm: unhandled', error));
  onParentGone(() => process.kill(process.pid, 'SIGTERM'));
  if (existsSync('.env')) process.loadEnvFile('.env'); // real variables win
  const env = parseEdgeEnv(process.env);
  const edge = await openEdge(env, pino({ level: env.logLevel }, logLines()));
  const { server } = edge.server;

  server.once('error', (error: NodeJS.ErrnoException) => {
    console.error(`ohm: ${new PortTaken(env.port, env.host, error.code, null, { host: 'OHM_EDGE_HOST', port: 'OHM_EDGE_PORT', command: 'npm run edge', usual: 3100 }).message}`);
    void edge.close().finally(() => process.exit(1));
  });
  server.listen({ port: env.port, host: env.host, backlog: 4096 }, () => {
    const { port } = server.address() as { port: number };
    log(`edge ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s at http://${env.host}:${port}, in front of ${[env.primary, env.fallback].filter(Boolean).join(' and ')}`);
  });
  stopOnSignal(async () => {
    await drain({ server: edge.server, drainMs: env.drainMs, beginDrain: edge.beginDrain, cutOpenCalls: edge.server.cutOpenCalls, log });
    await edge.close();
    log('stopped');
  }, log);
}
