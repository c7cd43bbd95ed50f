import { createServer } from 'node:net';

/** Finds out before anything is started whether the port can be had. 0: any. Rejects with PortTaken. */
export function claimablePort({ port, host, holder }: { port: number; host: string; holder: () => number | null }): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => reject(new PortTaken(port, host, error.code, holder())));
    probe.listen(port, host, () => {
      const { port: got } = probe.address() as { port: number };
      probe.close(() => resolve(got));
    });
  });
}

export class PortTaken extends Error {
  override readonly name = 'PortTaken';
  /** `holder`: the process of this same installation that serves the port, when that is who has it. */
  constructor(port: number, host: string, code: string | undefined, holder: number | null = null, named = SERVER_NAMES) {
    const inUse =
      holder === null
        ? `port ${port} is taken by another program. Choose another one: ${named.port}=${port + 1} ${named.command}`
        : `port ${port} is served by this installation already (process ${holder}). To start it anew, stop that one first: kill ${holder}`;
    const why: Record<string, string> = {
      EADDRINUSE: inUse,
      EACCES: `port ${port} needs rights that this user does not have. Choose one above 1023: ${named.port}=${named.usual} ${named.command}`,
      EADDRNOTAVAIL: `${named.host}=${host} is not an address of this computer`,
      ENOTFOUND: `${named.host}=${host} is not a host name that can be found`,
    };
    super(why[code ?? ''] ?? `cannot listen on ${host}:${port} (${code})`);
  }
}

/** What the operator calls a server's settings by. */
const SERVER_NAMES = { port: 'PORT', host: 'OHM_HOST', command: 'npm start', usual: 3000 };
