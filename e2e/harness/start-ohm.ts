import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startScript } from './start-script';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Which way in: `node`, the node server; `next`, the same server with the data plane through Next's route
 * handlers; `next-start`, plain `next start`.
 */
export type Door = 'node' | 'next' | 'next-start';

export interface StartOptions {
  door?: Door;
  env?: Record<string, string>;
  /** A data folder to start on; it is left alone at the end. Default: a temporary one. */
  dataDir?: string;
  port?: number;
  /** Flags for Node itself, e.g. a heap limit. */
  nodeFlags?: string[];
}

export interface RunningOhm {
  url: string;
  port: number;
  pid: number;
  dataDir: string;
  stdout(): string;
  stderr(): string;
  /** Exit code, or the signal's name. */
  exited: Promise<number | string>;
  /** Sends a signal and returns at once. */
  signal(name: NodeJS.Signals): void;
  /** SIGTERM, waits for the end and cleans up; resolves with the exit code or signal. Harmless when it has ended. */
  stop(): Promise<number | string>;
  /** Kills the server without warning. Its PostgreSQL stays behind, as it would. */
  kill9(): Promise<void>;
  /** Starts again on the same data folder and port, after a stop or a kill. */
  restart(env?: Record<string, string>): Promise<RunningOhm>;
  /** A user, a workspace and a management key, by the command line. */
  bootstrap(name?: string): Promise<{ workspace: string; managementKey: string; email: string; password: string }>;
}

/** Spawns the built product on a free port with a data folder of its own, and waits until it says it is ready. */
export async function startOhm(options: StartOptions = {}): Promise<RunningOhm> {
  const script = startScript(options.door === 'next-start' ? 'start:next' : 'start');
  const entry = script.at(-1)!;
  if (!existsSync(join(ROOT, entry))) throw new Error(`${entry} is missing: npm run build first`);
  const own = options.dataDir === undefined;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'ohm-e2e-'));
  const port = options.port ?? (await freePort());
  const env = environment({ PORT: String(port), OHM_DATA_DIR: dataDir, OHM_DOOR: options.door === 'next' ? 'next' : 'node', OHM_ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8', ...options.env });

  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), ...script], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);

  const url = `http://127.0.0.1:${port}`;
  const cleanUp = async () => {
    await endLeftPostgres(dataDir);
    if (own) rmSync(dataDir, { recursive: true, force: true });
  };
  await ready(url, child, output).catch(async (error: unknown) => {
    await exited;
    await cleanUp();
    throw error;
  });

  return {
    url,
    port,
    pid: child.pid!,
    dataDir,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
    signal: (name) => void child.kill(name),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const end = await Promise.race([exited, delay(60_000, 'timeout', { ref: false })]);
      if (end === 'timeout') child.kill('SIGKILL');
      await cleanUp();
      return end;
    },
    async kill9() {
      child.kill('SIGKILL');
      await exited;
    },
    async restart(more = {}) {
      const again = await startOhm({ ...options, dataDir, port, env: { ...options.env, ...more } });
      return own ? { ...again, stop: () => again.stop().finally(cleanUp) } : again;
    },
    async bootstrap(name = 'test') {
      const email = `${name}@example.com`;
      const password = `correct horse ${name} staple`;
      const args = ['bootstrap', '--email', email, '--password', password, '--workspace', name, '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, '.build/cli.mjs'), ...args], { cwd: ROOT, env });
      const made = JSON.parse(stdout) as { workspace: string; management_key: string };
      return { workspace: made.workspace, managementKey: made.management_key, email, password };
    },
  };
}

/** The tester's own settings must not leak into the product under test. */
export function environment(own: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(OHM_|DATABASE_URL$|REDIS_URL$|UPSTASH_|PORT$|NODE_ENV$|VITEST|NODE_OPTIONS$|NEXT_)/.test(name));
  return { ...Object.fromEntries(inherited), ...own } as NodeJS.ProcessEnv;
}

async function ready(url: string, child: ChildProcess, output: { stdout: string; stderr: string }): Promise<void> {
  const deadline = performance.now() + 60_000;
  const fail = (why: string) => new Error(`the product ${why}\n${output.stdout}\n${output.stderr}`);
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw fail(`ended with ${child.exitCode ?? child.signalCode} before it was ready`);
    const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    if (response?.ok) return;
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      throw fail(`was not ready within 60 s: ${response ? await response.text() : 'no answer'}`);
    }
    await delay(50);
  }
}

/** A killed server leaves its PostgreSQL running, for the next start to take over. Nobody will. */
async function endLeftPostgres(dataDir: string): Promise<void> {
  const lock = join(dataDir, 'postgres/postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    return; // gone already
  }
  const deadline = performance.now() + 10_000;
  while (existsSync(lock) && performance.now() < deadline) await delay(20);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
