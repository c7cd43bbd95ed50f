import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer, REDIS_PROBLEM } from '../launch/redis-server.mjs';

/** Why the tests of shared stores cannot run here, or null. */
export const noRedis: string | null = findRedisServer() === null ? REDIS_PROBLEM : null;

export interface TestRedis {
  url: string;
  port: number;
  stop(): Promise<void>;
}

/** A real redis-server of its own, in memory only. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'ohm-redis-'));
  const server = spawn(findRedisServer()!, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  for await (const line of server.stdout) if (/ready to accept connections/i.test(String(line))) break;
  server.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    stop: async () => {
      server.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
