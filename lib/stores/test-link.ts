import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP link to a server that a test can slow down, silence and cut. */
export interface TestLink {
  port: number;
  /** Answers are held back for so long; Infinity: none come. */
  delay(ms: number): void;
  /** Every connection is reset, and new ones too until it is mended. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function linkTo(port: number): Promise<TestLink> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let broken = false;
  const server = createServer((client) => {
    if (broken) return void client.resetAndDestroy();
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => {
      if (delayMs === 0) client.write(bytes);
      else if (delayMs !== Infinity) setTimeout(() => client.writable && client.write(bytes), delayMs);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    delay: (ms) => void (delayMs = ms),
    cut: () => {
      broken = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend: () => void (broken = false),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
