import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { freePort, managementClient, type ManagementClient, startOhm } from '../harness';
import { connectTo, type Target } from './http-client';

/** A server that is measured. */
export interface Server extends Target {
  pid: number;
  /** Of the PostgreSQL behind it; null when it has none. */
  postgresPid: number | null;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Flags for Node itself. */
  nodeFlags?: string[];
  /** Variables of the product. */
  env?: Record<string, string>;
  /** The key's answers are kept, and served again. */
  keepsAnswers?: boolean;
}

const OUT = fileURLToPath(new URL('../../.build/bench/', import.meta.url));

/** The provider that answers at once; measured directly it shows what the load generator can do. */
export async function startUpstream(): Promise<Server> {
  const port = await freePort();
  return startChild('direct', 'upstream', port, [String(port)], {});
}

/** A provider of every wire, by the path that is asked for. */
export async function startWireUpstream(): Promise<Server> {
  const port = await freePort();
  return startChild('direct', 'wire-upstream', port, [String(port)], {});
}

export async function startFloor(upstream: Target, options: ServerOptions = {}): Promise<Server> {
  const port = await freePort();
  return startChild('floor', 'floor', port, [String(port), `http://127.0.0.1:${upstream.port}`], options);
}

/**
 * The product as `npm start` runs it, with its own embedded PostgreSQL, and in it a workspace with what `furnish`
 * puts there, and a key.
 */
export async function startProduct(door: 'node' | 'next', upstream: Target, options: ServerOptions = {}, furnish = withInstantAndHeld): Promise<Server & { secret: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), `ohm-bench-${door}-`));
  const ohm = await startOhm({ door, dataDir, port: await freePort(), nodeFlags: options.nodeFlags ?? [], env: options.env ?? {} });
  const { managementKey } = await ohm.bootstrap('bench');
  const management = managementClient(ohm.url, managementKey);
  const route = await furnish(management, `http://127.0.0.1:${upstream.port}/v1`);
  return {
    name: door,
    port: ohm.port,
    pid: ohm.pid,
    token: await management.key(route, options.keepsAnswers ? { replay: { enabled: true } } : {}),
    secret: readFileSync(join(dataDir, 'secret'), 'utf8').trim(),
    postgresPid: Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]),
    async stop() {
      await ohm.stop();
      const said = ohm.stderr().replaceAll(/^(?:Debugger |For help, see).*\n/gm, '');
      if (said !== '') console.error(`bench: ${door} said on stderr:\n${said}`);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A connection to the upstream and two routes; the name of the key's default. */
async function withInstantAndHeld(management: ManagementClient, baseUrl: string): Promise<string> {
  await management.connection('upstream', baseUrl);
  await management.route('instant', ['upstream/instant']);
  await management.route('held', ['upstream/held']);
  return 'instant';
}

/** Bundled like the product itself, so that no loader runs along in what is measured. */
async function startChild(name: string, file: 'upstream' | 'wire-upstream' | 'floor', port: number, args: string[], { nodeFlags = [] }: ServerOptions): Promise<Server> {
  const outfile = join(OUT, `${file}.mjs`);
  buildSync({ entryPoints: [fileURLToPath(new URL(`${file}.ts`, import.meta.url))], outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node20' });
  const child = spawn(process.execPath, [...nodeFlags, outfile, ...args], { stdio: ['ignore', 'inherit', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const target = { name, port, token: 'none' };
  await listening(target, child, () => said);
  return {
    ...target,
    pid: child.pid!,
    postgresPid: null,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function listening(target: Target, child: ChildProcess, said: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) break;
    const socket = await connectTo(target).catch(() => null);
    if (socket !== null) return void socket.destroy();
    await delay(50);
  }
  throw new Error(`${target.name} does not listen: ${said()}`);
}
