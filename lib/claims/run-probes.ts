import type { CallRow } from '../metering/call-row';
import type { Contact } from '../providers/sandbox';
import { newId, type Clock } from '../std';
import { askDoor, type Answer, type Bench, type Door, type Probe, type Question } from './probes';
import type { ProbeResult } from './status';

export interface RunInput {
  probes: readonly Probe[];
  door: Door;
  clock: Clock;
  processId: string;
  /** Contacts of the system workspace with this process's sandbox, oldest first. */
  contacts(): Contact[];
  /** The ledger row of a call of the system workspace; null while there is none. */
  callRow(callId: string): Promise<CallRow | null>;
  issueKey(keepsAnswers?: boolean): Promise<{ id: string; token: string }>;
  revokeKey(id: string): Promise<void>;
  /** Why nothing can be learnt now (the database is away, say); null when it can. Asked when a probe failed. */
  blind(): Promise<string | null>;
  /** For errors that are the probe's own. */
  onError(probe: string, error: unknown): void;
}

export interface Run {
  /** Verdicts, one a probe that had one. */
  results: ProbeResult[];
  /** Probes that said nothing either way, with the reason. */
  inconclusive: { probe: string; reason: string }[];
}

/** Runs the probes one after another. Never rejects: a probe that breaks has failed. */
export async function runProbes(input: RunInput): Promise<Run> {
  const run: Run = { results: [], inconclusive: [] };
  const answers: Answer[] = [];
  for (const probe of input.probes) {
    const ranAtMs = input.clock.now();
    const from = input.clock.monotonic();
    const verdict = await verdictOf(probe, benchFor(input, answers, from), input);
    if (verdict.passed === null) run.inconclusive.push({ probe: probe.id, reason: verdict.detail });
    else run.results.push({ id: newId('probe'), probe: probe.id, processId: input.processId, ranAtMs, durationMs: Math.round(input.clock.monotonic() - from), passed: verdict.passed, detail: verdict.detail, figures: verdict.figures });
  }
  return run;
}

interface Verdict {
  /** Null: inconclusive. */
  passed: boolean | null;
  detail: string;
  figures: Record<string, number | string>;
}

async function verdictOf(probe: Probe, bench: Bench, input: RunInput): Promise<Verdict> {
  try {
    const finding = await probe.run(bench);
    return { passed: true, detail: finding.saw, figures: finding.figures ?? {} };
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'Inconclusive') return { passed: null, detail: message, figures: {} };
    const blind = await input.blind();
    if (blind !== null) return { passed: null, detail: blind, figures: {} };
    if (name === 'NotAsPromised') return { passed: false, detail: capitalised(message), figures: {} };
    input.onError(probe.id, error);
    return { passed: false, detail: 'The probe itself broke before it could see anything.', figures: {} };
  }
}

const ROW_WAIT_MS = 2_000;

function benchFor(input: RunInput, answers: Answer[], fromMs: number): Bench {
  const since = () => input.contacts().filter((contact) => contact.startedAtMs >= fromMs);
  return {
    async ask(question: Question) {
      const answer = await askDoor(input.door, question);
      answers.push(answer);
      return answer;
    },
    post: (path, message, headers) => askDoor(input.door, { path, model: '', stream: false, message, headers }),
    contacts: (script) => since().filter((contact) => script === undefined || contact.script === script),
    async row(callId) {
      for (const until = input.clock.monotonic() + ROW_WAIT_MS; ; ) {
        const row = await input.callRow(callId);
        if (row !== null || input.clock.monotonic() > until) return row;
        await pause(20);
      }
    },
    answers: () => answers,
    async eventually(ms, condition) {
      for (const until = input.clock.monotonic() + ms; ; ) {
        if (condition()) return true;
        if (input.clock.monotonic() >= until) return false;
        await pause(5);
      }
    },
    issueKey: input.issueKey,
    revokeKey: input.revokeKey,
    now: () => input.clock.monotonic(),
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const capitalised = (sentence: string): string => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.!?”]$/.test(sentence) ? '' : '.'}`;
