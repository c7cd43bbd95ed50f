import type { Settings } from './gateway';
import { median } from './load';
import type { Cost } from './measure';
import type { Cores } from './machine';

export type Kind = 'json' | 'stream';

/** One load on one target. */
export interface Round extends Cost {
  number: number;
  target: string;
  kind: Kind;
}

export interface Measured {
  machine: Record<string, unknown>;
  generator: string;
  cores: Cores | null;
  settings: Settings;
  rounds: Round[];
  firstContentMs: { target: string; p50: number; p99: number }[];
  memory: { target: string; kibPerStream: number }[];
}

/** Medians over the rounds. */
export type Summary = Record<(typeof FIGURES)[number], number | null>;

export interface Goal {
  name: string;
  value: number | null;
  goal: string;
  met: boolean | null;
}

export interface GatewayResult extends Measured {
  suite: 'gateway';
  at: string;
  summary: Record<string, Record<Kind, Summary>>;
  addedFirstContentMs: { target: string; p50: number; p99: number }[];
  goals: Goal[];
}

const FIGURES = ['perSecond', 'p50Ms', 'p99Ms', 'cpuSecondsPerThousand', 'postgresCpuSecondsPerThousand', 'serverBusy', 'foreignBusy', 'errors'] as const;
const NAMES: Record<string, string> = { direct: 'direct', floor: 'floor', node: 'door two (node)', next: 'door one (next)' };

export function summarise(measured: Measured): GatewayResult {
  const targets = [...new Set(measured.rounds.map(({ target }) => target))];
  const summary = Object.fromEntries(
    targets.map((target) => [target, { json: summaryOf(measured.rounds, target, 'json'), stream: summaryOf(measured.rounds, target, 'stream') }]),
  );
  const direct = measured.firstContentMs.find(({ target }) => target === 'direct');
  const addedFirstContentMs = direct === undefined ? [] : measured.firstContentMs.filter((each) => each !== direct).map(({ target, p50, p99 }) => ({ target, p50: p50 - direct.p50, p99: p99 - direct.p99 }));
  return { suite: 'gateway', at: new Date().toISOString(), ...measured, summary, addedFirstContentMs, goals: goalsOf(measured, addedFirstContentMs) };
}

function summaryOf(rounds: readonly Round[], target: string, kind: Kind): Summary {
  const mine = rounds.filter((round) => round.target === target && round.kind === kind);
  return Object.fromEntries(
    FIGURES.map((figure) => {
      const values = mine.map((round) => round[figure]).filter((value) => value !== null);
      if (values.length === 0) return [figure, null];
      return [figure, figure === 'errors' ? values.reduce((sum, each) => sum + each, 0) : median(values)];
    }),
  ) as Summary;
}

/** What door two must reach, each figure against the floor of the same round. */
function goalsOf({ rounds, memory }: Measured, added: GatewayResult['addedFirstContentMs']): Goal[] {
  const ratio = (kind: Kind, figure: 'perSecond' | 'cpuSecondsPerThousand'): number | null => {
    const of = (target: string) => rounds.filter((round) => round.target === target && round.kind === kind);
    const floor = of('floor');
    const ratios = of('node').flatMap((round) => floor.filter(({ number }) => number === round.number).map((base) => round[figure] / base[figure]));
    return ratios.length === 0 ? null : median(ratios);
  };
  const held = (target: string) => memory.find((each) => each.target === target)?.kibPerStream;
  const node = held('node');
  const floor = held('floor');
  return [
    atLeast('JSON throughput / floor', ratio('json', 'perSecond'), 0.4),
    atLeast('stream throughput / floor', ratio('stream', 'perSecond'), 0.5),
    atMost('JSON CPU a call / floor', ratio('json', 'cpuSecondsPerThousand'), 2.5),
    atMost('stream CPU a call / floor', ratio('stream', 'cpuSecondsPerThousand'), 2.5),
    atMost('added to first content, p50, ms', added.find(({ target }) => target === 'node')?.p50 ?? null, 1),
    atMost('memory of a held stream / floor', node === undefined || floor === undefined ? null : node / floor, 1.5),
  ];
}

export const atLeast = (name: string, value: number | null, limit: number): Goal => ({ name, value, goal: `>= ${limit}`, met: value === null ? null : value >= limit });
export const atMost = (name: string, value: number | null, limit: number): Goal => ({ name, value, goal: `<= ${limit}`, met: value === null ? null : value <= limit });

export function print(result: GatewayResult): void {
  const { settings, machine, cores, generator, summary } = result;
  const lines = [
    `Ohm gateway bench, ${result.at}`,
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load average ${Number(machine.loadAverage).toFixed(1)} at the start`,
    `${generator}; ${settings.connections} connections, ${settings.rounds} rounds of ${settings.seconds} s, medians; ${cores ? `server on core ${cores.server}, the rest on core ${cores.rest}` : 'NOT PINNED'}`,
  ];
  for (const kind of ['json', 'stream'] as const) {
    lines.push('', kind === 'json' ? 'JSON' : 'Streams of 50 chunks');
    lines.push(row(['', 'calls/s', 'p50 ms', 'p99 ms', 'CPU s/1000', 'PostgreSQL', 'server busy', 'others', 'errors']));
    for (const [target, kinds] of Object.entries(summary)) {
      const each = kinds[kind];
      const share = (value: number | null) => (value === null ? '-' : `${Math.round(value * 100)} %`);
      const cpu = target === 'direct' ? '-' : fixed(each.cpuSecondsPerThousand, 4);
      lines.push(row([NAMES[target] ?? target, fixed(each.perSecond, 0), fixed(each.p50Ms, 2), fixed(each.p99Ms, 2), cpu, fixed(each.postgresCpuSecondsPerThousand, 4), target === 'direct' ? '-' : share(each.serverBusy), share(each.foreignBusy), String(each.errors)]));
    }
  }
  lines.push('', 'First content of a stream, one at a time', row(['', 'p50 ms', 'p99 ms', 'added p50', 'added p99']));
  for (const { target, p50, p99 } of result.firstContentMs) {
    const added = result.addedFirstContentMs.find((each) => each.target === target);
    lines.push(row([NAMES[target] ?? target, fixed(p50, 2), fixed(p99, 2), fixed(added?.p50, 2), fixed(added?.p99, 2)]));
  }
  lines.push('', `Memory of an open, silent stream (${settings.heldStreams} open), KiB of RSS`);
  for (const { target, kibPerStream } of result.memory) lines.push(row([NAMES[target] ?? target, fixed(kibPerStream, 1)]));
  lines.push('', 'Door two against its goals');
  for (const { name, value, goal, met } of result.goals) lines.push(row([name, fixed(value, 3), goal, met === null ? 'not measured' : met ? 'met' : 'MISSED'], 34));
  console.log(lines.join('\n'));
}

export function row(cells: string[], first = 18): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(first) : cell.padStart(12))).join('');
}

export const fixed = (value: number | null | undefined, digits: number): string => (value === null || value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits));
