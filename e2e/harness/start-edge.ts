import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { environment, freePort } from './start-ohm';
import { startScript } from './start-script';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface RunningEdge {
  url: string;
  port: number;
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Exit code, or the signal's name. */
  exited: Promise<number | string>;
  signal(name: NodeJS.Signals): void;
  /** SIGTERM, waits for the end and cleans up. Harmless when it has ended. */
  stop(): Promise<number | string>;
  kill9(): Promise<void>;
  /** Starts again on the same data folder and port. */
  restart(): Promise<RunningEdge>;
}

export interface EdgeOptions {
  /** OHM_EDGE_PRIMARY, OHM_SECRET and whatever else is to be set. */
  env: Record<string, string>;
  dataDir?: string;
  port?: number;
  nodeFlags?: string[];
}

/** Spawns the built edge on a free port with a data folder of its own, and waits until it answers. */
export async function startEdge(options: EdgeOptions): Promise<RunningEdge> {
  const own = options.dataDir === undefined;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'ohm-e2e-edge-'));
  const port = options.port ?? (await freePort());
  const env = environment({ OHM_EDGE_PORT: String(port), OHM_DATA_DIR: dataDir, ...options.env });
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), ...startScript('edge')], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  const url = `http://127.0.0.1:${port}`;
  const cleanUp = () => own && rmSync(dataDir, { recursive: true, force: true });

  for (let tries = 0; ; tries++) {
    const answered = await fetch(`${url}/healthz`).then((response) => response.ok, () => false);
    if (answered) break;
    if (child.exitCode !== null || child.signalCode !== null || tries > 600) {
      child.kill('SIGKILL');
      cleanUp();
      throw new Error(`the edge did not start\n${output.stdout}\n${output.stderr}`);
    }
    await delay(50);
  }

  return {
    url,
    port,
    pid: child.pid!,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
    signal: (name) => void child.kill(name),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const end = await Promise.race([exited, delay(60_000, 'timeout', { ref: false })]);
      if (end === 'timeout') child.kill('SIGKILL');
      cleanUp();
      return end;
    },
    async kill9() {
      child.kill('SIGKILL');
      await exited;
    },
    async restart() {
      const again = await startEdge({ ...options, dataDir, port });
      return own ? { ...again, stop: () => again.stop().finally(cleanUp) } : again;
    },
  };
}
