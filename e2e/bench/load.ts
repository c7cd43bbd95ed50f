import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Ask, bodyOf, connectTo, PATH, requestBytes, responseEnd, type Target } from './http-client';

export interface Load {
  requests: number;
  seconds: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Socket errors and answers other than 200. */
  errors: number;
}

export interface LoadOptions {
  connections: number;
  seconds: number;
}

/** Never more answers than this in one run, whatever the time. */
const MOST_REQUESTS = 1_000_000;

/** Closed-loop load from one thread: every connection sends its next request when it has its answer. */
export interface LoadGenerator {
  name: string;
  run(target: Target, ask: Ask, options: LoadOptions): Promise<Load>;
}

export function loadGenerator(): LoadGenerator {
  const found = spawnSync('wrk', ['-v'], { stdio: 'ignore' }).error === undefined;
  return found ? { name: 'wrk', run: wrk } : { name: 'own raw-socket generator (no wrk on the PATH)', run: rawLoad };
}

async function wrk(target: Target, ask: Ask, { connections, seconds }: LoadOptions): Promise<Load> {
  const script = fileURLToPath(new URL('post.lua', import.meta.url));
  const args = ['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`, '--timeout', '10s', '-s', script, `http://127.0.0.1:${target.port}${PATH}`];
  const env = { ...process.env, BENCH_BODY: bodyOf(ask), BENCH_TOKEN: target.token };
  const { stdout } = await promisify(execFile)('wrk', args, { env, timeout: (seconds + 30) * 1000 });
  const line = stdout.split('\n').find((each) => each.startsWith('{'));
  if (line === undefined) throw new Error(`wrk said no result:\n${stdout}`);
  const said = JSON.parse(line) as { requests: number; us: number; p50_us: number; p99_us: number; errors: number };
  return {
    requests: said.requests,
    seconds: said.us / 1e6,
    perSecond: said.requests / (said.us / 1e6),
    p50Ms: said.p50_us / 1000,
    p99Ms: said.p99_us / 1000,
    errors: said.errors,
  };
}

/** The same without wrk: kept sockets, prebuilt requests, no HTTP but the end of an answer. */
export async function rawLoad(target: Target, ask: Ask, { connections, seconds }: LoadOptions): Promise<Load> {
  const bytes = requestBytes(target, ask);
  const latencies: number[] = [];
  let errors = 0;
  const sockets = await Promise.all(Array.from({ length: connections }, () => connectTo(target)));
  const startedAt = performance.now();
  const stopAt = startedAt + seconds * 1000;

  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((done) => {
          const end = responseEnd();
          let sentAt = 0;
          const send = () => {
            sentAt = performance.now();
            if (sentAt >= stopAt || latencies.length >= MOST_REQUESTS) return socket.destroy();
            socket.write(bytes);
          };
          socket.on('data', (piece) => {
            if (!end.take(piece)) return;
            latencies.push(performance.now() - sentAt);
            if (!end.ok()) errors++;
            send();
          });
          socket.on('error', () => errors++);
          socket.on('close', () => done());
          send();
        }),
    ),
  );
  const took = (performance.now() - startedAt) / 1000;
  return { requests: latencies.length, seconds: took, perSecond: latencies.length / took, p50Ms: percentile(latencies, 50), p99Ms: percentile(latencies, 99), errors };
}

/** NaN for an empty list. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}
