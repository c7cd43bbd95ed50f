import type { Contact } from '../../providers/sandbox';
import type { CallRow } from '../../metering/call-row';
import type { Answer, Question } from './door-client';

/**
 * A check of the running product: real calls through its own door to its own sandbox, looked at from
 * both ends and in the ledger. A probe knows no internals of the engine.
 */
export interface Probe {
  id: string;
  /** How it checks, in one sentence; shown to readers. */
  how: string;
  /** The routes it needs, by name: each a list of sandbox scripts, first tier first. */
  routes: Record<string, string[]>;
  /** Resolves to what was seen; throws `NotAsPromised` or `Inconclusive`. Anything else thrown counts as not as promised. */
  run(bench: Bench): Promise<Finding>;
}

export interface Finding {
  /** One sentence: what was seen. */
  saw: string;
  figures?: Record<string, number | string>;
}

/** What a probe works with. Probes run one after another, so what the bench shows is this probe's own. */
export interface Bench {
  /** A call with the probe key. */
  ask(question: Question): Promise<Answer>;
  /** Any other POST with the probe key. Not among `answers`: it is no call. */
  post(path: string, message: object, headers: Record<string, string>): Promise<Answer>;
  /** What reached the sandbox since this probe began, oldest first; the entries are live. */
  contacts(script?: string): Contact[];
  /** The ledger row of a call, waiting up to 2 s for it; null when there is none. */
  row(callId: string): Promise<CallRow | null>;
  /** Every call of this run so far, of all probes. */
  answers(): readonly Answer[];
  /** Polls until the condition holds; false when it did not within `ms`. */
  eventually(ms: number, condition: () => boolean): Promise<boolean>;
  /** A key of the system workspace; with exact replay, whose answers nobody else is served, where asked. */
  issueKey(keepsAnswers?: boolean): Promise<{ id: string; token: string }>;
  revokeKey(id: string): Promise<void>;
  /** Monotonic ms. */
  now(): number;
}

/** The product did not do what it says. */
export class NotAsPromised extends Error {
  override readonly name = 'NotAsPromised';
}

/** The question could not be put, e.g. because a tier was still benched. Says nothing either way. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
}

/** Throws NotAsPromised unless the condition holds. The sentence tells what was seen instead. */
export function promised(condition: boolean, insteadSaw: string): asserts condition {
  if (!condition) throw new NotAsPromised(insteadSaw);
}

/** Did the first tier get its chance? A tier that is benched from the last run is skipped by right. */
export function firstTierWasAsked(bench: Bench, script: string): void {
  if (bench.contacts(script).length === 0) throw new Inconclusive(`the tier “${script}” was not asked: it is benched since it failed the last time`);
}
