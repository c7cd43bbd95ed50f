import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startRedis } from '../../lib/stores/test-redis';
import { startEdge } from '../harness';
import type { Ask } from './http-client';
import { type Load, loadGenerator, median } from './load';
import { chooseCores, coreBusySeconds, type Cores, machine, pin, processFigures } from './machine';
import { type Server, startFloor, startProduct, startUpstream } from './servers';

/** One load on one target. */
interface Round extends Load {
  number: number;
  target: string;
  cpuSecondsPerThousand: number;
  serverBusy: number;
  foreignBusy: number | null;
}

export interface EdgeResult {
  suite: 'edge';
  at: string;
  machine: Record<string, unknown>;
  generator: string;
  settings: typeof FULL;
  rounds: Round[];
  /** `ofFloor`: throughput against the floor's of the same round. `cpuOfFloor`: the same by CPU time, which others on the machine hardly touch. */
  summary: { target: string; perSecond: number; p50Ms: number; p99Ms: number; cpuSecondsPerThousand: number; foreignBusy: number | null; ofFloor: number; cpuOfFloor: number; errors: number }[];
  goals: { name: string; value: number; goal: string; met: boolean }[];
}

const FULL = { rounds: 7, seconds: 3, connections: 32 };
const QUICK = { rounds: 3, seconds: 2, connections: 32 };
const ASK: Ask = { model: 'instant', stream: false };
const WARM_UP_CALLS = 15_000;
/** Behind each load: rows are carried and drained, garbage is collected. */
const SETTLE_MS = 800;

/**
 * A JSON answer that is served again, against the floor's pass-through of one: by the edge, by door two from its own
 * memory and by door two from Redis. Measured in turn, over and over.
 */
export async function edgeBench({ quick, profileFolder }: { quick: boolean; profileFolder: string | null }): Promise<EdgeResult> {
  const settings = quick ? QUICK : FULL;
  const cores = chooseCores();
  const generator = loadGenerator();
  const before = machine();
  if (cores) pin(process.pid, cores.rest); // whatever is started from here on inherits it: Redis, PostgreSQL, the load
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const servers = await startAll(closers, profileFolder);
    say('warming up');
    for (const server of servers) {
      for (let calls = 0, runs = 0; runs < 8 && calls < WARM_UP_CALLS; runs++) calls += (await generator.run(server, ASK, { connections: 32, seconds: 3 })).requests;
    }
    const rounds: Round[] = [];
    for (let number = 1; number <= settings.rounds; number++) {
      say(`round ${number} of ${settings.rounds}`);
      for (const server of servers) {
        // The others are part of the rest, the edge's control plane with them.
        if (cores) for (const each of servers) pin(each.pid, each === server ? cores.server : cores.rest);
        rounds.push({ number, target: server.name, ...(await measure(server, () => generator.run(server, ASK, settings), cores)) });
        await delay(SETTLE_MS);
      }
    }
    const result = summarise(rounds, settings, before, generator.name);
    print(result);
    return result;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function startAll(closers: (() => Promise<unknown>)[], profileFolder: string | null): Promise<Server[]> {
  const started = <T extends { stop(): Promise<unknown> }>(server: T): T => {
    closers.push(() => server.stop());
    return server;
  };
  const profile = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const upstream = started(await startUpstream());
  const redis = started(await startRedis());
  const floor = started(await startFloor(upstream));
  const own = started(await startProduct('node', upstream, { keepsAnswers: true }));
  const shared = started(await startProduct('node', upstream, { keepsAnswers: true, env: { REDIS_URL: redis.url } }));
  const dataDir = mkdtempSync(join(tmpdir(), 'ohm-bench-edge-'));
  closers.push(async () => rmSync(dataDir, { recursive: true, force: true }));
  const edge = started(await startEdge({ dataDir, nodeFlags: profile, env: { OHM_EDGE_PRIMARY: `http://127.0.0.1:${shared.port}`, OHM_SECRET: shared.secret, REDIS_URL: redis.url } }));
  return [
    floor,
    { ...own, name: 'door two, own memory' },
    { ...shared, name: 'door two, Redis' },
    { name: 'edge', port: edge.port, pid: edge.pid, token: shared.token, postgresPid: null, stop: async () => void (await edge.stop()) },
  ];
}

async function measure(server: Server, run: () => Promise<Load>, cores: Cores | null): Promise<Omit<Round, 'number' | 'target'>> {
  const cpu = () => processFigures(server.pid)?.cpuSeconds ?? NaN;
  const busy = () => (cores ? coreBusySeconds(cores.server) : null);
  const [cpuBefore, busyBefore] = [cpu(), busy()];
  const load = await run();
  const own = cpu() - cpuBefore;
  return {
    ...load,
    cpuSecondsPerThousand: (own / load.requests) * 1000,
    serverBusy: own / load.seconds,
    foreignBusy: busyBefore === null ? null : Math.max(0, busy()! - busyBefore - own) / load.seconds,
  };
}

/** Throughput against the floor of the same round: a busy machine is equally busy for both. */
function summarise(rounds: Round[], settings: typeof FULL, before: Record<string, unknown>, generator: string): EdgeResult {
  const targets = [...new Set(rounds.map(({ target }) => target))];
  const of = (target: string) => rounds.filter((round) => round.target === target);
  const floorOf = ({ number }: Round) => of('floor').find((round) => round.number === number)!;
  const summary = targets.map((target) => {
    const mine = of(target);
    const foreign = mine.map(({ foreignBusy }) => foreignBusy).filter((value) => value !== null);
    return {
      target,
      perSecond: median(mine.map(({ perSecond }) => perSecond)),
      p50Ms: median(mine.map(({ p50Ms }) => p50Ms)),
      p99Ms: median(mine.map(({ p99Ms }) => p99Ms)),
      cpuSecondsPerThousand: median(mine.map(({ cpuSecondsPerThousand }) => cpuSecondsPerThousand)),
      foreignBusy: foreign.length === 0 ? null : median(foreign),
      ofFloor: median(mine.map((round) => round.perSecond / floorOf(round).perSecond)),
      cpuOfFloor: median(mine.map((round) => floorOf(round).cpuSecondsPerThousand / round.cpuSecondsPerThousand)),
      errors: mine.reduce((sum, { errors }) => sum + errors, 0),
    };
  });
  const ratio = (target: string) => summary.find((each) => each.target === target)!.ofFloor;
  const goal = (name: string, value: number, limit: number) => ({ name, value, goal: `>= ${limit}`, met: value >= limit });
  return {
    suite: 'edge',
    at: new Date().toISOString(),
    machine: before,
    generator,
    settings,
    rounds,
    summary,
    goals: [goal('JSON replay hit at the edge / floor', ratio('edge'), 0.6), goal('JSON replay hit through door two / floor', ratio('door two, own memory'), 0.5), goal('the same from Redis / floor', ratio('door two, Redis'), 0.5)],
  };
}

function print({ machine: on, generator, settings, summary, goals, at }: EdgeResult): void {
  const row = (cells: string[]) => cells.map((cell, place) => (place === 0 ? cell.padEnd(42) : cell.padStart(12))).join('');
  console.log(
    [
      `Ohm edge bench, ${at}`,
      `${String(on.cpu)}, ${String(on.cores)} cores, Node ${String(on.node)}, load average ${Number(on.loadAverage).toFixed(1)} at the start`,
      `${generator}; ${settings.connections} connections, ${settings.rounds} rounds of ${settings.seconds} s, medians`,
      '',
      row(['', 'calls/s', '/ floor', 'by CPU', 'p50 ms', 'p99 ms', 'CPU s/1000', 'others', 'errors']),
      ...summary.map((each) => row([each.target, each.perSecond.toFixed(0), each.ofFloor.toFixed(3), each.cpuOfFloor.toFixed(3), each.p50Ms.toFixed(2), each.p99Ms.toFixed(2), each.cpuSecondsPerThousand.toFixed(4), each.foreignBusy === null ? '-' : `${Math.round(each.foreignBusy * 100)} %`, String(each.errors)])),
      '',
      ...goals.map(({ name, value, goal, met }) => row([name, value.toFixed(3), goal, met ? 'met' : 'MISSED'])),
    ].join('\n'),
  );
}

function say(line: string): void {
  console.error(`bench: ${line}`);
}
