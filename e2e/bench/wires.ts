import { adapterFor, type Wire, WIRES } from '../../lib/providers';
import type { ManagementClient } from '../harness';
import { type AdapterFigures, measureAdapters } from './adapters';
import { loadGenerator, median } from './load';
import { chooseCores, machine, pin } from './machine';
import { type Cost, measure, warmUp } from './measure';
import { atLeast, atMost, fixed, type Goal, row } from './report';
import { startProduct, startWireUpstream } from './servers';

export interface WiresBenchOptions {
  quick: boolean;
  /** Where the product leaves a CPU profile of the whole run; null: none. */
  profileFolder: string | null;
}

const FULL = { rounds: 5, seconds: 4, adapterRounds: 5, adapterEvents: 400_000 };
const QUICK = { rounds: 2, seconds: 2, adapterRounds: 3, adapterEvents: 150_000 };
const CONNECTIONS = 32;
/** Streams of 200 words: fewer calls warm the compiler as well as many short ones. */
const WARM_UP_CALLS = 4_000;

export interface WiresResult {
  suite: 'wires';
  at: string;
  machine: Record<string, unknown>;
  generator: string;
  settings: typeof FULL;
  adapters: AdapterFigures[];
  /** Streams of 200 words through chat completions, each round's load on a tier of each wire in turn. */
  rounds: ({ number: number; wire: Wire } & Cost)[];
  streams: { wire: Wire; perSecond: number; cpuSecondsPerThousand: number; toOpenai: number; errors: number }[];
  goals: Goal[];
}

/** How fast each wire is read, and what translating a stream costs the running product beside passing one through. */
export async function wiresBench({ quick, profileFolder }: WiresBenchOptions): Promise<WiresResult> {
  const settings = quick ? QUICK : FULL;
  const before = machine();
  say('adapters');
  const adapters = measureAdapters(settings.adapterRounds, settings.adapterEvents);

  const cores = chooseCores();
  const generator = loadGenerator();
  if (cores) pin(process.pid, cores.rest);
  const upstream = await startWireUpstream();
  const product = await startProduct('node', upstream, profileFolder === null ? {} : { nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] }, withEveryWire);
  try {
    if (cores) pin(product.pid, cores.server);
    say('warming up');
    for (const wire of WIRES) await warmUp(product, generator, { model: wire, stream: true }, WARM_UP_CALLS);
    const rounds: WiresResult['rounds'] = [];
    for (let number = 1; number <= settings.rounds; number++) {
      say(`round ${number} of ${settings.rounds}`);
      for (const wire of WIRES) rounds.push({ number, wire, ...(await measure(product, generator, { model: wire, stream: true }, { connections: CONNECTIONS, seconds: settings.seconds }, cores)) });
    }
    const result = summarise({ suite: 'wires', at: new Date().toISOString(), machine: before, generator: generator.name, settings, adapters, rounds });
    print(result);
    return result;
  } finally {
    await product.stop();
    await upstream.stop();
  }
}

/** A connection of each wire, all to the same upstream, and a route called like it. */
async function withEveryWire(management: ManagementClient, baseUrl: string): Promise<string> {
  for (const wire of WIRES) {
    await management.connection(wire, baseUrl, 'sk-bench', wire);
    await management.route(wire, [`${wire}/model`]);
  }
  return WIRES[0]!;
}

function summarise(measured: Omit<WiresResult, 'streams' | 'goals'>): WiresResult {
  const { rounds, adapters } = measured;
  const of = (wire: Wire) => rounds.filter((round) => round.wire === wire);
  const through = of('openai');
  const streams = WIRES.map((wire) => ({
    wire,
    perSecond: median(of(wire).map(({ perSecond }) => perSecond)),
    cpuSecondsPerThousand: median(of(wire).map(({ cpuSecondsPerThousand }) => cpuSecondsPerThousand)),
    // Each round's figure beside the one that was taken in the same round.
    toOpenai: median(of(wire).map(({ number, cpuSecondsPerThousand }) => cpuSecondsPerThousand / through.find((round) => round.number === number)!.cpuSecondsPerThousand)),
    errors: of(wire).reduce((sum, { errors }) => sum + errors, 0),
  }));
  const goals = [
    ...adapters.filter(({ kind }) => kind === '120 bytes').map(({ wire, readPerSecond }) => atLeast(`${wire}: events/s`, readPerSecond, 300_000)),
    ...streams.filter(({ wire }) => adapterFor(wire).dialect !== 'openai').map(({ wire, toOpenai }) => atMost(`${wire}: CPU / passing through`, toOpenai, 2)),
  ];
  return { ...measured, streams, goals };
}

function print({ at, machine: { cpu, cores, node, loadAverage }, generator, settings, adapters, streams, goals }: WiresResult): void {
  const lines = [
    `Ohm wires bench, ${at}`,
    `${String(cpu)}, ${String(cores)} cores, Node ${String(node)}, load average ${Number(loadAverage).toFixed(1)} at the start`,
    '',
    `Adapters, events a second of one core; medians of ${settings.adapterRounds} rounds`,
    row(['', 'bytes', 'to events', 'to a client'], 40),
    ...adapters.map(({ wire, kind, bytes, readPerSecond, writtenPerSecond }) => row([`${wire}, ${kind}`, String(bytes), thousands(readPerSecond), thousands(writtenPerSecond)], 40)),
    '',
    `Streams of 200 words to a client of chat completions; ${generator}, ${CONNECTIONS} connections, ${settings.rounds} rounds of ${settings.seconds} s, medians`,
    row(['', 'calls/s', 'CPU s/1000', '/ openai', 'errors'], 40),
    ...streams.map(({ wire, perSecond, cpuSecondsPerThousand, toOpenai, errors }) => row([wire, fixed(perSecond, 0), fixed(cpuSecondsPerThousand, 4), fixed(toOpenai, 2), String(errors)], 40)),
    '',
    'Against the goals',
    ...goals.map(({ name, value, goal, met }) => row([name, value !== null && value > 1_000 ? thousands(value) : fixed(value, 2), goal, met ? 'met' : 'MISSED'], 40)),
  ];
  console.log(lines.join('\n'));
}

const thousands = (value: number): string => `${Math.round(value / 1_000)}k`;

function say(line: string): void {
  console.error(`bench: ${line}`);
}
