import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { runtime } from '../boot';
import { bringUp, type BroughtUp, endStart, log, PortTaken, StartFailure } from '../launch';
import { drain } from './drain';
import { createOhmServer } from './ohm-server';
import { quietPageStorages } from './page-storages';
import { stopOnSignal } from './stop-once';
import { onParentGone } from './with-parent';

/**
 * `npm start` and, with --dev, `npm run dev`: one process that serves the data plane and the pages on one port.
 *
 * package.json gives V8 two flags. Young objects get more room than usual, since a call makes many and keeps none. And
 * its memory reducer is off: some quiet seconds after load it throws away the shapes of all objects of which none is
 * alive just then, and with them the optimised code of nearly every function of a call, so that the next second's calls
 * take four times as much CPU. Collections under load keep both. An idle process keeps some 60 MB more for it.
 */
const dev = process.argv.includes('--dev');

main().catch((error: unknown) => endStart(error));

async function main(): Promise<void> {
  const startedAt = performance.now();
  // Before anything of Next's or React's is loaded.
  Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' });
  // One call's fault is not a reason to cut all others: every call's state is its own.
  process.on('uncaughtException', (error) => console.error('ohm: uncaught', error));
  process.on('unhandledRejection', (error) => console.error('ohm: unhandled', error));
  onParentGone(() => process.kill(process.pid, 'SIGTERM'));

  const brought = await bringUp({ log, serves: true });
  let stop = brought.release;
  stopOnSignal(async () => {
    await stop();
    log('stopped');
  }, log);
  try {
    stop = await serve(brought, startedAt);
  } catch (error) {
    const why = await brought.failed(error);
    throw why === null ? error : new StartFailure(why);
  }
}

/** Returns the way to stop. */
async function serve({ env, serving, release }: BroughtUp, startedAt: number): Promise<() => Promise<void>> {
  const ohm = await runtime();
  const pages = await openPages(env.host, env.port);
  const server = createOhmServer({
    gateway: ohm.gateway,
    pages: pages.handle,
    door: env.door,
    bodyBytes: env.heldBytes,
    held: ohm.engine.held,
    trustedProxies: env.trustedProxies,
    onError: (error, message) => console.error(`ohm: ${message.method} ${message.url?.split('?')[0]} failed`, error),
  });
  pages.attach(server.server);

  server.server.once('error', (error: NodeJS.ErrnoException) => {
    console.error(`ohm: ${new PortTaken(env.port, env.host, error.code).message}`);
    void ohm.close().then(release).finally(() => process.exit(1));
  });
  server.server.listen({ port: env.port, host: env.host, backlog: 4096 }, () => {
    serving(process.pid);
    log(`ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s at ${env.publicUrl}`);
  });

  return async () => {
    const { gateway } = ohm;
    await drain({ server, drainMs: dev ? 0 : env.drainMs, inHaste: dev, beginDrain: ohm.beginDrain, cutOpenCalls: () => gateway.cutOpenCalls(), log });
    await ohm.close();
    await release();
  };
}

interface Pages {
  handle(message: IncomingMessage, response: ServerResponse): Promise<void>;
  /** In development the browser listens for changes over a web socket. */
  attach(server: Server): void;
}

async function openPages(hostname: string, port: number): Promise<Pages> {
  const storages = dev ? null : quietPageStorages();
  const { default: next } = await import('next');
  // Next adds an `upgrade` listener to the server that it serves, or to this one, which never listens. On ours it would
  // turn a request that merely offers an upgrade (Java's client offers h2c) into a socket that nobody answers.
  const standIn = createServer();
  const app = next({ dev, dir: process.cwd(), hostname, port, httpServer: standIn });
  await app.prepare();
  const handle = app.getRequestHandler();
  return {
    async handle(message, response) {
      const pageEnds = storages?.pageBegins();
      try {
        await handle(message, response);
        if (!response.closed) await once(response, 'close');
      } finally {
        pageEnds?.();
      }
    },
    attach: (server) => {
      if (!dev) return;
      // Through Next's own listener: what getUpgradeHandler() gives does nothing, and in development pages do not come to
      // life before their web socket is open. Until Next has seen a request it does not listen; the browser tries again.
      server.on('upgrade', (message, socket, head) => {
        if (!standIn.emit('upgrade', message, socket, head)) socket.destroy();
      });
    },
  };
}
