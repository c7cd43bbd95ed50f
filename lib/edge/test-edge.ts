import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Script, scriptedUpstream, type ScriptedUpstream } from '../../e2e/harness';
import type { Store } from '../stores';
import { guarded } from '../stores/guard';
import { redisStore } from '../stores/redis';
import type { EdgeEnv } from './env';
import { openEdge, type RunningEdge } from './open-edge';

export const TEST_SECRET = 'kQ7vN2xR9wLpTf4hZs8mBc3dJy6gUe5a';

export interface TestEdge extends RunningEdge {
  url: string;
  port: number;
}

const opened: (() => unknown)[] = [];

/** After each test: ends what it opened, and what it left to be closed. */
export async function closeAll(): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close();
}

/** Asked with patience: on a busy machine the 20 ms of the product would decide what a test sees. */
export async function patientRedis(port: number): Promise<Store> {
  const store = guarded(await redisStore(`redis://127.0.0.1:${port}`), { boundMs: 5_000 });
  await store.ready;
  return store;
}

export const closeLater = (close: () => unknown): void => void opened.push(close);

export async function testEdge(env: Partial<EdgeEnv> & Pick<EdgeEnv, 'primary'>, store: Store | null = null): Promise<TestEdge> {
  const whole: EdgeEnv = {
    port: 0,
    host: '127.0.0.1',
    fallback: null,
    secret: TEST_SECRET,
    redisUrl: null,
    dataDir: '/nowhere',
    maxBodyBytes: 1024 * 1024,
    heldBytes: 64 * 1024 * 1024,
    drainMs: 1_000,
    logLevel: 'silent',
    ...env,
  };
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const edge = await openEdge(whole, quiet, store);
  edge.server.server.listen(0, '127.0.0.1');
  await once(edge.server.server, 'listening');
  const { port } = edge.server.server.address() as AddressInfo;
  closeLater(async () => {
    edge.server.server.close();
    edge.server.server.closeAllConnections();
    await edge.close();
  });
  return { ...edge, url: `http://127.0.0.1:${port}`, port };
}

/** A control plane that plays what it is told. */
export async function scriptedPlane(script: Script): Promise<ScriptedUpstream> {
  const plane = await scriptedUpstream(script);
  closeLater(plane.close);
  return plane;
}

export const post = (edge: TestEdge, body: unknown = { model: 'auto', messages: [] }, init: { path?: string; headers?: Record<string, string>; signal?: AbortSignal } = {}): Promise<Response> =>
  fetch(edge.url + (init.path ?? '/v1/chat/completions'), {
    method: 'POST',
    headers: { authorization: 'Bearer ohm_sk_test', 'content-type': 'application/json', ...init.headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(init.signal ? { signal: init.signal } : {}),
  });
