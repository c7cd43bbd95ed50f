import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../harness';
import type { Ask } from './http-client';
import { type LoadGenerator, loadGenerator, median, percentile } from './load';
import { chooseCores, collectGarbage, type Cores, machine, pin, processFigures } from './machine';
import { measure, warmUp } from './measure';
import { type GatewayResult, type Kind, print, type Round, summarise } from './report';
import { type Server, type ServerOptions, startFloor, startProduct, startUpstream } from './servers';
import { firstContent, holdStreams } from './streams';

/** What is measured, in the order of a round. */
export const TARGETS = ['direct', 'floor', 'node', 'next'] as const;
export type TargetName = (typeof TARGETS)[number];

export interface GatewayBenchOptions {
  quick: boolean;
  targets: readonly TargetName[];
  /** Where door two leaves a CPU profile of the whole run; null: none. */
  profileFolder: string | null;
}

const FULL = { rounds: 5, seconds: 4, connections: 32, samples: 500, heldStreams: 1_000, memoryRounds: 3 };
const QUICK = { rounds: 2, seconds: 2, connections: 32, samples: 150, heldStreams: 1_000, memoryRounds: 1 };
export type Settings = typeof FULL;

/** Open before the first reading: they fill the room that a young process has to spare, which would flatter it. */
const FIRST_HELD = 300;

const ASKS: Record<Kind, Ask> = { json: { model: 'instant', stream: false }, stream: { model: 'instant', stream: true } };

/** Direct, floor, door two and door one, measured in turn over and over; then first content, then memory. */
export async function gatewayBench({ quick, targets, profileFolder }: GatewayBenchOptions): Promise<GatewayResult> {
  const settings = quick ? QUICK : FULL;
  const cores = chooseCores();
  const generator = loadGenerator();
  const before = machine();
  if (cores) pin(process.pid, cores.rest); // whatever is started from here on inherits it, PostgreSQL included
  say(`${generator.name}; ${cores ? `the measured server on core ${cores.server}, all else on core ${cores.rest}` : 'nothing is pinned: taskset or a second core is missing'}`);

  const upstream = await startUpstream();
  const servers: Server[] = [];
  try {
    for (const name of targets) servers.push(await start(name, upstream, name === 'node' && profileFolder ? profiled(profileFolder) : {}));
    if (cores) for (const server of servers) if (server !== upstream) pin(server.pid, cores.server);
    say('warming up');
    for (const server of servers) for (const kind of ['json', 'stream'] as const) await warmUp(server, generator, ASKS[kind]);

    const rounds = await measureRounds(servers, generator, settings, cores);
    say('first content, one stream at a time');
    const times = await firstContent(servers, settings.samples);
    const firstContentMs = [...times].map(([target, each]) => ({ target, p50: percentile(each, 50), p99: percentile(each, 99) }));
    await stopAll(servers, upstream);

    const memory = await measureMemory(targets, upstream, settings, cores);
    const result = summarise({ machine: before, generator: generator.name, cores, settings, rounds, firstContentMs, memory });
    print(result);
    return result;
  } finally {
    await stopAll(servers, upstream);
    await upstream.stop();
  }
}

const profiled = (folder: string): ServerOptions => ({ nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${folder}`] });

function start(name: TargetName, upstream: Server, options: ServerOptions): Promise<Server> {
  if (name === 'direct') return Promise.resolve(upstream);
  return name === 'floor' ? startFloor(upstream, options) : startProduct(name, upstream, options);
}

async function stopAll(servers: Server[], upstream: Server): Promise<void> {
  for (const server of servers.splice(0)) if (server !== upstream) await server.stop();
}

async function measureRounds(servers: readonly Server[], generator: LoadGenerator, settings: Settings, cores: Cores | null): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let number = 1; number <= settings.rounds; number++) {
    say(`round ${number} of ${settings.rounds}`);
    for (const kind of ['json', 'stream'] as const) {
      for (const server of servers) rounds.push({ number, target: server.name, kind, ...(await measure(server, generator, ASKS[kind], settings, cores)) });
    }
  }
  return rounds;
}

/** What one more open, silent stream costs in memory: fresh processes, garbage collected before either reading. */
async function measureMemory(targets: readonly TargetName[], upstream: Server, settings: Settings, cores: Cores | null): Promise<{ target: string; kibPerStream: number }[]> {
  const measured = targets.filter((name) => name === 'floor' || name === 'node');
  const kib = new Map<string, number[]>(measured.map((name) => [name, []]));
  for (let round = 1; round <= settings.memoryRounds; round++) {
    say(`memory of ${settings.heldStreams} held streams, round ${round} of ${settings.memoryRounds}`);
    for (const name of measured) {
      const inspector = await freePort();
      const server = await start(name, upstream, { nodeFlags: [`--inspect=127.0.0.1:${inspector}`] });
      try {
        if (cores) pin(server.pid, cores.server);
        kib.get(name)!.push(await heldKib(server, inspector, settings.heldStreams));
      } finally {
        await server.stop();
      }
    }
  }
  return measured.map((target) => ({ target, kibPerStream: median(kib.get(target)!) }));
}

async function heldKib(server: Server, inspector: number, count: number): Promise<number> {
  const rss = async () => {
    await collectGarbage(inspector);
    await delay(1_500);
    await collectGarbage(inspector);
    await delay(500);
    return processFigures(server.pid)?.rssBytes ?? NaN;
  };
  const first = await holdStreams(server, FIRST_HELD);
  const before = await rss();
  const rest = await holdStreams(server, count);
  const during = await rss();
  await Promise.all([first(), rest()]);
  return (during - before) / count / 1024;
}

function say(line: string): void {
  console.error(`bench: ${line}`);
}
